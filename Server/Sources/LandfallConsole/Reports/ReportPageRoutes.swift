// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallReports
import LandfallServer
import LandfallWire
import NIOCore

/// `/console/reports/{name}`: a report as a page, and with `.csv` or `.json` the same rows as a file. The page of the overview is `/console`.
struct ReportPageRoutes: Sendable {
    let reports: Reports
    let versions: ChartVersions

    /// `GET ?from=&to=&days=&by=&sort=&compare=&page=`, and filters by field.
    @Sendable func report(_ call: ConsoleCall) async throws -> Response {
        let parts = (call.context.parameters.get("name") ?? "").split(separator: ".", omittingEmptySubsequences: false)
        let isOverview = parts.first == "overview"
        // The overview is the report of campaigns by day.
        guard let report = isOverview ? .campaigns : parts.first.flatMap({ ReportName(rawValue: String($0)) }), parts.count <= 2 else {
            throw RequestError.notFound
        }
        var values = FormText.fields(call.request.uri.query ?? "", most: ConsoleCall.mostFields) ?? [:]
        if isOverview {
            if parts.count == 1 { return ConsoleAnswer.see(Place("/console")) }
            values = values.filter { !ReportQuery.ofOverview.contains($0.key) || $0.key == "by" }
            if values["by"] != "" { values["by"] = OverviewReport.Dimension.day.rawValue }
        }
        let query = ReportQuery(report, values), snapshot = call.context.snapshot
        let moment = try await reports.moment(snapshot)
        func filtered(isMerging: Bool) -> FilteredReport {
            FilteredReport(reports: reports, snapshot: snapshot, moment: moment, query: query, isMerging: isMerging)
        }
        switch parts.dropFirst().first {
        case nil:
            let frame = try call.frame
            var report = filtered(isMerging: try !call.seesPeople), page = try await report.page(frame)
            if !page.days.isEmpty { page.versions = try await versions.published(on: report.days(), for: frame) }
            return ConsoleAnswer.page(page.html, page.problems.isEmpty && page.refusal == nil ? .ok : .unprocessableContent)
        case "csv":
            return try await file(filtered(isMerging: true), isOverview, call, "text/csv; charset=utf-8") { Array((ReportCSV($0).text + "\n").utf8) }
        case "json": return try await file(filtered(isMerging: true), isOverview, call, "application/json") { Array(try WireCoding.encode($0)) }
        default: throw RequestError.notFound
        }
    }

    /// - Parameter bytes: of the file.
    private func file(
        _ report: FilteredReport, _ isOverview: Bool, _ call: ConsoleCall, _ type: String, _ bytes: (ReportDocument) throws -> [UInt8]
    ) async throws -> Response {
        do {
            var report = report
            let days = try report.days()
            var sheet = try await report.rows(by: report.query.fields, days).sheet
            if isOverview { sheet.kind = .overview }
            var document = sheet.document()
            if let sort = report.query.sort, sheet.has(sort) { document = document.sorted(by: sort) }
            document = try await document.named(by: reports.names(report.snapshot, at: report.moment))
            let name = "\(document.report)-\(document.from)-\(document.to)." + (type.hasPrefix("text/csv") ? "csv" : "json")
            return ConsoleAnswer.file(try bytes(document), type: type, name: name)
        } catch let error as ReportError {
            let sentences = error.problems(call.words).map(\.sentence) + (error.refusal.map { [call.words.sentence($0)] } ?? [])
            let text = Set(sentences).sorted().joined(separator: "\n") + "\n"
            var answer = ConsoleAnswer.file(text.utf8, type: "text/plain; charset=utf-8")
            answer.status = .unprocessableContent
            return answer
        }
    }
}

extension ConsoleRoute {
    static func reports(_ routes: ReportPageRoutes) -> [ConsoleRoute] {
        [get("/console/reports/{name}", .member(.reports), routes.report)]
    }
}
