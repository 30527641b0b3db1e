// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallWire

/// An experiment that the file does not have yet, as the form asks for it.
struct NewExperiment {
    /// More can be added in the text of the file.
    static let mostVariations = 4
    static let names = ["A", "B", "C", "D"]

    let changing: ConfigurationFormChange

    init(words: Words, form: [String: String], document: ConfigurationDocument) {
        var named = ConfigurationFormChange(
            words: words, form: form, document: document, section: "experiments", name: "",
            node: ConfigurationNode(place: .start, content: .mapping([])))
        named.name = named.field("name")
        if named.name.isEmpty, !named.field("question").isEmpty {
            named.name = Self.name(from: named.field("question")) { document.entry("experiments", $0) != nil }
        }
        changing = named
    }

    /// What a form shows before anybody has typed: the first paywalls, and the first placement and metric.
    static func usual(_ document: ConfigurationDocument) -> [String: String] {
        let paywalls = document.entries("paywalls").map(\.key), placement = document.entries("placements").first?.key ?? ""
        let metric = document.entries("metrics").first?.key ?? ""
        return [
            "paywall.0": paywalls.first ?? "", "paywall.1": paywalls.dropFirst().first ?? "", "placement": placement,
            "audience": PlacementEntry.everyone, "primary": metric, "effect": "10", "state": metric.isEmpty || placement.isEmpty ? "draft" : "live",
        ]
    }

    /// The ASCII letters and digits of a question, with `-` between its words; one that is not taken.
    static func name(from question: String, isTaken: (String) -> Bool) -> String {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z"), digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let words = question.lowercased().utf8.split { !letters.contains($0) && !digits.contains($0) }
        var base = ""
        for word in words.map({ String(decoding: $0, as: UTF8.self) }) where base.utf8.count + word.utf8.count < 40 {
            base += (base.isEmpty ? "" : "-") + word
        }
        if base.isEmpty { base = "experiment" }
        guard isTaken(base) else { return base }
        return (2...).lazy.map { "\(base)-\($0)" }.first { !isTaken($0) } ?? base
    }

    private var words: Words { changing.words }
    private var document: ConfigurationDocument { changing.document }
    private func field(_ name: String) -> String { changing.field(name) }

    var question: String { field("question") }
    var placement: String { field("placement") }
    var metric: String { field("primary") }
    var audience: String { field("audience").isEmpty ? PlacementEntry.everyone : field("audience") }

    /// The entries of its placement.
    var entries: [ConfigurationNode] { document.entry("placements", placement)?.items ?? [] }

    /// The place of its audience among them.
    var entryIndex: Int? { entries.firstIndex { $0.text("audience")?.hasSameBytes(as: audience) == true } }

    private var chosen: [Int] { (0..<Self.mostVariations).filter { !field("paywall.\($0)").isEmpty } }
    private func name(_ index: Int) -> String { field("variation.\(index)").isEmpty ? Self.names[index] : field("variation.\(index)") }

    /// Nil without a metric: nothing is planned then.
    /// - Parameter served: the metric as the server counts it.
    /// - Throws: see ``ExperimentPlan``.
    func plan(_ served: Metric?, counted: ExperimentPlan.Counted?) throws -> ExperimentPlan? {
        guard let entry = document.entry("metrics", metric) else { return nil }
        let weights = Set(chosen.map { field("weight.\($0)") })
        let question = ExperimentPlan.Question(
            metric: metric, windowDays: served?.windowDays, isMoney: entry.has("revenue"), variations: max(2, chosen.count),
            isEqual: weights.count < 2)
        return try ExperimentPlan(question, counted: counted, changing)
    }

