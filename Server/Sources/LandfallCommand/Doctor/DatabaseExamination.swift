// SPDX-License-Identifier: Apache-2.0
import LandfallNode
import LandfallPostgres
import LandfallServer
import LandfallStore

/// What `landfall doctor --database` checks: the database, beside the nodes.
struct DatabaseExamination {
    let address: PostgresAddress
    /// Nil without one.
    let replica: PostgresAddress?
    let isWhole: Bool

    func findings() async -> (findings: [DoctorFinding], subject: DoctorSubject?) {
        var limits = PostgresLimits()
        limits.interactive = isWhole ? .seconds(24 * 3600) : .seconds(15)
        do {
            let database = try await PostgresDatabase.open(address, limits: limits)
            var findings: [DoctorFinding]
            let subject: DoctorSubject?
            if try await database.isEmpty {
                findings = [.bad("database", "'\(address.name)' holds no store.", fix: "Start a server: landfall serve --database URL --config landfall.yaml.")]
                subject = nil
            } else {
                let doctor = StoreDoctor(database, knowsSecrets: false)
                (findings, subject) = (await doctor.findings(whole: isWhole), await doctor.subject())
                if let replica { findings.append(DoctorFinding(await database.condition(ofReplica: replica))) }
            }
            await database.close()
            return (findings, subject)
        } catch DatabaseError.unsuitable(let text, let remedy) {
            return ([.bad("database", "The database does not suit: \(text).", fix: remedy)], nil)
        } catch {
            return ([.bad("database", "\(error)", fix: "Check that the database runs, and the URL.")], nil)
        }
    }
}
