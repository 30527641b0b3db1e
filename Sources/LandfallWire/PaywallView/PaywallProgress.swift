// SPDX-License-Identifier: Apache-2.0

/// What has happened on the ready paywall so far: what the store has said, and what the person has done.
public struct PaywallProgress: Hashable, Sendable {
    /// What the store has said about the products.
    public enum Store: Hashable, Sendable {
        case loading
        case loaded([StoreProduct])
        case failed
    }

    /// The last thing that the person did, and what became of it.
    public enum Step: Hashable, Sendable, CaseIterable {
        case choosing
        case buying, pending, purchased, purchaseFailed
        case restoring, restored, nothingRestored, restoreFailed
    }

    public var store: Store
    public var step: Step
    /// The product that the person has chosen; nil: none yet.
    public var selected: String?

    public init(store: Store = .loading, step: Step = .choosing, selected: String? = nil) {
        self.store = store
        self.step = step
        self.selected = selected
    }

    /// The store, or the person, is asked: nothing else can begin.
    var isBusy: Bool { step == .buying || step == .restoring }

    /// Nothing is left to be bought.
    var isOver: Bool { step == .pending || step == .purchased || step == .restored }
}
