// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallRules
import LandfallServer
import LandfallWire

/// What the page of a placement tells besides the file: what was shown, and what a test device sees.
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

    /// The names of the devices that this node can explain at the placement; none for a member who sees no people.
    func devices(at placement: String, _ call: ConsoleCall) throws -> [String] {
        let snapshot = call.context.snapshot
        guard try call.seesPeople, snapshot.placements[PlacementID(placement)] != nil else { return [] }
        return snapshot.configuration.testDevices.map(\.name)
    }

    /// Nil unless the address names one of the devices.
    func device(at placement: String, _ call: ConsoleCall) async throws -> PlacementDevice? {
        guard let asked = call.query("device"), try devices(at: placement, call).contains(where: { $0.hasSameBytes(as: asked) }),
            let device = call.context.snapshot.configuration.testDevices.first(where: { $0.name.hasSameBytes(as: asked) })
        else { return nil }
        do {
            let explanation = try await explanations.explanation(
                of: device.install, in: call.context.snapshot.app.id, at: PlacementID(placement), exposure: nil, served: call.context.snapshot)
            let why = Place(
                "/console/profiles", [explanation.profile, "why"], query: [("install", explanation.install), ("placement", placement)])
            return PlacementDevice(name: device.name, answer: .init(explained: WhyPage.Explained(explanation), why: why))
        } catch ExplanationError.unknownInstall {
            return PlacementDevice(name: device.name, answer: nil)
        }
    }
}
