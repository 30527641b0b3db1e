// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallStore

/// Each statement that a cluster refuses is an issue of its own. `script/check citus` reads their lines.
@Suite("A cluster takes every statement", .timeLimit(.minutes(30)))
struct ClusterTests {
    @Test("of the replay, on distributed tables", .enabled(if: TestEngine.isDistributed, "LANDFALL_TEST_DISTRIBUTED is not set"))
    func texts() async throws {
        let store = try await TestStore(isEmbedded: true)
        try await StoreLife.run(in: store)
        // Made with every table, and changed.
        let records = store.database.recorded.filter { record in !["CREATE ", "ALTER "].contains { record.statement.text.hasPrefix($0) } }
        let cluster = try await OwnDatabase()

        var refusals: [String: String] = [:]
        for record in records where refusals[record.statement.text] == nil {
            do {
                try await cluster.engine.write(.bulk, locking: []) { connection in
                    if record.rows == nil { _ = try connection.run(record.statement) } else { _ = try connection.rows(record.statement) }
                }
            } catch let error as DatabaseError {
                refusals[record.statement.text] = error.description
            }
        }

        print("tried texts: \(Set(records.map(\.statement.text)).count)")
        for (text, reason) in refusals.sorted(by: { $0.key < $1.key }) {
            let places = try SourceTexts.places(of: SourceTexts.trimmed(text)).joined(separator: ", ")
            Issue.record("refused text: \(places.isEmpty ? "?" : places): \(reason) \(ShardUse.line(text))")
        }
        #expect(records.count > 200)
    }

    @Test("A statement is found where its longest line stands")
    func places() throws {
        let text = "SELECT install_id FROM former_profile WHERE app_id = $1 AND profile_id = $2 ORDER BY install_id LIMIT $3"

        let places = try SourceTexts.places(of: text)

        #expect(places.count == 1 && places[0].hasPrefix("ProfileReader.swift:"))
        #expect(try SourceTexts.places(of: "VACUUM nowhere").isEmpty)
    }
}
