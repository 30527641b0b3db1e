// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
public import Landfall
public import SwiftUI

/// A paywall that is ready to be shown: texts, products with the store's prices, purchase and restore. Remote config says what is on
/// it (`docs/features/paywall-view.md` lists the keys), and a ``PaywallStyle`` how it looks.
/// ```swift
/// .sheet(item: $offer) { shown in LandfallPaywallView(shown, store: store) }
/// ```
/// It records the exposure when it appears. If the result shows no paywall, it ends at once.
public struct LandfallPaywallView: View {
    /// How it ended. More may follow.
    public struct End: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let closed = End(rawValue: "closed")
        public static let purchased = End(rawValue: "purchased")
        /// Bought, and waiting for approval.
        public static let pending = End(rawValue: "pending")
        public static let restored = End(rawValue: "restored")
        /// The result shows no paywall.
        public static let nothing = End(rawValue: "nothing")
    }

    @Environment(\.landfallClient) private var surroundingClient
    @Environment(\.drawPaywall) private var draw
    @Environment(\.dismiss) private var dismiss
    @StateObject private var selling = PaywallSelling()

    private let shown: PaywallResult
    private let client: LandfallClient?
    private let store: PaywallStore
    private let onEnd: (@MainActor (End) -> Void)?

    /// - Parameters:
    ///   - shown: the result of a call for a placement.
    ///   - client: counts the exposure; nil takes the one that `.landfallClient(_:)` gave.
    ///   - store: sells.
    ///   - onEnd: takes the paywall off the screen. nil: the view dismisses itself, as in a sheet.
    public init(
        _ shown: PaywallResult, client: LandfallClient? = nil, store: PaywallStore, onEnd: (@MainActor (End) -> Void)? = nil
    ) {
        self.shown = shown
        self.client = client
        self.store = store
        self.onEnd = onEnd
    }

    public var body: some View {
        if let content = shown.paywall?.content {
            let paywall = ReadyPaywall(content, selling.progress)
            draw(PaywallStyleConfiguration(paywall: paywall, onSelect: { select($0) }, onPerform: { perform($0) }))
                .environment(\.layoutDirection, paywall.isRightToLeft ? .rightToLeft : .leftToRight)
                .recordsExposure(shown, in: client)
                .onAppear { (client ?? surroundingClient)?.reportUnusable(content, in: shown) }
                .task(id: Loading(shown: shown, attempt: selling.attempt)) { [selling, shown, store] in
                    await selling.load(shown, from: store)
                }
        } else {
            Color.clear.recordsExposure(shown, in: client).onAppear { end(.nothing) }
        }
    }

    /// The products are loaded for each result, and again after each retry.
    private struct Loading: Hashable {
        let shown: PaywallResult
        let attempt: Int
    }

    // MARK: What the person does

    /// As it is now: a tap may come from what was drawn before.
    private var current: ReadyPaywall? { shown.paywall.map { ReadyPaywall($0.content, selling.progress) } }

    private func select(_ product: String) {
        if current?.allows(.buy) == true { selling.select(product) }
    }

    private func perform(_ action: ReadyPaywall.Action) {
        guard let current, current.allows(action) else { return }
        switch action {
        case .buy:
            guard let product = current.selectedProduct else { return }
            selling.buy(product.id, shown, from: store)
        case .restore: selling.restore(shown, from: store)
        case .retry: selling.retry()
        case .close: end(End(current.state))
        default: break
        }
    }

    private func end(_ how: End) {
        if let onEnd { onEnd(how) } else { dismiss() }
    }
}

extension LandfallPaywallView.End {
    fileprivate init(_ state: ReadyPaywall.State) {
        switch state {
        case .purchased: self = .purchased
        case .pending: self = .pending
        case .restored: self = .restored
        default: self = .closed
        }
    }
}
#endif
