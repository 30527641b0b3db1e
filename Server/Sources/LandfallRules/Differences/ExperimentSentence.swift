// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Describes in words what changes inside an experiment: `experiment price: variation B now has weight 20 instead of 50`.
struct ExperimentSentence {
    /// `experiment price`.
    let subject: String
    /// The steps below the experiment: `variations`, `B`, `weight`.
    let rest: [String]

    /// Nil if this change has no special sentence.
    func sentences(_ before: ConfigurationNode?, _ after: ConfigurationNode?) -> [String]? {
        switch (rest.first ?? "", rest.count) {
        case ("variations", 2): variation(before, after)
        case ("variations", 3) where rest[2] != "remoteConfig": variationValue(before, after)
        case ("variations", 3...): remoteConfig(before, after)
        case ("overrides", 1...): overrides(before, after)
        case ("guardrails", 1...2): guardrails(before, after)
        case ("guardrails", 3) where before != nil && after != nil:
            ["\(subject): guardrail \(rest[1].shortened) now has \(rest[2]) \(Self.plain(after)) instead of \(Self.plain(before))"]
        case (let key, 1): value(key, before, after).map { [$0] }
        default: nil
        }
    }

    /// For a new experiment, the facts that people need first.
    static func summary(_ node: ConfigurationNode) -> String {
        var parts = [
            node.text("state")?.shortened, node["layer"].map { "it takes " + range($0) },
            node.text("holdout").map { "without holdout \($0.shortened)" },
        ].compactMap(\.self)
        if case .mapping(let variations)? = node["variations"]?.content {
            parts += variations.map { "variation \($0.key.shortened) has " + facts(of: $0.value) }
        }
        return parts.joined(separator: ", ").cut(toBytes: 4 * ConfigurationSentence.longestValue)
    }

    // MARK: The experiment

    private func value(_ key: String, _ before: ConfigurationNode?, _ after: ConfigurationNode?) -> String? {
        let say = key == "layer" ? Self.range : Self.plain
        let old = before.map(say), new = after.map(say)
        switch key {
        case "state": return told(old, new, "is now", "has no state; it was")
        case "epoch":
            switch (old, new) {
            case (nil, let new?): return "\(subject) is now in epoch \(new); before, the server counted"
            case (let old?, nil): return "\(subject): the server now counts the epoch; it was \(old)"
            default: return told(old, new, "is now in epoch", "")
            }
        case "layer": return told(old, new, "now takes", "now takes every unit; it took")
        case "holdout": return told(old, new, "now leaves out holdout", "no longer leaves out holdout")
        case "promote": return told(old, new, "now promotes variation", "no longer promotes variation")
        case "primary": return told(old, new, "is now judged by metric", "is no longer judged by a metric; it was")
        case "plannedUnits": return told(old, new, "now plans units:", "no longer plans units; it planned", between: ", not")
        default: return nil
        }
    }

    private func told(_ old: String?, _ new: String?, _ now: String, _ gone: String, between: String = " instead of") -> String? {
        switch (old, new) {
        case (nil, let new?): "\(subject) \(now) \(new)"
        case (let old?, nil): "\(subject) \(gone) \(old)"
        case (let old?, let new?): "\(subject) \(now) \(new)\(between) \(old)"
        default: nil
        }
    }

    /// `0% to 50% of layer main`.
    private static func range(_ node: ConfigurationNode) -> String {
        "\(node.text("from")?.shortened ?? "0%") to \(node.text("to")?.shortened ?? "100%") of layer \(node.text("name")?.shortened ?? "?")"
    }

    // MARK: Variations

    private var variation: String { "\(subject): variation \(rest[1].shortened)" }

    private func variation(_ before: ConfigurationNode?, _ after: ConfigurationNode?) -> [String] {
        switch (before, after) {
        case (nil, let after?): ["\(variation) is added; it has \(Self.facts(of: after))"]
        case (let before?, nil): ["\(variation) is removed; it had \(Self.facts(of: before))"]
        default: ["\(variation) changes from \(ConfigurationSentence.said(before)) to \(ConfigurationSentence.said(after))"]
        }
    }

    /// `weight 50 and paywall default`.
    private static func facts(of node: ConfigurationNode) -> String {
        let shown = node.text("paywall").map { "paywall \($0.shortened)" } ?? "nothing to show"
        let more = node["remoteConfig"] == nil ? "" : " with its own remote config"
        return "weight \(plain(node["weight"])) and \(shown)\(more)"
    }

