// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// One thing that a version of the configuration says otherwise than another one.
package struct ConfigurationChange: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, Codable { case added, removed, changed }

    /// The way to what changes: `paywalls.default.remoteConfig.en.title`. Elements of lists that have a name are found by it:
    /// `placements.onboarding.spring.paywall`.
    package let path: String
    package let kind: Kind
    /// Nil where it was not there.
    package let before: JSONValue?
    /// Nil where it is not there any more.
    package let after: JSONValue?
    /// What changes, for people: `audience spring now also needs country DE`.
    package let sentence: String
    /// The keys of the way, one after another.
    let steps: [String]

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
        // Both are always there, null where there is nothing.
        try container.encode(before, forKey: .before)
        try container.encode(after, forKey: .after)
        try container.encode(sentence, forKey: .sentence)
    }

    /// The top-level key of the file.
    var section: String { steps.first ?? "" }

    /// True where one is, or holds, what the other changes.
    func concerns(theSameAs other: ConfigurationChange) -> Bool {
        zip(steps, other.steps).allSatisfy { $0.hasSameBytes(as: $1) }
    }
}

extension ConfigurationPath {
    init(_ steps: some Sequence<String>) {
        for step in steps { self.step(into: step) }
    }
}
