// SPDX-License-Identifier: Apache-2.0

/// The audiences of a placement as one flat list of comparisons. Each comparison has two places to continue, so `all`, `any`, `not`
/// and every look-up of a name are gone. A decision walks forward through the list and allocates nothing.
///
/// A comparison whose value is on its way counts as failed for what is *certain*, and as passed for what is *possible*. With
/// `not` moved down to the comparisons, these two walks give Kleene's three values: certain is yes, not possible is no, and
/// everything between them is unknown.
package final class AudienceProgram: Sendable {
    /// One comparison, with what an explanation needs.
    package struct Leaf: Hashable, Sendable {
        package let test: ConditionTest
        /// The place of the comparison in its audience, with the names of segments.
        package let path: String
    }

    /// One comparison, with what a decision needs. A target of `-1 - n` is the end: audience `n` matches; the number of
    /// audiences means that none matches.
    struct Instruction: BitwiseCopyable, Sendable {
        var check: ConditionCheck
        var kind: Cell.Kind
        /// True if the rule needs the comparison to fail.
        var isNegated: Bool
        /// The answers that make the value unknown while they are on their way.
        var changedBy: UInt8
        /// The cell of an attribute that every install has; below 0 for a custom attribute, whose name is a constant.
        var cell: Int32
        var name: UInt32
        var pass: Int32
        var fail: Int32
        /// The place of the first constant of the comparison.
        var first: UInt32
        /// The number of constants; for versions, the ends of the range: see ``VersionEnds``.
        var count: UInt32
    }

    /// One audience: its comparisons follow each other.
    package struct Place: BitwiseCopyable, Sendable {
        /// The index of its first instruction; below 0 if it needs no comparison.
        let entry: Int32
        package let start: Int32
        /// The index after its last instruction.
        package let end: Int32
    }

    let instructions: FixedArray<Instruction>
    let constants: FixedArray<Cell>
    let bytes: FixedArray<UInt8>
    package let audiences: FixedArray<Place>
    let prefilter: AudiencePrefilter
    /// One for each instruction.
    package let leaves: [Leaf]
    /// The answers that can change a value which it compares.
    package let changedBy: Pending

    package init(_ audiences: [Condition]) {
        var compiler = AudienceCompiler()
        let compiled = compiler.compile(audiences)
        instructions = FixedArray(compiled.instructions)
        constants = FixedArray(compiler.constants)
        bytes = FixedArray(compiler.bytes)
        self.audiences = FixedArray(compiled.audiences)
        prefilter = AudiencePrefilter(compiler.requirements, constants: compiler.constants, audiences: audiences.count)
        leaves = compiled.leaves
        changedBy = compiled.instructions.reduce(into: .nothing) { $0.formUnion(Pending(rawValue: $1.changedBy)) }
    }

    /// The number of audiences.
    package var count: Int { audiences.count }

    /// The comparisons of one audience, in the order of the file.
    package func comparisons(of audience: Int) -> Range<Int> { Int(audiences[audience].start)..<Int(audiences[audience].end) }

    /// The first audience that matches now, or the number of audiences.
    /// - Returns: final if a pending answer cannot change the audience.
    func first(matching facts: AudienceFacts, pending: Pending) -> (audience: Int, isFinal: Bool) {
        withExtendedLifetime(facts) { Decider(self, facts, pending: pending).first(by: prefilter) }
    }

    /// The same decision by all comparisons on the way, without the prefilter; it reports each of them to the trace.
    package func first(
        matching facts: AudienceFacts, pending: Pending, _ trace: inout some DecisionTrace
    ) -> (audience: Int, isFinal: Bool) {
        guard count > 0 else { return (0, true) }
        let entry = audiences[0].entry
        return withExtendedLifetime(facts) {
            let decision = Decider(self, facts, pending: pending)
            let certain = decision.run(from: entry, takesUnknownAs: false, &trace)
            guard !pending.isEmpty else { return (certain, true) }
            return (certain, decision.run(from: entry, takesUnknownAs: true, &trace) == certain)
        }
    }

    /// The result of one audience for an install, whatever audiences are above it.
    package func truth(of audience: Int, _ facts: AudienceFacts, pending: Pending) -> Truth {
        withExtendedLifetime(facts) {
            let decision = Decider(self, facts, pending: pending)
            if decision.matches(audience, takesUnknownAs: false) { return .yes }
            return decision.matches(audience, takesUnknownAs: true) ? .unknown : .no
        }
    }

    /// The result of one comparison.
    package func outcome(of comparison: Int, _ facts: AudienceFacts, pending: Pending) -> ComparisonOutcome {
        precondition(comparison < instructions.count, "There is no comparison \(comparison).")
        return withExtendedLifetime(facts) {
            Decider(self, facts, pending: pending).outcome(of: instructions.start + comparison)
        }
    }
}

/// Is told each comparison that a decision makes. The compiler removes ``NoTrace`` from the machine code.
package protocol DecisionTrace {
    mutating func compared(_ comparison: Int, _ outcome: ComparisonOutcome)
}

struct NoTrace: DecisionTrace {
    @inline(__always)
    mutating func compared(_ comparison: Int, _ outcome: ComparisonOutcome) {}
}

/// The result of a comparison. Only `yes` passes, and only `pending` can still become another result.
package enum ComparisonOutcome: UInt8, Sendable {
    case no, yes
    /// The install has no such value.
    case missing
    /// The value is of another type than the rule needs.
    case unreadable
    /// The value is on its way.
    case pending
}
