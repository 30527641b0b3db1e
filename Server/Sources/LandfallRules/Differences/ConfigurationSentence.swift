// SPDX-License-Identifier: Apache-2.0
import Foundation
package import LandfallWire

/// Describes one difference in words: `paywall default: remote config en.title changes from "A" to "B"`.
package struct ConfigurationSentence {
    /// The most bytes of a value in a sentence.
    package static let longestValue = 80

    private let way: [String]

    init(_ way: [String]) { self.way = way }

    /// One sentence, or several sentences if one value contains several changes.
    func sentences(_ before: ConfigurationNode?, _ after: ConfigurationNode?) -> [String] {
        switch (way.first ?? "", way.count) {
        case ("audiences", 3), ("segments", 3):
            ConditionSentence(subject: subject, key: way[2]).sentences(before, after)
        case ("placements", 3): [shows(before, after)]
        case ("placements", 4) where before != nil && after != nil:
            ["\(subject): \(asked) now sees \(Self.outcome(way[3], after)) instead of \(Self.outcome(way[3], before))"]
        case ("experiments", 3...):
            ExperimentSentence(subject: subject, rest: Array(way.dropFirst(2))).sentences(before, after) ?? [value(before, after)]
        case ("holdouts", 3) where before != nil && after != nil:
            ["\(subject) now keeps out \(after?.text?.shortened ?? "?") of the units instead of \(before?.text?.shortened ?? "?")"]
        case (_, 2) where !isSingle: [entry(before, after)]
        default: [value(before, after)]
        }
    }

    /// The sentence for audiences of a placement that are asked in another order, or for variations of an experiment.
    func order(_ old: [String], _ new: [String]) -> String {
        if way.first == "experiments" {
            return "\(subject): the variations are now in the order \(new.joined(separator: ", ")); it was \(old.joined(separator: ", "))"
        }
        return "\(subject): audiences are now asked in the order \(new.joined(separator: ", ")); it was \(old.joined(separator: ", "))"
    }

    // MARK: The parts of a sentence

    /// `paywall default`, or only the section if the section is not a list of entries.
    private var subject: String {
        guard let section = way.first else { return "the configuration" }
        guard way.count > 1, !isSingle else { return Self.nouns[section] ?? section }
        return "\(Self.nouns[section] ?? section) \(way[1].shortened)"
    }

    private var isSingle: Bool { way.first.map { Self.singles.contains($0) } ?? true }

    /// The audience of a placement's entry.
    private var asked: String { way[2] == "everyone" ? "everyone" : "audience \(way[2].shortened)" }

    private func entry(_ before: ConfigurationNode?, _ after: ConfigurationNode?) -> String {
        switch (before, after) {
        case (nil, let after?): "\(subject) is added" + (Self.summary(way[0], after).map { ": " + $0 } ?? "")
        case (_?, nil): "\(subject) is removed"
        default: "\(subject) changes from \(Self.said(before)) to \(Self.said(after))"
        }
    }

    private func value(_ before: ConfigurationNode?, _ after: ConfigurationNode?) -> String {
        let rest = way.dropFirst(isSingle ? 1 : 2)
        var name = ConfigurationPath(rest).description
        if way.first == "paywalls", name.hasPrefix("remoteConfig") {
            name = "remote config" + name.dropFirst("remoteConfig".count).drop { $0 == "." }.prefixed(" ")
        }
        let what = name.isEmpty ? subject : "\(subject): \(name)"
        switch (before, after) {
        case (nil, let after?): return "\(what) is added: \(Self.said(after))"
        case (let before?, nil): return "\(what) is removed; it was \(Self.said(before))"
        case (let before?, let after?):
            if let parts = Self.parts(before, after) { return "\(what): \(parts)" }
            return "\(what) changes from \(Self.said(before)) to \(Self.said(after))"
        default: return what
        }
    }

    private func shows(_ before: ConfigurationNode?, _ after: ConfigurationNode?) -> String {
        switch (before, after) {
        case (nil, let after?): "\(subject): \(asked) now sees \(Self.outcome(after))"
        case (let before?, nil): "\(subject): \(asked) is no longer asked; it saw \(Self.outcome(before))"
        default: "\(subject): \(asked) now sees \(Self.outcome(after)) instead of \(Self.outcome(before))"
        }
    }

    // MARK: Values

    private static func outcome(_ node: ConfigurationNode?) -> String {
        for key in ["paywall", "experiment", "nothing"] {
            if let value = node?[key] { return outcome(key, value) }
        }
        return said(node)
    }

    private static func outcome(_ key: String, _ value: ConfigurationNode?) -> String {
        switch key {
        case "nothing": "nothing"
        case "paywall", "experiment": "\(key) \(value?.text?.shortened ?? said(value))"
        default: "\(key) \(said(value))"
        }
    }

    /// For a new entry, the facts that people need first.
    private static func summary(_ section: String, _ node: ConfigurationNode) -> String? {
        switch section {
        case "paywalls": node["products"].map { "products \(said($0))" }
        case "audiences", "segments": ConditionSentence.phrase(node)
        case "attributes": node.text
        case "experiments": ExperimentSentence.summary(node)
        case "holdouts": node.text("share").map { "it keeps out \($0.shortened) of the units" }
        case "testDevices": choices(node)
        case "links": node.text("to").map { "it leads to \($0.shortened)" }
        case "placements":
            if case .list(let entries) = node.content {
                entries.map { entry in
                    let name = entry.text("audience") ?? "?"
                    return (name == "everyone" ? name : "audience \(name.shortened)") + " sees \(outcome(entry))"
                }.joined(separator: ", ").cut(toBytes: 4 * longestValue)
            } else {
                nil
            }
        default: nil
        }
    }

    /// The facts of a test device.
    private static func choices(_ node: ConfigurationNode) -> String? {
        var choices = node.text("audience").map { ["it counts as audience \($0.shortened)"] } ?? []
        if case .mapping(let paywalls) = node["paywalls"]?.content {
            choices += paywalls.map { "it sees paywall \($0.value.text?.shortened ?? "?") in placement \($0.key.shortened)" }
        }
        return choices.isEmpty ? nil : choices.joined(separator: ", ").cut(toBytes: 4 * longestValue)
    }

    /// The elements that only one of two lists of plain values has, unless the order of the others changed too.
    private static func parts(_ before: ConfigurationNode, _ after: ConfigurationNode) -> String? {
        guard case .list(let old) = before.content, case .list(let new) = after.content else { return nil }
        let oldTexts = old.compactMap(\.text).map(ExactText.init), newTexts = new.compactMap(\.text).map(ExactText.init)
        guard oldTexts.count == old.count, newTexts.count == new.count else { return nil }
        let oldSet = Set(oldTexts), newSet = Set(newTexts)
        let added = newTexts.filter { !oldSet.contains($0) }, removed = oldTexts.filter { !newSet.contains($0) }
        guard oldTexts.filter(newSet.contains) == newTexts.filter(oldSet.contains), !(added + removed).isEmpty else {
            return "the order is now \(said(after)); it was \(said(before))"
        }
        let listed = { (texts: [ExactText]) in texts.map(\.text.shortened).joined(separator: ", ").cut(toBytes: longestValue) }
        let parts = [
            added.isEmpty ? nil : "\(listed(added)) \(added.count == 1 ? "is" : "are") added",
            removed.isEmpty ? nil : "\(listed(removed)) \(removed.count == 1 ? "is" : "are") removed",
        ]
        return parts.compactMap(\.self).joined(separator: "; ")
    }

    /// A value in a sentence: texts in quotes, lists and objects in one line.
    static func said(_ node: ConfigurationNode?) -> String {
        guard let node else { return "nothing" }
        let text: String
        switch node.content {
        case .scalar(_, isQuoted: false): text = Self.text(of: node.value(isJSON: true))
        case .scalar(let scalar, isQuoted: true): text = Self.text(of: .string(scalar))
        case .list(let elements) where elements.allSatisfy({ $0.text != nil }):
            text = elements.compactMap(\.text).joined(separator: ", ")
        default: text = Self.text(of: node.value(isJSON: true))
        }
        return text.utf8.count > longestValue ? text.cut(toBytes: longestValue) + "…" : text
    }

    /// Compact JSON.
    package static func text(of value: JSONValue) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "…"
    }

    private static let nouns = [
        "paywalls": "paywall", "audiences": "audience", "segments": "segment", "placements": "placement", "links": "link",
        "attributes": "attribute", "keys": "key", "experiments": "experiment", "layers": "layer", "holdouts": "holdout",
        "events": "event", "metrics": "metric", "products": "product", "linkTemplates": "link template", "testDevices": "test device",
    ]

    /// The sections that are not a list of entries.
    package static let singles: Set<String> = [
        "app", "identity", "domains", "linkPages", "deferredLinks", "attribution", "appleAds", "retention", "purchases", "webhooks",
        "accessLevels", "reporting", "exports", "alerts", "signIn",
    ]
}

extension Substring {
    fileprivate func prefixed(_ text: String) -> String { isEmpty ? "" : text + self }
}
