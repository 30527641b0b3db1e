// SPDX-License-Identifier: Apache-2.0
import LandfallStore

/// What a database must be before anything is written into it.
enum PostgresChecks {
    /// - Throws: ``LandfallStore/DatabaseError/unsuitable(_:remedy:)`` with the first reason.
    static func run(on connection: PostgresConnection, within limit: Duration) throws(DatabaseError) {
        do throws(PostgresFailure) {
            guard let facts = try connection.flight([(Statement(factsText), .rows)], within: limit)[0].rows.first else { return }
            if let error = refusal(facts) { throw PostgresFailure.final(error) }
        } catch {
            throw error.error
        }
    }

    static func refusal(_ facts: Row) -> DatabaseError? {
        func text(_ column: String) -> String { facts.optionalText(column) ?? "?" }
        let name = "\"\(text("name").replacing("\"", with: "\"\""))\""
        if text("is_standby") == "true" {
            return .unsuitable(
                "it is a standby, which takes no writes",
                remedy: "name the primary, or add target_session_attrs=read-write to the URL")
        }
        for setting in ["fsync", "full_page_writes"] where text(setting) != "on" {
            return .unsuitable(
                "\(setting) is '\(text(setting))', so a crash damages it",
                remedy: "ALTER SYSTEM SET \(setting) = on; SELECT pg_reload_conf();")
        }
        if text("synchronous_commit") == "off" {
            return .unsuitable(
                "synchronous_commit is 'off', so answered commits may be lost",
                remedy: "ALTER DATABASE \(name) SET synchronous_commit = on;")
        }
        let creation = "CREATE DATABASE landfall TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C';"
        if text("encoding") != "UTF8" {
            return .unsuitable("its encoding is '\(text("encoding"))', not UTF8", remedy: creation)
        }
        // Ids, addresses and days are compared and sorted as bytes.
        guard text("sorts_by_bytes") == "true",
            ["C", "POSIX", "C.UTF-8", "C.utf8"].contains(text("collation")) || text("provider") == "b"
        else {
            return .unsuitable(
                "its collation is '\(text("collation"))' (provider '\(text("provider"))'), so texts are sorted otherwise than as bytes",
                remedy: creation)
        }
        return nil
    }

    // The provider of collations came with version 15, under a name that older ones do not have.
    static let factsText = """
        SELECT datname AS name, CAST(pg_is_in_recovery() AS TEXT) AS is_standby,
          current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
          current_setting('synchronous_commit') AS synchronous_commit, pg_encoding_to_char(encoding) AS encoding,
          datcollate AS collation, COALESCE(to_jsonb(d) ->> 'datlocprovider', 'c') AS provider,
          CAST('a' > 'B' AND 'é' > 'z' AS TEXT) AS sorts_by_bytes
        FROM pg_database d WHERE datname = current_database()
        """
}
