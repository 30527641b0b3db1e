// SPDX-License-Identifier: Apache-2.0

/// The audiences of a placement as one flat list of comparisons, each with two places to go on: `all`, `any` and `not` are gone,
/// and so is every look-up of a name. Deciding walks forward through the list and allocates nothing.
///
/// A comparison whose value is on its way is taken as failed for what is *certain* and as passed for what is *possible*. With
/// `not` moved down to the comparisons these two walks are Kleene's three values: certain is yes, not even possible is no, and
/// what lies between is unknown.
final class AudienceProgram: Sendable {
    /// One comparison, for who asks why.
    struct Leaf: Hashable, Sendable {
        let test: ConditionTest
        /// Where it stands in its audience, with the names of segments.
        let path: String
    }

    /// One comparison, for who decides. Going on at `-1 - n` is the end: audience `n` matches, the number of audiences means none.
    struct Instruction: BitwiseCopyable, Sendable {
        var check: ConditionCheck
        var kind: Cell.Kind
        /// The rule asks that the comparison fails.
        var isNegated: Bool
        /// What makes the value unknown while it is on its way.
        var changedBy: UInt8
        /// Of an attribute that every install has a cell for; below 0 for a custom one, whose name is a constant.
        var cell: Int32
        var name: UInt32
        var pass: Int32
        var fail: Int32
        /// What is compared with: constants from here on.
        var first: UInt32
        /// How many; of versions which ends there are, see ``VersionEnds``.
        var count: UInt32
    }

    let instructions: FixedArray<Instruction>
    let constants: FixedArray<Cell>
    let bytes: FixedArray<UInt8>
    /// Of each instruction.
    let leaves: [Leaf]
    /// Of each audience: where it begins; its instructions follow each other.
    private let entries: [Int32]
    private let ranges: [Range<Int>]

    init(_ audiences: [Condition]) {
        var compiler = AudienceCompiler()
        let compiled = compiler.compile(audiences)
        instructions = FixedArray(compiled.instructions)
        constants = FixedArray(compiler.constants)
        bytes = FixedArray(compiler.bytes)
        leaves = compiled.leaves
        entries = compiled.entries
        ranges = compiled.ranges
    }

    /// How many audiences there are.
    var count: Int { entries.count }

    /// The comparisons of one audience, in the order of the file.
    func comparisons(of audience: Int) -> Range<Int> { ranges[audience] }

    /// The first audience that matches now, or the number of audiences.
    /// - Returns: final where what is pending cannot change that.
    func first(matching facts: AudienceFacts, pending: Pending) -> (audience: Int, isFinal: Bool) {
        var trace = NoTrace()
        return first(matching: facts, pending: pending, &trace)
    }

    /// The same, telling the trace of each comparison that decided it.
    func first(
        matching facts: AudienceFacts, pending: Pending, _ trace: inout some DecisionTrace
    ) -> (audience: Int, isFinal: Bool) {
        guard let entry = entries.first else { return (0, true) }
        return withExtendedLifetime(facts) {
            let decision = Decider(self, facts, pending: pending)
            let certain = decision.run(from: entry, takesUnknownAs: false, &trace)
            guard !pending.isEmpty else { return (certain, true) }
            return (certain, decision.run(from: entry, takesUnknownAs: true, &trace) == certain)
        }
    }

    /// What one audience is for an install, whatever stands above it.
    func truth(of audience: Int, _ facts: AudienceFacts, pending: Pending) -> Truth {
        var trace = NoTrace()
        // Whoever fails goes on with the next audience, so what comes out tells only whether it was this one.
        let stop = Int32(ranges[audience].upperBound)
        return withExtendedLifetime(facts) {
            let decision = Decider(self, facts, pending: pending)
            if decision.run(from: entries[audience], takesUnknownAs: false, before: stop, &trace) == audience { return .yes }
            return decision.run(from: entries[audience], takesUnknownAs: true, before: stop, &trace) == audience ? .unknown : .no
        }
    }

    /// One comparison by itself.
    func outcome(of comparison: Int, _ facts: AudienceFacts, pending: Pending) -> ComparisonOutcome {
        precondition(comparison < instructions.count, "There is no comparison \(comparison).")
        return withExtendedLifetime(facts) {
            Decider(self, facts, pending: pending).outcome(of: instructions.start + comparison)
        }
    }
}

/// Hears of every comparison that a decision makes. Nothing is left of ``NoTrace`` in the machine's code.
protocol DecisionTrace {
    mutating func compared(_ comparison: Int, _ outcome: ComparisonOutcome)
}

struct NoTrace: DecisionTrace {
    @inline(__always)
    mutating func compared(_ comparison: Int, _ outcome: ComparisonOutcome) {}
}

/// What came of a comparison. Only `yes` passes, and only `pending` can still become another.
enum ComparisonOutcome: UInt8, Sendable {
    case no, yes
    /// There is no value.
    case missing
    /// The value is of another type than the rule asks for.
    case unreadable
    /// The value is on its way.
    case pending
}
