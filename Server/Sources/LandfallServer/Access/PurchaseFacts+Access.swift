// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules

extension PurchaseFacts {
    /// What is true at that time. A level that nothing ever opened is closed, and says nothing else.
    /// - Parameter levels: of the configuration.
    init(_ access: ProfileAccess?, _ levels: [AccessLevel], nowMs: Int64) {
        self.init()
        if let access {
            let bought =
                access.entries.filter { $0.chain != nil }.map(\.period.productID) + access.subscriptions.map(\.standing.productID)
                + access.singles.map(\.purchase.productID)
            products = Set(bought).sorted()
        }
        self.levels = levels.map { level in
            var facts = Level(level: level)
            guard let known = access?.level(level, at: nowMs) else { return facts }
            let period = known.entry.period
            (facts.isActive, facts.state) = (period.state.grants, period.state.rawValue)
            (facts.willRenew, facts.isTrial, facts.endsAtMs) = (known.entry.willRenew, period.isTrial, known.endsAtMs)
            return facts
        }
    }
}
