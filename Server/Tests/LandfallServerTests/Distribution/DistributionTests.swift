// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallNode
@testable import LandfallStore

@Suite("Schema and statements keep to the distribution of tables", .timeLimit(.minutes(2)))
struct DistributionTests {
    private static let statements = Schema.migrations.flatMap(\.statements).map(ShardUse.line)

    @Test("Every table of the schema has one place, and there is no other table")
    func places() {
        let made = Self.statements.compactMap { $0.firstMatch(of: #/^CREATE TABLE ([a-z_]+)/#).map { String($0.1) } }

        #expect(made.sorted() == Distribution.tables.map(\.name).sorted())
        #expect(Distribution.tables.allSatisfy { !$0.reason.isEmpty })
    }

    @Test("Every key and every unique index of a distributed table has the column that distributes it")
    func keys() throws {
        let keys = Self.statements.compactMap(UniqueKey.init)

        #expect(keys.count > Distribution.tables.count)
        for table in Distribution.tables {
            let own = keys.filter { $0.table == table.name }
            #expect(!own.isEmpty, "\(table.name) has no key")
            guard let column = table.place.column else { continue }
            for key in own { #expect(key.columns.contains(column), "a key of \(table.name) lacks \(column)") }
        }
    }

    @Test("A statement touches the shards of one value, or an exception names it with its reason; no exception is needless")
    func statements() async throws {
        let store = try await TestStore()
        try await StoreLife.run(in: store)
        let texts = Set(store.database.recorded.map { ShardUse.line($0.statement.text) }).filter { !$0.hasPrefix("CREATE ") }

        var needed: Set<String> = []
        for text in texts.sorted() {
            guard let fault = ShardUse(text).fault else { continue }
            let parts = AcrossShards.all.filter { $0.fault == fault }.flatMap(\.parts).filter(text.contains)
            #expect(
                !parts.isEmpty,
                "\(fault): name a value of the distribution's column, or give the reason in AcrossShards: \(text)")
            needed.formUnion(parts)
        }

        let needless = AcrossShards.all.flatMap(\.parts).filter { !needed.contains($0) }
        #expect(needless.isEmpty, "no statement needs these exceptions")
        #expect(texts.count > 200)
    }

    @Test(
        "A statement of one shard is told from others",
        arguments: [
            ("SELECT 1 FROM install WHERE app_id = $1 AND install_id = $2", nil),
            ("SELECT 1 FROM install WHERE app_id = $1 AND install_id IN ($2, $3)", nil),
            ("SELECT 1 FROM install WHERE app_id = $1 AND install_id > $2", .everyShard),
            ("SELECT 1 FROM install WHERE app_id = $1 AND first_install_id = $2", .everyShard),
            ("SELECT 1 FROM link WHERE app_id = $1", nil), ("SELECT 1 FROM job j JOIN store s ON s.name = j.kind", nil),
            ("SELECT 1 FROM install i JOIN event e ON e.install_id = i.install_id WHERE i.install_id = $1", nil),
            ("SELECT 1 FROM install i JOIN event e ON e.id = i.install_id WHERE i.install_id = $1", .crossing),
            (
                "SELECT 1 FROM install i JOIN experiment_unit u ON u.unit = i.install_id || '' WHERE i.install_id = $1",
                .crossing
            ),
            ("SELECT 1 FROM install i JOIN job j ON j.install_id = i.install_id WHERE i.install_id = $1", .crossing),
            ("SELECT 1 FROM install i JOIN profile p ON p.profile_id = i.profile_id WHERE i.install_id = $1", .crossing),
            ("SELECT 1 FROM (SELECT unit FROM experiment_unit) u JOIN install i ON i.install_id = u.unit", .everyShard),
            ("SELECT 1 FROM (SELECT unit FROM experiment_unit WHERE unit = $1) u JOIN install i ON i.install_id = u.unit", nil),
            (
                "SELECT 1 FROM install i WHERE install_id = $1 AND NOT EXISTS (SELECT 1 FROM absence a WHERE a.install_id = i.install_id)",
                nil
            ),
            (
                "SELECT 1 FROM install i WHERE install_id = $1 AND NOT EXISTS (SELECT 1 FROM absence a WHERE a.app_id = i.app_id)",
                .crossing
            ),
            ("SELECT 1 FROM install WHERE install_id = $1 UNION ALL SELECT 1 FROM install WHERE device_id = $2", .everyShard),
            ("INSERT INTO absence (app_id, install_id) VALUES ($1, $2) ON CONFLICT DO NOTHING", nil),
            ("INSERT INTO absence (app_id, began_at_ms) VALUES ($1, $2)", .everyShard),
            ("UPDATE install SET epoch = $1", .everyShard),
            ("DELETE FROM event WHERE install_id = $1 AND id IN (SELECT id FROM event WHERE install_id = $1 LIMIT $2)", nil),
            ("DELETE FROM event WHERE install_id = $1 AND id IN (SELECT id FROM event LIMIT $2)", .everyShard),
        ] as [(String, ShardUse.Fault?)])
    func fault(text: String, fault: ShardUse.Fault?) {
        #expect(ShardUse(text).fault == fault)
    }
}

/// The columns of a primary key or of a unique index.
private struct UniqueKey {
    let table: String
    let columns: [String]

    init?(_ statement: String) {
        guard
            let table = statement.firstMatch(
                of: #/^CREATE TABLE ([a-z_]+)|^CREATE UNIQUE INDEX [a-z_]+ ON ([a-z_]+) \(([a-z_, ]+)\)/#)
        else { return nil }
        self.table = String(table.1 ?? table.2 ?? "")
        let list = table.3 ?? statement.firstMatch(of: #/PRIMARY KEY \(([a-z_, ]+)\)/#)?.1
        // A key of one column stands behind it.
        let single = statement.firstMatch(of: #/([a-z_]+) [A-Z]+ NOT NULL PRIMARY KEY/#)?.1
        columns = list?.split(separator: ", ").map(String.init) ?? single.map { [String($0)] } ?? []
        if columns.isEmpty { return nil }
    }
}