    private func variationValue(_ before: ConfigurationNode?, _ after: ConfigurationNode?) -> [String]? {
        let old = Self.plain(before), new = Self.plain(after)
        switch (rest[2], before, after) {
        case ("weight", _?, _?): return ["\(variation) now has weight \(new) instead of \(old)"]
        case ("paywall", nil, _?): return ["\(variation) now shows paywall \(new)"]
        case ("paywall", _?, nil): return ["\(variation) no longer shows paywall \(old)"]
        case ("paywall", _?, _?): return ["\(variation) now shows paywall \(new) instead of paywall \(old)"]
        case ("nothing", nil, _?): return ["\(variation) now shows nothing"]
        case ("nothing", _?, nil): return ["\(variation) no longer shows nothing"]
        default: return nil
        }
    }

    /// One sentence for each replaced key of each locale.
    private func remoteConfig(_ before: ConfigurationNode?, _ after: ConfigurationNode?) -> [String]? {
        switch (before, after) {
        case (nil, let after?):
            return keys(after).map { "\(variation) now replaces remote config \($0) with \(ConfigurationSentence.said($1))" }
        case (let before?, nil):
            return keys(before).map { "\(variation) no longer replaces remote config \($0); it was \(ConfigurationSentence.said($1))" }
        case (let before?, let after?):
            let name = ConfigurationPath(rest.dropFirst(3)).description
            return ["\(variation): remote config \(name) changes from \(ConfigurationSentence.said(before)) to \(ConfigurationSentence.said(after))"]
        default: return nil
        }
    }

    /// The paths of the keys below the node: a locale's keys where the node is the locale, or has all of them.
    private func keys(_ node: ConfigurationNode) -> [(String, ConfigurationNode)] {
        let way = Array(rest.dropFirst(3))
        guard way.count < 2, case .mapping(let entries) = node.content, !entries.isEmpty else {
            return [(ConfigurationPath(way).description, node)]
        }
        return entries.flatMap { entry in
            ExperimentSentence(subject: subject, rest: rest + [entry.key]).keys(entry.value)
        }
    }

    // MARK: Overrides and guardrails

    private func overrides(_ before: ConfigurationNode?, _ after: ConfigurationNode?) -> [String]? {
        guard rest.count == 2 else { return each(before, after) { $0.overrides($1, $2) } }
        let what = "\(subject): install \(rest[1].shortened)"
        switch (before, after) {
        case (nil, let after?): return ["\(what) now has variation \(Self.plain(after))"]
        case (_?, nil): return ["\(what) has no variation of its own any more; it was \(Self.plain(before))"]
        default: return ["\(what) now has variation \(Self.plain(after)) instead of \(Self.plain(before))"]
        }
    }

    private func guardrails(_ before: ConfigurationNode?, _ after: ConfigurationNode?) -> [String]? {
        guard rest.count == 2 else { return each(before, after) { $0.guardrails($1, $2) } }
        let what = "guardrail \(rest[1].shortened)"
        switch (before, after) {
        case (nil, let after?): return ["\(subject) now has \(what) with harm \(Self.plain(after["harm"]))"]
        case (_?, nil): return ["\(subject) no longer has \(what)"]
        default: return nil
        }
    }

    /// The sentences of all entries, where the whole section is new or gone.
    private func each(
        _ before: ConfigurationNode?, _ after: ConfigurationNode?,
        _ told: (ExperimentSentence, ConfigurationNode?, ConfigurationNode?) -> [String]?
    ) -> [String]? {
        guard before == nil || after == nil, let node = before ?? after else { return nil }
        let entries: [(String, ConfigurationNode)] =
            switch node.content {
            case .mapping(let entries): entries.map { ($0.key, $0.value) }
            case .list(let elements): elements.map { ($0.text("metric") ?? "?", $0) }
            case .scalar: []
            }
        guard !entries.isEmpty else { return nil }
        return entries.flatMap { key, value in
            told(ExperimentSentence(subject: subject, rest: rest + [key]), before.map { _ in value }, after.map { _ in value }) ?? []
        }
    }

    /// Codes and numbers, without quotes.
    private static func plain(_ node: ConfigurationNode?) -> String { node?.text?.shortened ?? ConfigurationSentence.said(node) }
}
