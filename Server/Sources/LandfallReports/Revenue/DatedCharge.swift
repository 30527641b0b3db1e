// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallServer
import LandfallStore

/// A charge with its chain and the times of its period.
struct DatedCharge: Sendable {
    let chain: String
    /// Laid out on the day of its purchase.
    var charge: RevenueCharge
    /// Unix milliseconds, as the others.
    let purchasedAtMs: Int64
    let periodEndsAtMs: Int64?
    let serviceEndsAtMs: Int64?
}

extension DatedCharge {
    init(_ charge: Charge, of chain: ChainID) {
        self.init(
            chain: chain.description, charge: RevenueCharge(charge, .purchase), purchasedAtMs: charge.purchasedAtMs,
            periodEndsAtMs: charge.periodEndsAtMs, serviceEndsAtMs: charge.serviceEndsAtMs)
    }

    fileprivate init(_ row: Row) throws {
        let stored = RevenueReader.stored, times = RevenueReader.times
        self.init(
            chain: try row.text(stored[.chain_id]), charge: try RevenueCharge(row, .purchase),
            purchasedAtMs: try row.integer(times[.purchased_at_ms]), periodEndsAtMs: row.optionalInteger(stored[.period_ends_at_ms]),
            serviceEndsAtMs: row.optionalInteger(times[.service_ends_at_ms]))
    }
}

extension RevenueCharge {
    /// - Parameter view: it says which day of the charge counts.
    init(_ charge: Charge, _ view: RevenueView) {
        self.init(
            day: ReportZone.utc.day(ofMs: view == .booking ? charge.bookedAtMs : charge.purchasedAtMs), terms: Pricing.Terms(charge),
            product: charge.productID, followsTrial: charge.followsTrial)
    }
}

extension RevenueReader {
    /// What is read behind the columns that all views read.
    enum TimeColumn: Int, TableColumn { case purchased_at_ms, service_ends_at_ms }

    static let times = ColumnIndexes<TimeColumn>(from: Column.allCases.count)

    /// Charges that were bought on some days, without those of people who were erased.
    /// - Parameters:
    ///   - servedFromMs: leaves out periods whose service ended before.
    ///   - body: gets a page of charges; those of a chain come in the order of their purchase days.
    func forEachPage(
        purchased days: ClosedRange<Int64>, servedFromMs: Int64 = .min, _ body: ([DatedCharge]) async throws -> Void
    ) async throws {
        try await forEachPage(Self.datedText, Self.purchaseKey, days, [.integer(servedFromMs)]) { rows in
            try await body(try rows.map { try DatedCharge($0) })
        }
    }

    static let datedText = text(
        purchaseKey, ", \(TimeColumn.names())", where: "COALESCE(service_ends_at_ms, $3) >= $3 AND ", first: 4)
}
