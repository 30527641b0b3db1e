// SPDX-License-Identifier: Apache-2.0

/// The part of an experiment that its results need: its variations, its metrics and its epochs.
package struct CountedExperiment: Hashable, Sendable {
    /// What a unit may do within a window after its first exposure.
    package struct Metric: Hashable, Sendable {
        package var name: String
        package var windowMs: Int64
        /// Nil if it is counted; else a sentence that says why it is not.
        package var missing: String?
        /// Whether units have an amount of money each, in place of a conversion.
        package var isMoney: Bool

        package init(name: String, windowMs: Int64, missing: String? = nil, isMoney: Bool = false) {
            (self.name, self.windowMs, self.missing, self.isMoney) = (name, windowMs, missing, isMoney)
        }

        package var isMeasured: Bool { missing == nil }
    }

    /// Units that were drawn by the same weights.
    package struct Epoch: Hashable, Sendable {
        package var number: Int64
        /// Nil in a draft.
        package var startedAtMs: Int64?
        /// One for each variation; 0 if it did not take part.
        var weights: [Double]

        package init(number: Int64, startedAtMs: Int64?, weights: [Double]) {
            (self.number, self.startedAtMs, self.weights) = (number, startedAtMs, weights)
        }
    }

    package struct Guarded: Hashable, Sendable {
        /// The index in ``metrics``.
        package var metric: Int
        package var bound: Guardrail

        package init(metric: Int, bound: Guardrail) { (self.metric, self.bound) = (metric, bound) }
    }

    package var name: String
    /// `draft`, `live` or `stopped`.
    var state: String
    /// In order; the first is the control.
    package var variations: [String]
    /// Whether a variation shows no paywall: then all units with a decision are compared.
    package var showsNothing = false
    package var plannedUnits = ConfidenceSequence.usualPlannedUnits
    /// By their indices.
    package var epochs: [Epoch]
    /// The first is the primary one.
    package var metrics: [Metric]
    package var guardrails: [Guarded] = []
    /// The indices of secondary metrics in ``metrics``.
    package var secondaries: [Int] = []
    /// Of all amounts of money; nil if no metric counts them.
    package var currency: String?

    package init(name: String, state: String, variations: [String], epochs: [Epoch], metrics: [Metric]) {
        (self.name, self.state, self.variations, self.epochs) = (name, state, variations, epochs)
        self.metrics = metrics
    }

    func epoch(_ number: Int64) -> Epoch? { epochs.first { $0.number == number } }

    /// How many epochs before the newest count although this store has not opened them, because another store may have opened them.
    static let mostUnknown: Int64 = 32

    /// The epochs whose units count. Phones say the epoch of a unit that they bring, so a number above the newest epoch counts nothing,
    /// and the number of epochs stays small whatever phones say.
    package var countedEpochs: [ClosedRange<Int64>] {
        guard let newest = epochs.last?.number else { return [] }
        let near = newest - Self.mostUnknown...newest
        return epochs.map(\.number).filter { !near.contains($0) }.map { $0...$0 } + [near]
    }

    private func counts(epoch number: Int64) -> Bool {
        guard let newest = epochs.last?.number else { return false }
        return (newest - Self.mostUnknown...newest).contains(number) || epoch(number) != nil
    }

    /// The index of a variation whose units are compared. Nil for one that the experiment no longer has, for one that had no
    /// weight in this epoch, because its units have nothing to be compared with, and in an epoch that does not count.
    package func place(of variation: String, in number: Int64) -> Int? {
        guard counts(epoch: number), let place = variations.firstIndex(where: { $0.utf8.elementsEqual(variation.utf8) }) else { return nil }
        if let known = epoch(number), known.weights[place] <= 0 { return nil }
        return place
    }

    /// Unix days in UTC. Nil before the first epoch.
    package var firstDay: Int64? { epochs.compactMap(\.startedAtMs).min().map(Self.day) }

    package static let dayMs: Int64 = 86_400_000

    package static func day(_ atMs: Int64) -> Int64 { atMs >= 0 ? atMs / dayMs : (atMs - dayMs + 1) / dayMs }

    /// When a unit was first exposed. A unit that saw a paywall had a decision, even if that event was lost.
    package static func exposedAtMs(shownAtMs: Int64?, decidedAtMs: Int64?, _ basis: ExperimentNumbers.Basis) -> Int64? {
        switch basis {
        case .shown: shownAtMs
        case .decided: [shownAtMs, decidedAtMs].compactMap { $0 }.min()
        }
    }

    /// Whether something at this time counts for a unit: from its first exposure on, before the window is over.
    package static func counts(_ atMs: Int64, since exposedAtMs: Int64, windowMs: Int64) -> Bool {
        atMs >= exposedAtMs && atMs - exposedAtMs < windowMs
    }
}
