// SPDX-License-Identifier: Apache-2.0
import SystemCalls
import Testing

@testable import LandfallPostgres
@testable import LandfallStore

extension PostgresTests {
    @Suite("A database that does not suit is refused, with the line that mends it")
    struct CheckTests {
        private func refusal(of url: String) async throws -> DatabaseError? {
            await #expect(throws: DatabaseError.self) { try await PostgresDatabase.open(PostgresAddress(url), limits: .wide) }
        }

        @Test(
            "A collation that is not by bytes",
            arguments: [
                "ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en' LC_COLLATE 'C' LC_CTYPE 'C'",
                "ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'",
            ])
        func collation(options: String) async throws {
            let started = try #require(OwnServer.current)

            let error = try await refusal(of: started.server.database(options))
            guard case .unsuitable(let text, let remedy)? = error else {
                return #expect(Bool(false), "\(String(describing: error))")
            }

            #expect(text.contains("collation") || text.contains("encoding"))
            #expect(remedy.hasPrefix("CREATE DATABASE landfall"))
            let name = options.contains("ICU") ? "mended_i" : "mended_a"
            let statement = remedy.replacing("DATABASE landfall", with: "DATABASE \(name)").replacing(";", with: "")
            try PostgresConnection(test: started.url).run([Statement(statement)])
            let mended = started.url.replacing(/postgres:\/\/\/\w+/, with: "postgres:///\(name)")
            await (try await PostgresDatabase.open(PostgresAddress(mended), limits: .wide)).close()
        }

        @Test("Commits that are answered before they are on disk")
        func commits() async throws {
            let started = try #require(OwnServer.current)
            let url = try await started.server.database()
            let name = try #require(url.firstMatch(of: /d\w{8}/)?.output)
            _ = try await started.server.psql("ALTER DATABASE \(name) SET synchronous_commit = off;")

            guard case .unsuitable(_, let remedy)? = try await refusal(of: url) else {
                return #expect(Bool(false), "another error")
            }
            _ = try await started.server.psql(remedy)

            await (try await PostgresDatabase.open(PostgresAddress(url), limits: .wide)).close()
        }

        @Test(
            "No database, no server, and a wrong user are errors that name the server and no password; only a server that is away may come back",
            arguments: [
                ("postgres://u:secret@/nowhere?host=/nowhere", true), ("postgres://u:secret@127.0.0.1:1/d", true),
                ("SERVER/nowhere", false), ("SERVER/postgres&user=nobody", false), ("SERVER/postgres&sslmode=some", false),
            ])
        func connecting(url: String, mayPass: Bool) async throws {
            let started = try #require(OwnServer.current)
            let parts = url.split(separator: "&", maxSplits: 1)
            let full =
                url.hasPrefix("SERVER")
                ? parts[0].replacing("SERVER", with: "postgres://postgres:secret@") + "?host=\(started.server.folder)"
                    + parts.dropFirst().map { "&\($0)" }.joined()
                : url

            let error = try await refusal(of: full)

            guard case .cannotConnect? = error else { return #expect(Bool(false), "\(String(describing: error))") }
            #expect(error?.description.contains("secret") == false)
            #expect(error?.mayPass == mayPass, "\(String(describing: error))")
        }
    }
}

@Suite("What a database must be")
struct PostgresFactTests {
    private static let good: [String: String] = [
        "name": "d", "is_standby": "false", "fsync": "on", "full_page_writes": "on", "synchronous_commit": "on",
        "encoding": "UTF8",
        "collation": "C", "provider": "c", "sorts_by_bytes": "true",
    ]

    private func refusal(_ changes: [String: String]) -> DatabaseError? {
        let facts = Self.good.merging(changes) { $1 }
        return PostgresChecks.refusal(Row(columns: Array(facts.keys), values: facts.values.map { .text($0) }))
    }

    @Test(
        "Each fact that does not hold is named with its remedy",
        arguments: [
            (["is_standby": "true"], "standby"), (["fsync": "off"], "ALTER SYSTEM SET fsync = on"),
            (["full_page_writes": "off"], "ALTER SYSTEM SET full_page_writes = on"),
            (["synchronous_commit": "off", "name": "a\"b"], "ALTER DATABASE \"a\"\"b\" SET synchronous_commit = on;"),
            (["encoding": "LATIN1"], "ENCODING 'UTF8'"), (["collation": "en_US.UTF-8"], "LC_COLLATE 'C'"),
            (["provider": "i", "sorts_by_bytes": "false"], "LC_COLLATE 'C'"),
        ])
    func refused(changes: [String: String], text: String) {
        #expect(refusal(changes)?.description.contains(text) == true)
    }

    @Test(
        "Everything that sorts by bytes and keeps commits is taken",
        arguments: [
            [:], ["collation": "C.UTF-8"], ["collation": "POSIX"], ["provider": "b", "collation": "x"],
            ["synchronous_commit": "remote_apply"],
        ])
    func taken(changes: [String: String]) {
        #expect(refusal(changes) == nil)
    }
}
