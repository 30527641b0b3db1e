// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallRules
import LandfallServer
import LandfallWire

/// What the page of a placement tells besides the file: what was shown, and what a test device sees, or would see by a draft.
extension ConfigurationRoutes {
    /// Nil for a member who sees no reports, before the first days are counted, and where it takes too long: no page waits for it.
    func shares(at placement: String, _ call: ConsoleCall) async throws -> PlacementShares? {
        guard try call.frame.can(.reports), let query = PlacementShares.report(about: placement) else { return nil }
        let snapshot = call.context.snapshot, moment = try await reports.moment(snapshot)
        guard moment.hasCountedDays else { return nil }
        let report = FilteredReport(reports: reports, snapshot: snapshot, moment: moment, query: query, isMerging: try !call.seesPeople)
        let days = try moment.days(PlacementShares.days, endingOn: moment.today)
        return try await withTimeout(LinkNumbers.patience, by: reports.time) {
            PlacementShares(try await report.rows(by: query.fields, days))
        }
    }

    /// The names of the devices whose answers can be explained; none for a member who sees no people.
    /// - Parameter draft: nil is what this node serves.
    func devices(at placement: String, in draft: ConfigurationDocument?, _ call: ConsoleCall) throws -> [String] {
        guard try call.seesPeople else { return [] }
        if let draft { return draft.entries("testDevices").map(\.key) }
        let snapshot = call.context.snapshot
        return snapshot.placements[PlacementID(placement)] == nil ? [] : snapshot.configuration.testDevices.map(\.name)
    }

    /// Nil unless the address, or the form of a draft, names one of the devices.
    func device(at placement: String, in draft: ConfigurationDocument?, _ call: ConsoleCall) async throws -> PlacementDevice? {
        guard try call.seesPeople, let asked = draft == nil ? call.query("device") : call.form["device"],
            let snapshot = try await served(draft, call), snapshot.placements[PlacementID(placement)] != nil,
            let device = snapshot.configuration.testDevices.first(where: { $0.name.hasSameBytes(as: asked) })
        else { return nil }
        do {
            let explanation = try await explanations.explanation(
                of: device.install, in: call.context.snapshot.app.id, at: PlacementID(placement), exposure: nil, served: snapshot)
            let why = Place(
                "/console/profiles", [explanation.profile, "why"], query: [("install", explanation.install), ("placement", placement)])
            return PlacementDevice(
                name: device.name, answer: .init(explained: WhyPage.Explained(explanation), why: draft == nil ? why : nil))
        } catch ExplanationError.unknownInstall {
            return PlacementDevice(name: device.name, answer: nil)
        }
    }

    /// What this node serves, or would serve of a draft; nil for a draft that no server serves.
    private func served(_ draft: ConfigurationDocument?, _ call: ConsoleCall) async throws -> Snapshot? {
        guard let draft else { return call.context.snapshot }
        // To explain, nobody needs the secrets that the file names.
        let reading = ReadConfiguration(yaml: draft.text, secrets: SecretEnvironment(value: { ProcessEnvironment.anySecret(of: $0) }))
        guard let configuration = try? reading.requireConfiguration() else { return nil }
        return try await store.snapshot(configuration, draft.number)
    }
}
