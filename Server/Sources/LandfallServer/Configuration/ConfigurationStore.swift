// SPDX-License-Identifier: Apache-2.0
import Crypto
import LandfallRules
package import LandfallStore

/// Keeps every version of the configuration that was ever served.
package struct ConfigurationStore: Sendable {
    package struct Version: Hashable, Sendable {
        /// Counts from 1.
        package let number: Int64
        package let text: String
        package let publishedAtMs: Int64
        /// Who published it, for people: a user of the machine, the variable of a server key, the file.
        package var author = ""
        /// Why, in the author's words.
        package var message = ""
    }

    /// A version without its text.
    package struct Summary: Hashable, Sendable {
        package let number: Int64
        /// SHA-256 of the text, hexadecimal.
        let hash: String
        package let author: String
        package let message: String
        package let publishedAtMs: Int64
    }

    /// From where a version came.
    enum Source: String, Hashable, Sendable {
        /// The file of `serve --config`.
        case file
        /// A command, or a call of the API.
        case call
    }

    /// A text that is to become a version.
    package struct Draft: Hashable, Sendable {
        let text: String
        package var author = ""
        package var message = ""
        var source = Source.call
    }

    /// What became of a draft.
    enum Publication: Hashable, Sendable {
        case published(Int64)
        /// The newest version has the same text.
        case unchanged(Int64)
        /// Another version has become the newest; 0 if there is none.
        case stale(newest: Int64)
    }

    /// The author of the versions of a file.
    private static let fileAuthor = "landfall serve"

    package let database: any Database

    package init(_ database: any Database) { self.database = database }

    /// Nil in an empty store.
    package func newest() async throws -> Version? {
        try await database.read { try $0.newestConfiguration()?.version }
    }

    /// Nil in an empty store. Reads no text.
    package func newestNumber() async throws -> Int64? {
        try await database.read { try $0.row(Self.newestQuestion) }?.optionalInteger(0)
    }

    package static let newestQuestion = Statement("SELECT MAX(version) AS version FROM configuration")

    /// Nil if there is no such version.
    package func version(_ number: Int64) async throws -> Version? {
        try await database.read { connection in
            try connection.row(
                "SELECT version, text, published_at_ms, author, message FROM configuration WHERE version = $1", [.integer(number)]
            ).map(Version.init)
        }
    }

    /// The newest version up to that one. Any number will do: a phone may have sent it.
    package func version(upTo number: Int64) async throws -> Version? {
        try await database.read { connection in
            let row = try connection.row(
                """
                SELECT version, text, published_at_ms, author, message FROM configuration WHERE version <= $1
                ORDER BY version DESC LIMIT 1
                """, [.integer(number)])
            return try row.map(Version.init)
        }
    }

    /// Those before that number, newest first.
    package func summaries(before number: Int64, limit: Int) async throws -> [Summary] {
        try await summaries(Self.listed, [.integer(number), .integer(Int64(limit))])
    }

    /// Those that were published in that time, newest first.
    package func summaries(publishedMs: Range<Int64>, limit: Int) async throws -> [Summary] {
        try await summaries(
            Self.dated, [.integer(publishedMs.lowerBound), .integer(publishedMs.upperBound), .integer(Int64(limit))])
    }

    private static let listed = """
        SELECT version, hash, author, message, published_at_ms FROM configuration WHERE version < $1
        ORDER BY version DESC LIMIT $2
        """

    static let dated = """
        SELECT version, hash, author, message, published_at_ms FROM configuration WHERE published_at_ms >= $1 AND published_at_ms < $2
        ORDER BY published_at_ms DESC LIMIT $3
        """

    private func summaries(_ text: String, _ values: [SQLValue]) async throws -> [Summary] {
        try await database.read { connection in
            try connection.rows(text, values).map { row in
                Summary(
                    number: try row.integer("version"), hash: try row.text("hash"), author: try row.text("author"),
                    message: try row.text("message"), publishedAtMs: try row.integer("published_at_ms"))
            }
        }
    }

    /// Makes the draft the newest version if `number` is still the newest; 0 means that there is none. A text that equals the
    /// newest version is not stored again.
    /// - Parameters:
    ///   - epochs: of its experiments; those that begin are stored in the same unit.
    ///   - ending: what waits for this publication, marked in the same unit, also with an unchanged text.
    ///   - further: goes with a new version, in the same unit. An unchanged text publishes nothing, so the audit log has no line.
    /// - Throws: ``EpochIsLower``; ``WaitsNoMore``.
    func publish(
        _ draft: Draft, after number: Int64, nowMs: Int64, opening epochs: ExperimentEpochs? = nil, ending: Statement? = nil,
        with further: @escaping @Sendable (Int64) -> [Statement] = { _ in [] }
    ) async throws -> Publication {
        let hash = Self.hash(of: draft.text)
        return try await changing { connection in
            let newest = try connection.newestConfiguration()
            let newestNumber = newest?.version.number ?? 0
            guard newestNumber == number else { return .stale(newest: newestNumber) }
            let isNew = newest?.hash != hash
            if isNew { try connection.add(draft, hash, as: newestNumber + 1, nowMs: nowMs) }
            try epochs?.open(revision: isNew ? newestNumber + 1 : newestNumber, isNew: isNew, nowMs: nowMs, connection)
            if let ending, try connection.run(ending) == 0 { throw WaitsNoMore() }
            guard isNew else { return .unchanged(newestNumber) }
            for statement in further(newestNumber + 1) { try connection.run(statement) }
            return .published(newestNumber + 1)
        }
    }

    /// Nothing was published: the scheduled version that was to be marked in the same unit was cancelled or has failed.
    struct WaitsNoMore: Error, Hashable {}

    /// What became of the text of a file.
    enum FilePublication: Hashable, Sendable {
        /// It is the newest version, now or already.
        case newest(Int64)
        /// The store's version stays.
        case kept(newest: Version, FileKept)
    }

    /// Why the text of a file is not published.
    package enum FileKept: Hashable, Sendable {
        /// Somebody has published by a call since a file was published.
        case publishedSince(isFileChanged: Bool)
        /// It is that version, which a later file has replaced: another node may have the later file.
        case replaced(Int64)
    }

    /// Makes the text of a file the newest version, unless somebody has published since a file was published.
    ///
    /// Nodes with different files publish in turn while a deployment replaces one file after the other, so a text that a later file has
    /// replaced is not published again by itself.
    /// - Parameters:
    ///   - configuration: the text's, whose experiments may begin an epoch, and whose app's audit log has a line about a new version.
    ///   - isOwner: the file wins over what was published by calls.
    ///   - mayGoBack: publishes also a text that a later file has replaced: the operator went back to it.
    /// - Throws: ``EpochIsLower``.
    func publishFile(
        _ text: String, as configuration: Configuration? = nil, isOwner: Bool = false, mayGoBack: Bool = true, nowMs: Int64
    ) async throws -> FilePublication {
        let hash = Self.hash(of: text)
        let epochs: ExperimentEpochs?
        if let configuration, configuration.experiments.contains(where: { $0.state == .live }) {
            epochs = try await self.epochs(of: configuration, text, after: newest())
        } else {
            epochs = nil
        }
        let line = configuration.map { configuration in
            AuditLine(action: .versionPublished, member: Self.fileAuthor, subject: "", network: nil)
                .insertion(into: configuration.app.id, nowMs: nowMs)
        }
        return try await changing { connection in
            let newest = try connection.newestConfiguration()
            if let newest, newest.hash == hash {
                try epochs?.open(revision: newest.version.number, isNew: false, nowMs: nowMs, connection)
                return .newest(newest.version.number)
            }
            if let newest, !mayGoBack || newest.source == .call && !isOwner {
                let last = try connection.row(
                    "SELECT hash FROM configuration WHERE source = 'file' ORDER BY version DESC LIMIT 1")
                let isChanged = try last?.text("hash") != hash
                if !mayGoBack, isChanged,
                    let earlier = try connection.row(
                        "SELECT MAX(version) AS version FROM configuration WHERE source = 'file' AND hash = $1", [.text(hash)]
                    )?.optionalInteger("version")
                {
                    return .kept(newest: newest.version, .replaced(earlier))
                }
                if newest.source == .call, !isOwner { return .kept(newest: newest.version, .publishedSince(isFileChanged: isChanged)) }
            }
            let number = (newest?.version.number ?? 0) + 1
            let draft = Draft(text: text, author: Self.fileAuthor, source: .file)
            try connection.add(draft, hash, as: number, nowMs: nowMs)
            try epochs?.open(revision: number, nowMs: nowMs, connection)
            for statement in line?(number) ?? [] { try connection.run(statement) }
            return .newest(number)
        }
    }

    /// Numbers follow each other: two publications at the same time take turns.
    private func changing<Value: Sendable>(
        _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value {
        try await database.write(.interactive, locking: [.store], body)
    }

    package static func hash(of text: String) -> String {
        SHA256.hash(data: Array(text.utf8)).hexadecimal
    }
}

extension ReadConnection {
    fileprivate func newestConfiguration() throws -> (
        version: ConfigurationStore.Version, hash: String, source: ConfigurationStore.Source
    )? {
        let row = try row(
            """
            SELECT version, text, published_at_ms, author, message, hash, source FROM configuration
            ORDER BY version DESC LIMIT 1
            """)
        guard let row else { return nil }
        return (
            try ConfigurationStore.Version(row), try row.text("hash"), ConfigurationStore.Source(rawValue: try row.text("source")) ?? .call
        )
    }
}

extension WriteConnection {
    fileprivate func add(_ draft: ConfigurationStore.Draft, _ hash: String, as number: Int64, nowMs: Int64) throws {
        tell(.configuration)
        try run(
            """
            INSERT INTO configuration (version, text, hash, published_at_ms, author, message, source)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                .integer(number), .text(draft.text), .text(hash), .integer(nowMs), .text(draft.author), .text(draft.message),
                .text(draft.source.rawValue),
            ])
    }
}

extension ConfigurationStore.Version {
    fileprivate init(_ row: Row) throws {
        number = try row.integer("version")
        text = try row.text("text")
        publishedAtMs = try row.integer("published_at_ms")
        author = try row.text("author")
        message = try row.text("message")
    }
}
