// SPDX-License-Identifier: Apache-2.0

/// What the configuration says about purchases: what a product opens, and what money is worth. Values only.
package struct PurchaseRules: Hashable, Sendable {
    package static let graceDays: ClosedRange<Int64> = 1...60
    /// The shortest of the times that App Store Connect offers.
    package static let usualGraceDays: Int64 = 3

    /// In the order of the file.
    package var accessLevels: [AccessLevel] = []
    /// In the order of the file.
    package var products: [ProductRule] = []
    package var sandbox: SandboxRule = .grant
    package var owner: OwnerRule = .transfer
    /// How long the App Store grants a subscription whose payment failed, where Apple's own data do not say it.
    package var graceDays = usualGraceDays
    package var money = MoneyRules()
    /// Nil: the App Store is asked nothing.
    package var api: AppStoreKey?
    /// Nil: nothing is forwarded.
    package var notify: NotificationReceiver?

    package init() {}

    /// What the file says about a product: an exact name before a prefix, a longer prefix before a shorter one. Nil for a product
    /// that the file does not name.
    package func rule(of product: String) -> ProductRule? {
        var found: ProductRule?
        for rule in products where rule.name.covers(product) {
            if case .exactly = rule.name { return rule }
            if rule.name.text.utf8.count > found?.name.text.utf8.count ?? -1 { found = rule }
        }
        return found
    }
}

/// What happens with purchases that Apple's sandbox signed: TestFlight, App Review and the developer's own tests.
package enum SandboxRule: String, CaseIterable, Hashable, Sendable {
    /// They open what real ones open. Apple's reviewers buy so.
    case grant
    /// Only on devices that the file names as tests.
    case testers
    case refuse

    /// - Parameter isTester: whether the file names one of the profile's devices.
    package func opens(isTester: Bool) -> Bool { self == .grant || self == .testers && isTester }
}

/// Whose a purchase is when a second profile claims it.
package enum OwnerRule: String, CaseIterable, Hashable, Sendable {
    /// Who restores or buys takes it; the one before loses it.
    case transfer
    /// It stays with its first owner.
    case keep
    /// Each of them may use it.
    case share
}
