// SPDX-License-Identifier: Apache-2.0
import LandfallResults
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// The units of the team's own phones: they say nothing about users, so they are taken out of the counts.
struct TestUnits: Sendable {
    struct Unit {
        let id: InstallID
        let arm: ExperimentArms.Arm
        let shownAtMs: Int64?
        let decidedAtMs: Int64?

        func exposedAtMs(_ basis: ExperimentNumbers.Basis) -> Int64? {
            CountedExperiment.exposedAtMs(shownAtMs: shownAtMs, decidedAtMs: decidedAtMs, basis)
        }

        /// Takes the unit out of counts that were read at another moment, when it may have been erased.
        func leave(_ exposures: inout ExposureCounts, _ variation: Int) {
            if shownAtMs != nil { exposures.shown[variation] = max(0, exposures.shown[variation] - 1) }
            if exposedAtMs(.decided) != nil { exposures.decided[variation] = max(0, exposures.decided[variation] - 1) }
        }
    }

    let database: any StoreReading
    let app: AppID
    let experiment: String

    func rows(of units: Set<InstallKey>) async throws -> [Unit] {
        guard !units.isEmpty else { return [] }
        let key: [SQLValue] = [.text(app.rawValue), .text(experiment)]
        return try await database.read { connection in
            try units.compactMap { unit in
                guard let row = try connection.row(Self.text, key + [.text(unit.id.rawValue)]) else { return nil }
                return Unit(
                    id: unit.id,
                    arm: .init(step: try row.text(0), epoch: try row.integer(1), variation: try row.text(2)),
                    shownAtMs: row.optionalInteger(3), decidedAtMs: row.optionalInteger(4))
            }
        }
    }

    /// The units of these installs and of their phones' other installs: a reinstall that was recognised late has its own.
    func units(of installs: [InstallID]) async throws -> Set<InstallKey> {
        guard !installs.isEmpty else { return [] }
        return try await database.read { [app] connection in
            try installs.reduce(into: []) { units, install in
                let row = try connection.row(Self.firstText, [.text(app.rawValue), .text(install.rawValue)])
                let first = row?.optionalText(0).map { InstallID($0) } ?? install
                let others = try connection.rows(Self.reinstallsText, [.text(app.rawValue), .text(first.rawValue)])
                units.formUnion(([install, first] + (try others.map { InstallID(try $0.text(0)) })).compactMap { InstallKey($0) })
            }
        }
    }

    static let text = """
        SELECT step, epoch, variation, shown_at_ms, decided_at_ms FROM experiment_unit
        WHERE app_id = $1 AND unit = $3 AND experiment = $2 AND step IN ('drawn', 'echoed')
        """
    /// More than a phone of a team has.
    static let reinstallsText = """
        SELECT install_id FROM install WHERE app_id = $1 AND first_install_id = $2 AND first_install_id IS NOT NULL LIMIT 1000
        """
    static let firstText = "SELECT first_install_id FROM install WHERE app_id = $1 AND install_id = $2"
}
