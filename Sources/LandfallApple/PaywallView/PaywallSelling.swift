// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
#if canImport(Combine)
internal import Combine
#endif
internal import Landfall
internal import SwiftUI

/// What has happened on one ready paywall; it lives as long as the view.
@MainActor final class PaywallSelling: ObservableObject {
    @Published private(set) var progress = PaywallProgress()
    /// Grows when the products are to be loaded again.
    @Published private(set) var attempt = 0
    /// What the progress belongs to.
    private var shown: PaywallResult?

    nonisolated init() {}

    func load(_ shown: PaywallResult, from store: PaywallStore) async {
        if self.shown != shown { progress = PaywallProgress() }
        self.shown = shown
        if case .loaded = progress.store { return }
        progress.store = .loading
        do {
            let products = try await store.products(shown)
            // Another result may be shown by now.
            if !Task.isCancelled, self.shown == shown { progress.store = .loaded(products) }
        } catch {
            guard !Task.isCancelled, self.shown == shown else { return }
            progress.store = .failed
            log("The products of a paywall could not be loaded.", error)
        }
    }

    func select(_ product: String) {
        progress.selected = product
        progress.step = .choosing
    }

    func retry() {
        progress.step = .choosing
        progress.store = .loading
        attempt += 1
    }

    func buy(_ product: String, _ shown: PaywallResult, from store: PaywallStore) {
        begin(.buying, orFail: .purchaseFailed, shown) {
            switch try await store.purchase(product, shown) {
            case .purchased: .purchased
            case .pending: .pending
            case .cancelled: .choosing
            }
        }
    }

    func restore(_ shown: PaywallResult, from store: PaywallStore) {
        begin(.restoring, orFail: .restoreFailed, shown) { try await store.restore() ? .restored : .nothingRestored }
    }

    /// From its return on, a second tap does nothing.
    private func begin(
        _ step: PaywallProgress.Step, orFail failure: PaywallProgress.Step, _ shown: PaywallResult,
        _ asking: @escaping @MainActor () async throws -> PaywallProgress.Step
    ) {
        progress.step = step
        // Not cancelled with the view: a purchase goes on until the store has decided.
        Task {
            var end = failure
            do {
                end = try await asking()
            } catch is CancellationError {
                end = .choosing
            } catch {
                log(step == .buying ? "A purchase failed." : "Purchases could not be restored.", error)
            }
            // Another result may be shown by now; its progress is its own.
            if self.shown == shown { progress.step = end }
        }
    }

    /// The person sees no reason; the developer does.
    private func log(_ what: String, _ error: any Error) {
        LogLine.toUnifiedLog(LogLine(.warning, "LandfallPaywallView: \(what) \(error.inWords)", category: .purchases))
    }
}
#endif
