// SPDX-License-Identifier: Apache-2.0

/// What was paid for seats, and what comes back for some of them.
struct SeatPrices {
    /// Apple's tiers: the price of one seat, and how many have it.
    private let tiers: [SeatsPayload.Tier]

    /// Nil without tiers.
    init?(_ seats: SeatsPayload?) {
        guard let seats, !seats.tiers.isEmpty else { return nil }
        tiers = seats.tiers
    }

    /// Nil if it is too large for an amount.
    var total: Int64? { Self.sum(tiers) }

    /// The price of that many seats, taken from the last tier on: Apple pays back at the tier's price, and who gives seats back keeps
    /// those of the first tiers.
    func price(ofLast seats: Int64) -> Int64? {
        var left = seats
        let taken = tiers.reversed().map { tier in
            let count = min(left, tier.quantity)
            left -= count
            return SeatsPayload.Tier(priceMilliunits: tier.priceMilliunits, quantity: count)
        }
        return Self.sum(taken)
    }

    private static func sum(_ tiers: [SeatsPayload.Tier]) -> Int64? {
        var sum: Int64 = 0
        for tier in tiers {
            let (price, isTooLarge) = tier.priceMilliunits.multipliedReportingOverflow(by: tier.quantity)
            let (next, isNextTooLarge) = sum.addingReportingOverflow(price)
            if isTooLarge || isNextTooLarge { return nil }
            sum = next
        }
        return sum
    }
}