    /// The file with the experiment behind the others, and with it in its placement.
    /// - Throws: a ``ConfigurationFormRefusal``; a ``ConfigurationEditRefusal``.
    func text(_ plan: ExperimentPlan?) throws -> String {
        let told = words.experiments, isLive = field("state") == "live"
        guard !changing.name.isEmpty else { throw ConfigurationFormRefusal("question", told.needsQuestion) }
        guard VersionPublisher.isMessage(question) else {
            throw ConfigurationFormRefusal("question", words.versions.longMessage(VersionPublisher.longestMessage))
        }
        guard document.entry("experiments", changing.name) == nil else { throw ConfigurationFormRefusal("name", words.nameTaken(changing.name)) }
        var members: [ConfigurationValue.Member] = [
            .init(name: "state", value: .text(isLive ? "live" : "draft")), .init(name: "variations", value: .mapping(try variations())),
        ]
        let isKnown = document.entry("metrics", metric) != nil
        guard isKnown || metric.isEmpty && !isLive else { throw ConfigurationFormRefusal("primary", told.chooseMetric) }
        if isKnown { members.append(.init(name: "primary", value: .text(metric))) }
        if let units = plan?.plannedUnits { members.append(.init(name: "plannedUnits", value: .integer(units))) }
        guard !(placement.isEmpty && isLive) else { throw ConfigurationFormRefusal("placement", told.choosePlacement) }
        let made = ConfigurationEdit.set(try changing.path(), to: .mapping(members))
        return try placement.isEmpty ? changing.applied([made]) : placed(made)
    }

    private func variations() throws -> [ConfigurationValue.Member] {
        guard chosen.first == 0, chosen.count > 1 else {
            throw ConfigurationFormRefusal("paywall.\(chosen.first == 0 ? 1 : 0)", words.experiments.needsTwo)
        }
        let isEqual = chosen.allSatisfy { field("weight.\($0)").isEmpty }, equal = Int64(100 % chosen.count == 0 ? 100 / chosen.count : 1)
        var variations: [ConfigurationValue.Member] = []
        for index in chosen {
            let name = name(index), paywall = field("paywall.\(index)")
            guard !variations.contains(where: { $0.name.hasSameBytes(as: name) }) else {
                throw ConfigurationFormRefusal("variation.\(index)", words.twice(name))
            }
            guard document.entry("paywalls", paywall) != nil else {
                throw ConfigurationFormRefusal("paywall.\(index)", words.choosePaywall)
            }
            guard let weight = isEqual ? equal : Int64(field("weight.\(index)")) else {
                throw ConfigurationFormRefusal("weight.\(index)", words.needsWeight)
            }
            let value: [ConfigurationValue.Member] = [.init(name: "weight", value: .integer(weight)), .init(name: "paywall", value: .text(paywall))]
            variations.append(.init(name: name, value: .mapping(value)))
        }
        return variations
    }

    /// The experiment takes the place of what its audience sees; an audience that has no entry gets one, above everyone.
    private func placed(_ made: ConfigurationEdit) throws -> String {
        guard document.entry("placements", placement) != nil else {
            throw ConfigurationFormRefusal("placement", words.experiments.choosePlacement)
        }
        func path(_ steps: [ConfigurationEditPath.Step] = []) throws -> ConfigurationEditPath {
            guard let path = ConfigurationEditPath([.key("placements"), .key(placement)] + steps) else { throw RequestError.notFound }
            return path
        }
        let shown = ConfigurationValue.text(changing.name)
        if let index = entryIndex {
            let setting = ConfigurationEdit.set(try path([.index(index), .key("experiment")]), to: shown)
            guard entries[index].has("paywall") else { return try changing.applied([made, setting]) }
            return try changing.applied([made, setting, .remove(path([.index(index), .key("paywall")]))])
        }
        guard document.entry("audiences", audience) != nil else { throw ConfigurationFormRefusal("audience", words.chooseAudience) }
        let entry = ConfigurationValue.mapping([.init(name: "audience", value: .text(audience)), .init(name: "experiment", value: shown)])
        let added = try changing.applied([made, .set(path([.index(entries.count)]), to: entry)])
        guard entries.last?.text("audience") == PlacementEntry.everyone else { return added }
        return try ConfigurationMove(list: path(), from: entries.count, to: entries.count - 1).applied(to: added)
    }

    /// The field of the form that a problem of the file is about: the name, where nothing nearer is known.
    func field(of problem: ConfigurationProblem) -> String {
        func isIn(_ steps: [String]) -> Bool {
            let start = ConfigurationPath(steps).description
            return problem.path == start || problem.path.hasPrefix(start + ".") || problem.path.hasPrefix(start + "[")
        }
        let entry = ["experiments", changing.name]
        for index in chosen {
            let steps = entry + ["variations", name(index)]
            if isIn(steps + ["weight"]) { return "weight.\(index)" }
            if isIn(steps) { return "variation.\(index)" }
        }
        if isIn(entry + ["variations"]) { return "weight.0" }
        if isIn(entry + ["primary"]) { return "primary" }
        return isIn(["placements", placement]) ? "placement" : "name"
    }
}
