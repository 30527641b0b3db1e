// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallSQLite
import LandfallStore
import LandfallWire
import Synchronization

/// The guarantees of experiments. Each has a name:
///
/// - E1: one unit sees one variation of an experiment for ever, and an answer for everyone has none. Not across a reinstall: see
///   ``VirtualPhone/reinstall()``.
/// - E2: a launch reports a decision at most once; with a full disk the next launch may repeat it.
/// - E3: the store has the phone's variation, also after the store was lost.
/// - E4: an exposure and a decision count only for the store's variation, and only if the phone showed and returned it.
extension PhoneLaunch {
    func check(_ assignment: Assignment, of open: PaywallOpen, _ result: PaywallResult, _ trace: VirtualTrace) {
        if open.isForEveryone { return trace.broke("E1", "\(name): an answer for everyone has \(assignment.variationId)") }
        // A stored answer may come from the installation whose files were copied, and a shown one from the store that was lost.
        let isCached = if case .cache = result.origin { true } else { false }
        let isOfUnit = !isCached && !isStoreNew
        if let breach = phone.promise({ $0.experiments.compare(assignment, isOfUnit: isOfUnit) }) {
            trace.broke(breach.guarantee, "\(name): \(breach.text)")
        }
    }

    func checkSettledExperiments(_ database: MemoryDatabase, _ trace: VirtualTrace) async throws {
        let (promises, installs) = phone.memory.withLock { ($0.promises.experiments, $0.installs) }
        guard let install = client.profile?.installID.rawValue else { return }
        for experiment in VirtualExperiment.names {
            let stored = try await database.read { connection in
                try Self.stored(experiment, of: install, among: installs.union([install]), connection)
            }
            for breach in promises.breaches(of: experiment, in: stored) {
                trace.broke(breach.guarantee, "\(name): \(breach.text)")
            }
        }
    }

    private static func stored(
        _ experiment: ExperimentID, of install: String, among installs: Set<String>, _ connection: any ReadConnection
    ) throws -> ExperimentPromises.Stored {
        let rows = try connection.rows(
            """
            SELECT unit, variation, decided_at_ms, shown_at_ms FROM experiment_unit
            WHERE experiment = $1
              AND (unit = $2 OR unit IN (SELECT first_install_id FROM install WHERE install_id = $2))
            ORDER BY unit
            """, [.text(experiment.rawValue), .text(install)])
        var stored = ExperimentPromises.Stored()
        // Its own row, else the row of its device's first installation.
        if let row = try rows.first(where: { try $0.text("unit") == install }) ?? rows.first {
            stored.variation = VariationName(rawValue: try row.text("variation"))
            stored.decidedAtMs = row.optionalInteger("decided_at_ms")
            stored.shownAtMs = row.optionalInteger("shown_at_ms")
        }
        var decisions: Set<String> = []
        for install in installs.sorted() {
            let rows = try connection.rows(
                "SELECT event_id FROM event WHERE install_id = $1 AND type = 'paywall_decided'", [.text(install)])
            for row in rows { decisions.insert(try row.text("event_id")) }
        }
        stored.decisions = decisions.count
        return stored
    }
}
