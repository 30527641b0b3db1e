// SPDX-License-Identifier: Apache-2.0
package import LandfallRules

/// What publishing a configuration changed, or would change.
package struct PublishingAnswer: Sendable, Codable {
    /// The version before this one; 0 in an empty store.
    package var base: Int64
    /// The number of the new version; nil if nothing was published.
    package var version: Int64?
    package var changes: [ConfigurationChange]
    /// The number of changes that are not listed; absent if all are listed.
    package var changesLeftOut: Int?
    package var warnings: [ConfigurationRemark] = []
    /// Absent if the version is not for a later time.
    package var scheduled: Scheduled?
    /// The reason why a dry run's text would not be published. Answers have it as a warning.
    package var refusal: PublishingRefusal?

    private enum CodingKeys: CodingKey { case base, version, changes, changesLeftOut, warnings, scheduled }

    package struct Scheduled: Sendable, Codable {
        package let id: String
        package let atMilliseconds: Int64
    }

    init(base: Int64, _ changes: ConfigurationChanges) {
        self.base = base
        self.changes = changes.listed
        changesLeftOut = changes.unlisted > 0 ? changes.unlisted : nil
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(base, forKey: .base)
        // This field is always written: null if nothing was published.
        try container.encode(version, forKey: .version)
        try container.encode(changes, forKey: .changes)
        try container.encodeIfPresent(changesLeftOut, forKey: .changesLeftOut)
        try container.encode(warnings, forKey: .warnings)
        try container.encodeIfPresent(scheduled, forKey: .scheduled)
    }
}

/// A version in a list: a published one, or one that is or was scheduled.
package struct VersionEntry: Sendable, Codable {
    package enum Status: String, Sendable, Codable { case published, scheduled, failed, cancelled }

    /// Null if it was not published.
    package let version: Int64?
    package let author: String
    package let message: String
    /// Null if it was not published.
    package let publishedAtMilliseconds: Int64?
    /// SHA-256 of the file, hexadecimal.
    let hash: String
    package let status: Status
    /// For a scheduled version that has not been published: its id, its time, the version before it, and the reason if it failed.
    package var id: String?
    package var atMilliseconds: Int64?
    var base: Int64?
    package var reason: String?

    package init(_ version: ConfigurationStore.Summary) {
        (self.version, author, message) = (version.number, version.author, version.message)
        (publishedAtMilliseconds, hash, status) = (version.publishedAtMs, version.hash, .published)
    }

    package init(_ scheduled: ScheduledVersion) {
        (version, publishedAtMilliseconds) = (nil, nil)
        (author, message, hash) = (scheduled.draft.author, scheduled.draft.message, scheduled.hash)
        status =
            switch scheduled.state {
            case .waiting: .scheduled
            case .failed: .failed
            case .published, .cancelled: .cancelled
            }
        (id, atMilliseconds, base, reason) = (scheduled.id, scheduled.atMs, scheduled.base, scheduled.reason)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(author, forKey: .author)
        try container.encode(message, forKey: .message)
        try container.encode(publishedAtMilliseconds, forKey: .publishedAtMilliseconds)
        try container.encode(hash, forKey: .hash)
        try container.encode(status, forKey: .status)
        try container.encodeIfPresent(id, forKey: .id)
        try container.encodeIfPresent(atMilliseconds, forKey: .atMilliseconds)
        try container.encodeIfPresent(base, forKey: .base)
        try container.encodeIfPresent(reason, forKey: .reason)
    }
}
