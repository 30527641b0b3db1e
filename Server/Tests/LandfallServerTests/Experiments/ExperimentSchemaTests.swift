// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallNode
@testable import LandfallSQLite
@testable import LandfallServer
@testable import LandfallStore

@Suite("The tables of experiments", .timeLimit(.minutes(1)))
struct ExperimentSchemaTests {
    @Test(
        "have their rows found by a key, and no other app's or unit's rows are read", .sqlitePlans,
        arguments: [
            ("SELECT variation, revision FROM experiment_unit WHERE app_id = $1 AND unit = $2", "sqlite_autoindex_experiment_unit_1"),
            (
                "SELECT unit FROM experiment_unit WHERE app_id = $1 AND experiment = $2 AND step = $3 AND epoch = $4 AND variation = $5",
                "experiment_unit_by_arm"
            ),
            (
                "SELECT weights FROM experiment_epoch WHERE app_id = $1 AND experiment = $2 AND epoch = $3",
                "sqlite_autoindex_experiment_epoch_1"
            ),
        ])
    func plans(text: String, index: String) async throws {
        let store = try await TestStore()
        let count = text.split(separator: "$").count - 1

        let plan = try await store.database.read { connection in
            try connection.rows("EXPLAIN QUERY PLAN " + text, Array(repeating: .integer(1), count: count))
                .map { try $0.text("detail") }
        }

        #expect(plan.count == 1 && plan.allSatisfy { $0.hasPrefix("SEARCH") && $0.contains(index) }, "\(plan)")
    }
}
