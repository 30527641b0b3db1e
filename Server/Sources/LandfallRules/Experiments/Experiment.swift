// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// An experiment of the configuration: who sees which of several variations. A class, because every decision takes it.
package final class Experiment: Sendable {
    /// The longest names, in bytes.
    package static let longestName = 48
    package static let longestVariation = 32
    static let most = 100
    static let mostVariations = 20
    static let mostOverrides = 200
    static let mostGuardrails = 10
    static let largestWeight: Int64 = 1_000_000
    package static let largestEpoch: Int64 = 1_000_000

    package enum State: String, CaseIterable, Hashable, Sendable {
        /// Assigns nobody: everyone sees the control, apart from overrides.
        case draft
        case live
        /// Assigns nobody any more; everyone sees the promoted variation.
        case stopped
    }

    /// The place of the experiment in its layer: only units whose draw of the layer is in the range take part.
    package struct Slice: Hashable, Sendable {
        package let layer: Layer
        package let from: Percentage
        package let to: Percentage

        package var buckets: Range<Int> { from.buckets..<to.buckets }
    }

    package struct Guardrail: Hashable, Sendable {
        package let metric: String
        /// The largest harm that is accepted, as a share of the control's value.
        package let harm: Percentage
    }

    package let id: ExperimentID
    /// Its number among the configuration's experiments.
    package let index: Int
    package let state: State
    /// Nil if the server counts it.
    package let epoch: Int64?
    package let slice: Slice?
    package let holdout: Holdout?
    /// In the order of the file; the first is the control.
    package let variations: [Variation]
    /// The variations of certain units, by their numbers.
    package let overrides: [InstallID: Int]
    /// What a stopped experiment shows, by its number.
    package let promoted: Int
    package let primary: String?
    package let guardrails: [Guardrail]
    package let plannedUnits: Int64?
    /// The end of each variation's buckets.
    private let ends: [Int]

    init(
        id: ExperimentID, index: Int = 0, state: State, epoch: Int64? = nil, slice: Slice? = nil, holdout: Holdout? = nil,
        variations: [Variation], overrides: [InstallID: Int] = [:], promoted: Int = 0, primary: String? = nil,
        guardrails: [Guardrail] = [], plannedUnits: Int64? = nil
    ) {
        self.id = id
        self.index = index
        self.state = state
        self.epoch = epoch
        self.slice = slice
        self.holdout = holdout
        self.variations = variations
        self.overrides = overrides
        self.promoted = promoted
        self.primary = primary
        self.guardrails = guardrails
        self.plannedUnits = plannedUnits
        let total = variations.reduce(0) { $0 + $1.weight }
        var sum: Int64 = 0
        ends = variations.map { variation in
            sum += variation.weight
            return total == 0 ? 0 : Int(Int64(Draw.bucketCount) * sum / total)
        }
    }

    /// True if it can assign a unit.
    package var assigns: Bool { state == .live || state == .draft && !overrides.isEmpty }

    /// The variation for units that are not assigned.
    var unassigned: Variation { variations[state == .stopped ? promoted : 0] }

    /// The buckets of a variation: ⌊10⁶·W(i−1)/W⌋ ≤ bucket < ⌊10⁶·W(i)/W⌋, where W(i) is the sum of the first i weights.
    package func buckets(of variation: Int) -> Range<Int> { (variation == 0 ? 0 : ends[variation - 1])..<ends[variation] }

    /// The variation that a bucket draws.
    func variation(at bucket: Int) -> Int {
        var place = 0
        while place < ends.count - 1, bucket >= ends[place] { place += 1 }
        return place
    }

    package func variation(_ name: VariationName) -> Int? { variations.firstIndex { $0.name == name } }

    /// The salt of the draw among the variations.
    package static func salt(_ id: ExperimentID, epoch: Int64) -> String { "\(id.rawValue)#\(epoch)" }
}

/// Buckets that several experiments share, so that no unit is in two of them.
package struct Layer: Hashable, Sendable {
    static let most = 100

    let name: String
    package let salt: String
}

/// A share of all units that sees only controls.
package struct Holdout: Hashable, Sendable {
    static let most = 100

    package let name: String
    package let share: Percentage
}

/// One way of showing a placement.
package struct Variation: Hashable, Sendable {
    package let name: VariationName
    package let weight: Int64
    /// What it shows to units that are assigned to it; nil shows nothing.
    let assigned: Paywall?
    /// The same without the experiment's name in it, for everyone who is not assigned.
    package let plain: Paywall?
    /// The top-level keys of the paywall's remote config that it replaces.
    var replaced: [LocaleCode: [String: JSONValue]] = [:]

    /// True if both show the same, by the names of their paywalls: a paywall's own content may change.
    package func showsTheSame(as other: Variation) -> Bool {
        name == other.name && plain?.id == other.plain?.id && replaced == other.replaced
    }
}

extension Experiment: Equatable {
    package static func == (left: Experiment, right: Experiment) -> Bool {
        left === right
            || left.id == right.id && left.state == right.state && left.epoch == right.epoch && left.slice == right.slice
                && left.holdout == right.holdout && left.variations == right.variations && left.overrides == right.overrides
                && left.promoted == right.promoted && left.primary == right.primary && left.guardrails == right.guardrails
                && left.plannedUnits == right.plannedUnits
    }
}
