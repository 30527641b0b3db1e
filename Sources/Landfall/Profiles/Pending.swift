// SPDX-License-Identifier: Apache-2.0

/// What the phone knows to be on its way to the server, and what may change which paywall is meant for this person. What only the
/// server knows of, a link from before the installation for example, it says by an answer that is not final.
struct Pending: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// Apple's answer, or the token that it needs.
    static let attribution = Pending(rawValue: 1)
    /// What the person has bought.
    static let purchases = Pending(rawValue: 2)
}

extension Standing {
    /// How long purchases that were announced are waited for.
    static let purchasePatience: Duration = .seconds(3)

    func pending(_ now: Duration) -> Pending {
        var pending: Pending = []
        if attribution.isPending || isTokenUnderWay { pending.insert(.attribution) }
        if arePurchasesComing(now) { pending.insert(.purchases) }
        return pending
    }

    func arePurchasesComing(_ now: Duration) -> Bool { now < purchasesAwaitedUntil }

    /// The phone is about to bring what the person has bought. The first open says it, so it is said before the start.
    mutating func purchasesAreComing(now: Duration) { purchasesAwaitedUntil = now + Self.purchasePatience }

    /// The server has all of them, or none will come.
    mutating func purchasesAreComplete() { purchasesAwaitedUntil = .zero }
}
