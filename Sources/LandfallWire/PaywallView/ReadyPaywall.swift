// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Everything that the ready paywall shows at one instant. A style draws it and decides nothing.
///
/// A pure function of ``PaywallContent`` and ``PaywallProgress``: the phone draws it, and the console shows a preview of it.
public struct ReadyPaywall: Hashable, Sendable {
    /// More may follow.
    public struct State: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let loading = State(rawValue: "loading")
        public static let loadingFailed = State(rawValue: "loadingFailed")
        /// The paywall has no products, or the store has none of them.
        public static let noProducts = State(rawValue: "noProducts")
        public static let ready = State(rawValue: "ready")
        public static let buying = State(rawValue: "buying")
        public static let restoring = State(rawValue: "restoring")
        /// Somebody else has to approve the purchase.
        public static let pending = State(rawValue: "pending")
        public static let purchased = State(rawValue: "purchased")
        public static let restored = State(rawValue: "restored")
    }

    /// What a button does. More may follow.
    public struct Action: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Buys the chosen product.
        public static let buy = Action(rawValue: "buy")
        public static let restore = Action(rawValue: "restore")
        /// Loads the products again.
        public static let retry = Action(rawValue: "retry")
        public static let close = Action(rawValue: "close")
    }

    public struct Button: Hashable, Sendable {
        public let title: String
        public let action: Action
        public let isEnabled: Bool
    }

    /// What became of the last step, or why there are no products.
    public struct Message: Hashable, Sendable {
        public let text: String
        public let isProblem: Bool
    }

    public struct Link: Hashable, Sendable {
        public let title: String
        public let url: URL
    }

    public struct Product: Hashable, Sendable, Identifiable {
        public let id: String
        public let name: String
        public let detail: String?
        public let badge: String?
        /// With its period: `$59.99 per year`.
        public let price: String
        /// `$5.00 per month`, for a longer period.
        public let monthlyPrice: String?
        /// The introductory offer that this person gets, and what follows it.
        public let offer: String?
        public let isSelected: Bool
        /// All of it in one text, for VoiceOver. That it is chosen is a trait.
        public let accessibilityLabel: String
    }

    public let state: State
    public let locale: String
    public let isRightToLeft: Bool
    public let title: String?
    public let subtitle: String?
    public let features: [PaywallContent.Feature]
    /// Those of the paywall that the store has, in the paywall's order.
    public let products: [Product]
    public let message: Message?
    public let footnote: String?
    public let mainButton: Button
    /// nil when nothing is left to be restored.
    public let restoreButton: Button?
    /// nil if the paywall has none.
    public let closeButton: Button?
    public let links: [Link]
    public let colors: PaywallColors
    /// Says what happens, for VoiceOver, while ``state`` is loading, buying or restoring; nil in the other states.
    public let activity: String?

    /// True while the store is asked.
    public var isBusy: Bool { activity != nil }
    /// The chosen product; nil if there are none.
    public var selectedProduct: Product? { products.first(where: \.isSelected) }

    /// Whether a button for it is there and enabled.
    public func allows(_ action: Action) -> Bool {
        [mainButton, restoreButton, closeButton].contains { $0?.action == action && $0?.isEnabled == true }
    }
}
