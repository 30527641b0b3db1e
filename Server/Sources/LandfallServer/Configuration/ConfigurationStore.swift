// SPDX-License-Identifier: Apache-2.0
import Crypto
import LandfallDatabase

/// Keeps every version of the configuration that was ever served.
struct ConfigurationStore: Sendable {
    struct Version: Hashable, Sendable {
        /// Counts from 1.
        let number: Int64
        let text: String
        let publishedAtMs: Int64
    }

    private let database: any Database

    init(_ database: any Database) { self.database = database }

    /// Nil in an empty store.
    func newest() async throws -> Version? {
        try await database.read { try $0.newestConfiguration()?.version }
    }

    /// Nil in an empty store. Reads no text.
    func newestNumber() async throws -> Int64? {
        try await database.read { try $0.row("SELECT MAX(version) AS version FROM configuration")?.optionalInteger("version") }
    }

    /// The newest version before that one.
    func version(before number: Int64) async throws -> Version? {
        try await database.read { connection in
            let row = try connection.row(
                """
                SELECT version, text, hash, published_at_ms FROM configuration WHERE version < $1
                ORDER BY version DESC LIMIT 1
                """, [.integer(number)])
            return try row.map(Version.init)
        }
    }

    /// Makes this text the newest version, and returns it. The text that is already the newest is not stored again.
    func publish(_ text: String, nowMs: Int64) async throws -> Version {
        let hash = SHA256.hash(data: Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        // Numbers follow each other: two that publish at once take turns.
        return try await database.write(.interactive, locking: [RowLock("store", ["name": .text("self")])]) { connection in
            let newest = try connection.newestConfiguration()
            if let newest, newest.hash == hash { return newest.version }
            let version = Version(number: (newest?.version.number ?? 0) + 1, text: text, publishedAtMs: nowMs)
            try connection.run(
                Statement(
                    "INSERT INTO configuration (version, text, hash, published_at_ms) VALUES ($1, $2, $3, $4)",
                    [.integer(version.number), .text(text), .text(hash), .integer(nowMs)]
                ))
            return version
        }
    }
}

extension ReadConnection {
    fileprivate func newestConfiguration() throws -> (version: ConfigurationStore.Version, hash: String)? {
        let row = try row(
            Statement(
                "SELECT version, text, hash, published_at_ms FROM configuration ORDER BY version DESC LIMIT 1"
            ))
        guard let row else { return nil }
        return (try ConfigurationStore.Version(row), try row.text("hash"))
    }
}

extension ConfigurationStore.Version {
    fileprivate init(_ row: Row) throws {
        number = try row.integer("version")
        text = try row.text("text")
        publishedAtMs = try row.integer("published_at_ms")
    }
}
