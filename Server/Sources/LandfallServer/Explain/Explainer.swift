// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// Explains a placement's decision with the program that makes it.
struct Explainer {
    let placement: Placement
    /// The install, with what it has in experiments, and the configuration that decides.
    let install: Install
    let snapshot: Snapshot
    let facts: AudienceFacts
    let pending: Pending
    /// The test device that the configuration names for this install.
    var testDevice: TestDevice?
    /// Attributes whose value was stored when the paywall was shown; nil if every value is the present one.
    var kept: Set<String>?

    /// The decision that serving makes: it uses what is known now, even if more values are on their way.
    var decision: Decision { varied(choice ?? matching) }

    /// How the experiment of the chosen entry decided; nil without one.
    var drawing: Explanation.Drawing? {
        guard let experiment = (choice ?? matching).experiment else { return nil }
        return Explanation.Drawing(experiment, outcome(of: experiment), of: install, epoch: snapshot.epochs[experiment.index])
    }

    private func outcome(of experiment: Experiment) -> ExperimentOutcome {
        snapshot.outcome(of: experiment, for: install, isTestDevice: testDevice != nil)
    }

    private func varied(_ decision: Decision) -> Decision {
        var decision = decision
        if let experiment = decision.experiment { decision.take(outcome(of: experiment).assigned, locale: nil) }
        return decision
    }

    /// The choice of the audiences.
    private var matching: Decision { placement.decide(locale: nil, facts: facts, pending: .nothing) }

    /// The configuration's choice for a test device, whichever audience matches.
    private var choice: Decision? { testDevice.flatMap { placement.choice(for: $0, instead: matching, locale: nil) } }

    var isFinal: Bool { choice != nil || placement.decide(locale: nil, facts: facts, pending: pending).isFinal }

    var test: Explanation.TestDevice? {
        testDevice.map { device in
            let step: Explanation.TestDevice.Step? = choice == nil ? nil : device.paywalls[placement.id] == nil ? .audience : .paywall
            let place = step.map { $0 == .paywall ? "paywalls.\(placement.id.rawValue)" : "audience" }
            return Explanation.TestDevice(
                name: device.name, step: step, reason: place.map { "testDevices.\(device.name).\($0)" }, instead: .init(varied(matching)))
        }
    }

    /// True for Apple's answer in developer mode.
    var isTestPayload: Bool { facts.values.value(of: .known(.attributionTest)) == .bool(true) }

    var audiences: [Explanation.Audience] {
        let program = placement.program
        var heard = MadeComparisons()
        let chosen = program.first(matching: facts, pending: .nothing, &heard).audience
        let listed = placement.offers.enumerated().map { index, offer in
            Explanation.Audience(
                audience: offer.audience.id.rawValue, result: .init(program.truth(of: index, facts, pending: pending)),
                reached: index == chosen || program.comparisons(of: index).contains { heard.comparisons.contains($0) },
                conditions: program.comparisons(of: index).map { condition($0) })
        }
        let everyone = Explanation.Audience(
            audience: AudienceID.everyone.rawValue, result: .yes, reached: chosen == program.count, conditions: [])
        return listed + [everyone]
    }

    private func condition(_ comparison: Int) -> Explanation.Condition {
        let leaf = placement.program.leaves[comparison]
        let outcome = placement.program.outcome(of: comparison, facts, pending: pending)
        let isKept = kept?.contains(leaf.test.subject.name) ?? false
        return Explanation.Condition(
            path: leaf.path, attribute: leaf.test.subject.name, operator: leaf.test.symbol.rawValue, expected: leaf.test.expected,
            value: leaf.test.value(in: facts.values), result: outcome.answer, reason: outcome.reason, valueIs: isKept ? .then : .now)
    }
}

/// The comparisons that a decision made.
private struct MadeComparisons: DecisionTrace {
    var comparisons: Set<Int> = []

    mutating func compared(_ comparison: Int, _ outcome: ComparisonOutcome) { comparisons.insert(comparison) }
}

extension ComparisonOutcome {
    fileprivate var answer: Explanation.Answer { self == .yes ? .yes : self == .pending ? .unknown : .no }

    fileprivate var reason: Explanation.Reason {
        switch self {
        case .yes, .no: .compared
        case .missing: .missing
        case .unreadable: .type
        case .pending: .pending
        }
    }
}

extension Explanation.Answer {
    fileprivate init(_ truth: Truth) {
        switch truth {
        case .yes: self = .yes
        case .no: self = .no
        case .unknown: self = .unknown
        }
    }
}

extension ConditionTest {
    /// The expected value in the form of the file.
    fileprivate var expected: JSONValue {
        func listed(_ values: [JSONValue]) -> JSONValue {
            let isSingle = [.isEqual, .isNot, .below, .atMost, .above, .atLeast].contains(symbol)
            return isSingle ? values.first ?? .null : .array(values)
        }
        switch operand {
        case .texts(let texts): return listed(texts.map { .string($0) })
        case .numbers(let numbers): return listed(numbers.map { .number($0) })
        case .instants(let instants): return listed(instants.map { .string($0.description) })
        case .span(let span): return .string(span.description)
        case .flag(let flag): return .bool(flag)
        case .share(let salt, let from, let to):
            return .object(["of": .string(salt), "from": .string(from.description), "to": .string(to.description)])
        }
    }

    /// For a share, the value says where the draw places the install.
    fileprivate func value(in values: FactValues) -> JSONValue? {
        let value = values.value(of: subject)
        guard case .share(let salt, _, _) = operand, case .string(let unit) = value else { return value }
        let draw = Draw(namespace: "audience", salt: salt, unit: unit)
        return .object(["unit": .string(unit), "u": .string(draw.hexadecimal), "bucket": .integer(Int64(draw.bucket))])
    }
}
