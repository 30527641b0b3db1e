// SPDX-License-Identifier: Apache-2.0
import Foundation
import SystemCalls
import Testing

@testable import LandfallStore

@Suite("One SQL text serves both engines", .timeLimit(.minutes(2)))
struct PostgresReplayTests {
    @Test(
        "A real PostgreSQL answers every recorded text with the same rows and counts, migrations included",
        .enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed (Debian: postgresql)"),
        .embedded("what SQLite answered is compared")
    )
    func replay() async throws {
        let store = try await TestStore()
        try await StoreLife.run(in: store)
        let replay = PostgresReplay(recorded: store.database.recorded)

        let output = try await PostgresServer.with { try await $0.psql(replay.script) }

        let differences = replay.differences(in: output)
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
        #expect(replay.recorded.count > 200)
    }

    @Test("Every text of the server is in the replay")
    func complete() async throws {
        let store = try await TestStore()
        try await StoreLife.run(in: store)
        let recorded = Set(store.database.recorded.map { SourceTexts.trimmed($0.statement.text) })

        let texts = try SourceTexts.lines()

        #expect(texts.count > 20)
        let lacking = texts.filter { text in !recorded.contains { SourceTexts.has(text, in: $0) } }
        #expect(lacking.isEmpty, "add a call that runs it to StoreLife")
    }

    @Test("A text with a part that is put in later is found by what stands around it, and by the line that follows")
    func parts() {
        let source = "let a = \"SELECT \\(names(of: \"p\")) FROM note\"\n  SELECT \\(list.text), id\n    FROM tag WHERE id = $1\n"

        #expect(SourceTexts.lines(of: source) == ["SELECT \\(names(of:", "SELECT \\(list.text), id\nFROM tag WHERE id = $1"])
        #expect(SourceTexts.has("SELECT \\(list.text), id\nFROM tag", in: "SELECT a, b, id\nFROM tag WHERE id = $1"))
        #expect(!SourceTexts.has("SELECT \\(list.text), id\nFROM tag", in: "SELECT a, b, id\nFROM note WHERE id = $1"))
    }

    @Test("A difference is found: another row, another count, no answer")
    func differences() {
        let text = Statement("SELECT id FROM note WHERE id = $1", [.integer(1)])
        let row = Row(columns: ["id"], values: [.integer(1)])
        let replay = PostgresReplay(recorded: [
            RecordedStatement(statement: text, rows: [row], changed: nil),
            RecordedStatement(statement: text, rows: [row], changed: nil),
            RecordedStatement(statement: Statement("DELETE FROM note"), rows: nil, changed: 1),
            RecordedStatement(statement: text, rows: [], changed: nil),
        ])

        let output = "@@statement 0\n1\n@@changed 1\n@@statement 1\n2\n@@changed 1\n@@statement 2\n@@changed 7\n"

        #expect(replay.differences(in: output).count == 3)
    }
}
