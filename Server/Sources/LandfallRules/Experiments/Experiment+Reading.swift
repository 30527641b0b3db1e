// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The parts of other sections that experiments refer to.
struct ExperimentContext {
    let paywalls: Named<Paywall>
    /// The section `paywalls` itself: variations replace parts of it.
    let paywallNode: ConfigurationNode?
    let metrics: Set<ExactText>
    let layers: Named<Layer>
    let holdouts: Named<Holdout>
}

extension ConfigurationReader {
    mutating func experiments(_ node: ConfigurationNode, _ context: ExperimentContext) -> Named<Experiment> {
        var experiments = Named<Experiment>()
        let entries = entries(node, of: "'experiments'") ?? []
        if entries.count > Experiment.most {
            note(node.place, "'experiments' has \(entries.count) entries; at most \(Experiment.most) fit. Remove some.")
        }
        var slices = LayerSlices()
        for (index, entry) in entries.prefix(Experiment.most).enumerated() {
            let isName = isName(entry.key, at: entry.keyPlace, of: "An experiment", longest: Experiment.longestName)
            let experiment = experiment(entry, index: index, context)
            if let experiment, let other = slices.add(experiment) {
                note(
                    entry.value["layer"]?.place ?? entry.keyPlace,
                    "The experiment '\(entry.key.shortened)' and the live experiment '\(other.shortened)' overlap in their layer. Give them ranges that do not overlap.")
            }
            experiments.add(entry.key, isName ? experiment : nil)
        }
        return experiments
    }

    private mutating func experiment(
        _ entry: ConfigurationNode.Entry, index: Int, _ context: ExperimentContext
    ) -> Experiment? {
        let what = "The experiment '\(entry.key.shortened)'"
        let fields = fields(
            entry.value, of: what, required: ["state", "variations"],
            optional: ["epoch", "layer", "holdout", "promote", "overrides", "primary", "guardrails", "plannedUnits"])
        guard let fields else { return nil }
        let id = ExperimentID(entry.key)
        let state = choice(fields["state"], "'state'", as: Experiment.State.self)
        let epoch = whole(fields["epoch"], "'epoch'", in: 1...Experiment.largestEpoch)
        let slice = fields["layer"].flatMap { self.slice($0, context.layers) }
        let holdout = reference(fields["holdout"], "holdout", context.holdouts)
        let variations = fields["variations"].flatMap { self.variations($0, of: id, what, context) }
        let names = variations?.map { ExactText($0.name.rawValue) } ?? []
        let overrides = fields["overrides"].map { self.overrides($0, names) } ?? [:]
        let promoted = promoted(fields["promote"], state, entry, names)
        let primary = fields["primary"].flatMap { metric($0, "'primary'", context.metrics) }
        let guardrails = fields["guardrails"].map { self.guardrails($0, context.metrics) } ?? []
        let plannedUnits = whole(fields["plannedUnits"], "'plannedUnits'", in: 1...1_000_000_000)
        guard let state, let variations, !variations.isEmpty else { return nil }
        return Experiment(
            id: id, index: index, state: state, epoch: epoch, slice: slice, holdout: holdout, variations: variations,
            overrides: overrides, promoted: promoted, primary: primary, guardrails: guardrails, plannedUnits: plannedUnits)
    }

    private mutating func slice(_ node: ConfigurationNode, _ layers: Named<Layer>) -> Experiment.Slice? {
        guard let fields = fields(node, of: "'layer'", required: ["name"], optional: ["from", "to"]) else { return nil }
        let layer = reference(fields["name"], "layer", layers)
        let from = fields["from"].map { percentage($0, "'from'") } ?? .zero
        let to = fields["to"].map { percentage($0, "'to'") } ?? .whole
        guard let layer, let from, let to else { return nil }
        guard from < to else {
            note(fields["to"]?.place ?? node.place, "'from' must be below 'to': \(from) to \(to) has no units. Widen the range.")
            return nil
        }
        return Experiment.Slice(layer: layer, from: from, to: to)
    }

