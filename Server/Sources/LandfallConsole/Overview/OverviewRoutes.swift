// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallReports
import LandfallRules
import LandfallServer
import LandfallStore

/// The first page.
struct OverviewRoutes: Sendable {
    let reports: Reports
    let database: any Database
    let versions: ChartVersions
    let health: HealthReader

    /// `GET /console?from=&to=&days=&by=&who=`, and filters by field.
    @Sendable func page(_ call: ConsoleCall) async throws -> Response {
        let frame = try call.frame
        guard frame.role.rights.contains(.reports) else { return ConsoleAnswer.see(Place("/console/live")) }
        let snapshot = call.context.snapshot, moment = try await reports.moment(snapshot)
        let query = OverviewQuery(FormText.fields(call.request.uri.query ?? "", most: ConsoleCall.mostFields) ?? [:])
        let today = ReportDays.text(moment.today)
        var page = OverviewPage(frame: frame, query: query, from: query.report.from ?? today, to: query.report.to ?? today, today: today)
        let numbers = OverviewNumbers(
            reports: reports, snapshot: snapshot, moment: moment, query: query, isMerging: try !call.seesPeople)
        do {
            try await numbers.fill(&page)
        } catch let error as ReportError {
            (page.problems, page.refusal) = (error.problems(frame.words), error.refusal)
        }
        if !page.days.isEmpty, let first = ReportDays.day(page.from), let last = ReportDays.day(page.to) {
            page.versions = try await versions.published(on: ReportDays(first, last, in: moment.zone), for: frame)
        }
        let checklist = try await Setup(database: database, app: snapshot.app.id)
            .checklist(isKeyUsed: !snapshot.keyMarks.lastUses.isEmpty)
        page.checklist = checklist.isComplete ? nil : checklist
        page.alerts = try await AlertStore(database, app: snapshot.app.id).firing()
        if frame.can(.operating) {
            let wrong = try await health.facts().checks.filter { !$0.isOK }.map(\.finding)
            if !wrong.isEmpty { page.warnings.append(.unhealthy(wrong)) }
        }
        return ConsoleAnswer.page(page.html, page.problems.isEmpty && page.refusal == nil ? .ok : .unprocessableContent)
    }
}
