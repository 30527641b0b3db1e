// SPDX-License-Identifier: Apache-2.0
import LandfallWire

@testable import LandfallReports
@testable import LandfallResults
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// Everything that results ask of a store, by both rules of who is compared.
enum ResultsLife {
    static func run(in store: TestStore) async throws {
        let app = TestStore.app, now = TestStore.noon
        let trial = Metric(name: "trial", measure: .event(Event.Kind("trial_started")))
        let bought = [Metric(name: "paid", measure: .purchase(.any)), Metric(name: "revenue", measure: .revenue(.purchases))]
        let units = [Credential.mayasPhone, .omarsPhone].map(\.installID)
        for name in ["life-shown", "life-decided"] {
            try await store.database.write { connection in
                try connection.run(
                    "INSERT INTO experiment_epoch VALUES ($1, $2, 1, $3, 1, $4)",
                    [.text(app.rawValue), .text(name), .integer(now), .text(#"[["A",50],["B",50]]"#)])
                for (place, unit) in units.enumerated() {
                    try connection.run(
                        "INSERT INTO experiment_unit VALUES ($1, $2, $3, 1, $4, 5, 'drawn', 1, $5, $5, $6, NULL)",
                        [
                            .text(app.rawValue), .text(unit.rawValue), .text(name), .text(["A", "B"][place]), .integer(now),
                            .integer(place == 0 ? now + TestStore.hour : nil),
                        ])
                }
            }
            var experiment = ResultsExperiment(
                name: name, state: "live",
                variations: [.init(name: "A", weight: 50), .init(name: "B", weight: 50, showsNothing: name == "life-decided")],
                primary: trial, secondaries: bought)
            experiment.currency = "USD"
            let epochs = try await StoredEpoch.all(of: name, in: app, store.database)
            let testUnits = try await TestUnits(database: store.database, app: app, experiment: name)
                .units(of: [Credential.mayasTablet.installID])
            _ = try await ExperimentCounter(
                database: store.database, app: app, experiment: experiment.counted(epochs), measures: experiment.metrics.map { $0?.measure },
                testDevices: testUnits, nowMs: now + trial.windowMs
            ).numbers()
            _ = try await UnitSources(database: store.database, app: app).segments(of: units.map(\.rawValue) + ["unknown"])
            _ = try await ExperimentExportReader(database: store.database, app: app, experiment: experiment, epochs: epochs)
                .export(after: "", .shown)
        }
    }
}
