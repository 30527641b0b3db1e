// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

extension ChangeMeaning {
    /// The most bytes of a new entry's value.
    private static let longestEntry = 320
    /// The sections whose new entries are told with their values.
    private static let told: Set = [
        "paywalls", "audiences", "segments", "placements", "experiments", "attributes", "holdouts", "testDevices", "links",
    ]

    /// Nil where only the sentence tells the change.
    init?(_ change: ConfigurationChange) {
        let way = change.steps, section = change.section
        guard !way.isEmpty else { return nil }
        let isSingle = ConfigurationSentence.singles.contains(section)
        if way.count == 2, !isSingle, change.before == nil || change.after == nil {
            guard let after = change.after else {
                self = .removed(section: section, name: way[1].shortened)
                return
            }
            self = .added(
                section: section, name: way[1].shortened,
                value: Self.told.contains(section) ? Self.said(after, longest: Self.longestEntry) : nil)
        } else if let before = Self.names(change.before), let after = Self.names(change.after),
            section == "placements" && way.count == 2 || section == "experiments" && way.count == 3 && way[2] == "variations"
        {
            self = .order(section: section, name: way[1].shortened, before: before, after: after)
        } else if section == "placements", way.count == 3 {
            self = .shows(
                placement: way[1].shortened, audience: way[2].shortened, before: change.before.map(Self.outcome),
                after: change.after.map(Self.outcome))
        } else if section == "placements", way.count == 4, let before = change.before, let after = change.after {
            self = .shows(
                placement: way[1].shortened, audience: way[2].shortened, before: Self.outcome(way[3], before),
                after: Self.outcome(way[3], after))
        } else {
            let isEntry = way.count > 1 && !isSingle
            self = .value(
                section: section, name: isEntry ? way[1].shortened : nil,
                path: ConfigurationPath(way.dropFirst(isEntry ? 2 : 1)).description, before: change.before.map { Self.said($0) },
                after: change.after.map { Self.said($0) })
        }
    }

    /// One for each change. A change that is told by several sentences has none: only they say its parts.
    static func all(_ changes: [ConfigurationChange]) -> [ChangeMeaning?] {
        changes.indices.map { index in
            func isSame(_ other: Int) -> Bool { changes.indices.contains(other) && changes[other].steps == changes[index].steps }
            return isSame(index - 1) || isSame(index + 1) ? nil : ChangeMeaning(changes[index])
        }
    }

    private static func outcome(_ value: JSONValue) -> Outcome {
        guard case .object(let members) = value else { return .other(said(value)) }
        for key in ["paywall", "experiment", "nothing"] {
            if let value = members[key] { return outcome(key, value) }
        }
        return .other(said(value))
    }

    private static func outcome(_ key: String, _ value: JSONValue) -> Outcome {
        switch (key, value) {
        case ("paywall", .string(let name)): .paywall(name.shortened)
        case ("experiment", .string(let name)): .experiment(name.shortened)
        case ("nothing", _): .nothing
        default: .other(key + " " + said(value))
        }
    }

    /// Of a list of names alone.
    private static func names(_ value: JSONValue?) -> [String]? {
        guard case .array(let elements)? = value else { return nil }
        var names: [String] = []
        for element in elements {
            guard case .string(let name) = element else { return nil }
            names.append(name.shortened)
        }
        return names
    }

    private static func said(_ value: JSONValue, longest: Int = ConfigurationSentence.longestValue) -> String {
        let text = ConfigurationSentence.text(of: value)
        return text.utf8.count > longest ? text.cut(toBytes: longest) + "…" : text
    }
}