    private mutating func overrides(_ node: ConfigurationNode, _ names: [ExactText]) -> [InstallID: Int] {
        let entries = entries(node, of: "'overrides'") ?? []
        if entries.count > Experiment.mostOverrides {
            note(node.place, "'overrides' has \(entries.count) entries; at most \(Experiment.mostOverrides) fit. Remove some.")
        }
        var overrides: [InstallID: Int] = [:]
        for entry in entries.prefix(Experiment.mostOverrides) {
            if !entry.key.isLowerCaseUUID {
                note(
                    entry.keyPlace,
                    "'\(entry.key.shortened)' is not an install id. Copy it from print(landfall.explain()), in lower case.")
            }
            if let variation = variation(entry.value, "The override", names) { overrides[InstallID(entry.key)] = variation }
        }
        return overrides
    }

    private mutating func promoted(
        _ node: ConfigurationNode?, _ state: Experiment.State?, _ entry: ConfigurationNode.Entry, _ names: [ExactText]
    ) -> Int {
        guard let node else { return 0 }
        if let state, state != .stopped {
            note(node.place, "Only a stopped experiment promotes a variation. Write 'state: stopped', or remove 'promote'.")
        }
        return variation(node, "'promote'", names) ?? 0
    }

    /// The index of the variation with this name.
    private mutating func variation(_ node: ConfigurationNode, _ what: String, _ names: [ExactText]) -> Int? {
        guard let name = text(node, what) else { return nil }
        if let number = names.firstIndex(of: ExactText(name)) { return number }
        // If there are no variations, they have problems of their own.
        if !names.isEmpty { _ = isKnown(name, "variation", at: node.place, among: Set(names)) }
        return nil
    }

    private mutating func metric(_ node: ConfigurationNode, _ what: String, _ metrics: Set<ExactText>) -> String? {
        guard let name = text(node, what) else { return nil }
        return isKnown(name, "metric", at: node.place, among: metrics, whereNone: " Declare it under 'metrics'.") ? name : nil
    }

    private mutating func guardrails(_ node: ConfigurationNode, _ metrics: Set<ExactText>) -> [Experiment.Guardrail] {
        var guardrails: [Experiment.Guardrail] = []
        for element in list(node, of: "'guardrails'", most: Experiment.mostGuardrails) ?? [] {
            guard let fields = fields(element, of: "A guardrail", required: ["metric", "harm"]) else { continue }
            let metric = fields["metric"].flatMap { self.metric($0, "'metric'", metrics) }
            let harm = fields["harm"].flatMap { percentage($0, "'harm'") }
            guard let metric, let harm else { continue }
            if guardrails.contains(where: { $0.metric == metric }) {
                note(element.place, "The metric '\(metric)' is here a second time. Keep one of them.")
            } else {
                guardrails.append(Experiment.Guardrail(metric: metric, harm: harm))
            }
        }
        return guardrails
    }

    mutating func whole(_ node: ConfigurationNode?, _ what: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let node, let value = json(node) else { return nil }
        if case .integer(let count) = value, range.contains(count) { return count }
        note(node.place, "\(what) is not a whole number from \(range.lowerBound) to \(range.upperBound). Write one.")
        return nil
    }
}

/// The ranges of live experiments in their layers.
private struct LayerSlices {
    private var taken: [String: [(buckets: Range<Int>, by: String)]] = [:]

    /// - Returns: the live experiment whose range the experiment overlaps, if both are live.
    mutating func add(_ experiment: Experiment) -> String? {
        guard experiment.state == .live, let slice = experiment.slice else { return nil }
        defer { taken[slice.layer.name, default: []].append((slice.buckets, experiment.id.rawValue)) }
        return taken[slice.layer.name]?.first { $0.buckets.overlaps(slice.buckets) }?.by
    }
}
