// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallWire

/// One version, and what it says differently than another one.
struct VersionDocument: Encodable {
    let version: Int64
    let author: String
    let message: String
    let publishedAtMilliseconds: Int64
    /// Null for the first version.
    let against: Int64?
    let changes: [ConfigurationChange]
    let changesLeftOut: Int

    init(_ version: ConfigurationStore.Version, against base: ConfigurationStore.Version?) {
        self.version = version.number
        (author, message, publishedAtMilliseconds) = (version.author, version.message, version.publishedAtMs)
        against = base?.number
        let changes = ConfigurationChanges(
            from: base.flatMap { VersionPublisher.root(of: $0.text) }, to: VersionPublisher.root(of: version.text))
        self.changes = changes.listed
        changesLeftOut = changes.unlisted
    }

    private enum CodingKeys: CodingKey { case version, author, message, publishedAtMilliseconds, against, changes, changesLeftOut }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(author, forKey: .author)
        try container.encode(message, forKey: .message)
        try container.encode(publishedAtMilliseconds, forKey: .publishedAtMilliseconds)
        // This field is always written.
        try container.encode(against, forKey: .against)
        try container.encode(changes, forKey: .changes)
        try container.encode(changesLeftOut, forKey: .changesLeftOut)
    }
}
