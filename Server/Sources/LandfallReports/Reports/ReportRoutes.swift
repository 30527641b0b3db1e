// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
package import LandfallServer

/// `/v1/reports/{name}`: the numbers about links, campaigns, paywalls, the funnel and retention, for a server key with `reports`, or for a command.
package struct ReportRoutes: Sendable {
    package static let path = "/v1/reports/{name}"

    let reports: Reports

    package init(reports: Reports) { self.reports = reports }

    /// `GET ?from=&to=&by=`
    @Sendable package func report(_ request: Request, context: AppContext) async throws -> Answer<ReportDocument> {
        let query = request.uri.queryParameters, name = context.parameters.get("name") ?? ""
        let moment = try await reports.moment(context.snapshot)
        let days = try ReportDays(
            from: query["from"].map(String.init), to: query["to"].map(String.init), in: moment.zone, nowMs: moment.nowMs)
        guard let kind = ReportKind(rawValue: name) else { throw ReportError.unknownReport(name) }
        let asked = try ReportRequest(kind, by: query["by"].map { $0.split(separator: ",").map(String.init) }, days)
        let document = try await reports.answer(asked, context.snapshot, at: moment).document()
        return Answer(try await document.named(by: reports.names(context.snapshot, at: moment)))
    }
}
