// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// One difference between two versions of the configuration.
package struct ConfigurationChange: Hashable, Sendable, Codable {
    enum Kind: String, Hashable, Sendable, Codable { case added, removed, changed }

    /// The path of the value that changes: `paywalls.default.remoteConfig.en.title`. A list's element that has a name is found
    /// by the name: `placements.onboarding.spring.paywall`.
    let path: String
    let kind: Kind
    /// Nil if there was no value.
    package let before: JSONValue?
    /// Nil if the value was removed.
    package let after: JSONValue?
    /// The change, described for people: `audience spring now also needs country DE`.
    package let sentence: String
    /// The keys of the path, in order.
    package let steps: [String]

    private enum CodingKeys: CodingKey { case path, kind, before, after, sentence }

    init(kind: Kind, steps: [String], before: JSONValue?, after: JSONValue?, sentence: String) {
        self.kind = kind
        self.steps = steps
        path = ConfigurationPath(steps).description
        (self.before, self.after) = (before, after)
        self.sentence = sentence
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        path = try container.decode(String.self, forKey: .path)
        kind = try container.decode(Kind.self, forKey: .kind)
        before = try container.decodeIfPresent(JSONValue.self, forKey: .before)
        after = try container.decodeIfPresent(JSONValue.self, forKey: .after)
        sentence = try container.decode(String.self, forKey: .sentence)
        steps = []
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(path, forKey: .path)
        try container.encode(kind, forKey: .kind)
        // Both fields are always written: null if there is no value.
        try container.encode(before, forKey: .before)
        try container.encode(after, forKey: .after)
        try container.encode(sentence, forKey: .sentence)
    }

    /// The top-level key of the file.
    package var section: String { steps.first ?? "" }

    /// True if one path is the other, or contains it.
    package func concerns(theSameAs other: ConfigurationChange) -> Bool {
        zip(steps, other.steps).allSatisfy { $0.hasSameBytes(as: $1) }
    }
}

extension ConfigurationPath {
    package init(_ steps: some Sequence<String>) {
        for step in steps {
            // The elements of the team's own lists have their numbers for names.
            if step.first == "[", step.last == "]", let index = Int(step.dropFirst().dropLast()) {
                self.step(into: index)
            } else {
                self.step(into: step)
            }
        }
    }
}
