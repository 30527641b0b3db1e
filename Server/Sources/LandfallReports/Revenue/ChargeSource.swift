// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallServer

/// Where a report takes its charges from: those that are stored, or those that follow from what Apple signed.
struct ChargeSource: Sendable {
    let reader: RevenueReader
    /// Nil: the stored ones.
    let verification: RevenueVerification?
    /// Stored charges say whose they are.
    var countsPayers = false

    /// - Parameters:
    ///   - dimensions: of the origin of charges only these are read.
    ///   - body: is called for all charges of the days, also for those whose people were erased.
    /// - Returns: nil unless the charges were verified.
    func forEach(
        _ view: RevenueView, _ days: ClosedRange<Int64>, by dimensions: [RevenueDimension], _ body: (RevenueCharges) throws -> Void
    ) async throws -> RevenueDocument.Verified? {
        if let verification { return try await forEach(verification, view, days, by: dimensions, body) }
        // Days that are counted do not say who has paid.
        if countsPayers {
            try await reader.forEach(view, days, by: dimensions, countsPayers: true) { try body(.one($0)) }
            return nil
        }
        let counted = ChargeDayReader(database: reader.database, app: reader.app, view: view)
        for range in try await counted.forEach(days, by: dimensions, { try body(.day($0)) }) {
            try await reader.forEachStored(view, range, by: dimensions) { try body(.one($0)) }
        }
        try await reader.forEachErased(view, days) { try body(.one($0)) }
        return nil
    }

    private func forEach(
        _ verification: RevenueVerification, _ view: RevenueView, _ days: ClosedRange<Int64>, by dimensions: [RevenueDimension],
        _ body: (RevenueCharges) throws -> Void
    ) async throws -> RevenueDocument.Verified {
        var origins = RevenueOrigins(reader.database, reader.app, for: dimensions)
        let verified = try await verification.walk { chains in
            if origins.areRead { try await origins.learn(Set(chains.filter { !$0.charges.isEmpty }.map(\.chain.description))) }
            for (chain, charges) in chains {
                var refunded: Set<String> = []
                for charge in charges {
                    var revenue = RevenueCharge(charge, view)
                    guard days.contains(revenue.day) else { continue }
                    revenue.origin = origins[chain.description]
                    if charge.kind.isRefund { revenue.isRefundedBefore = !refunded.insert("\(revenue.day) \(charge.transactionID)").inserted }
                    try body(.one(revenue))
                }
            }
        }
        try await reader.forEachErased(view, days) { try body(.one($0)) }
        let wrong = try await ChargeDayReader(database: reader.database, app: reader.app, view: view).differences(days)
        return RevenueDocument.Verified(
            originals: verified.originals, differences: Array((verified.differences + wrong).prefix(RevenueVerification.mostDifferences)))
    }

    /// The same as ``RevenueReader/forEachPage(purchased:servedFromMs:_:)``.
    /// - Returns: nil unless the charges were verified.
    func forEachPage(
        purchased days: ClosedRange<Int64>, servedFromMs: Int64 = .min, _ body: ([DatedCharge]) async throws -> Void
    ) async throws -> RevenueDocument.Verified? {
        guard let verification else {
            try await reader.forEachPage(purchased: days, servedFromMs: servedFromMs, body)
            return nil
        }
        return try await verification.walk { chains in
            let charges = chains.flatMap { chain, charges in charges.map { DatedCharge($0, of: chain) } }
            try await body(charges.filter { days.contains($0.charge.day) && $0.serviceEndsAtMs ?? servedFromMs >= servedFromMs })
        }
    }
}
