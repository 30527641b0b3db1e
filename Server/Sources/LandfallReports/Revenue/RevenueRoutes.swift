// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
package import LandfallServer

/// `/v1/reports/revenue`: what was paid, for a server key with `reports`, or for a command.
package struct RevenueRoutes: Sendable {
    package static let path = "/v1/reports/revenue"

    let reports: Reports

    package init(reports: Reports) { self.reports = reports }

    /// `GET ?view=&by=&from=&to=&verify=`
    @Sendable package func report(_ request: Request, context: AppContext) async throws -> Answer<RevenueDocument> {
        let query = request.uri.queryParameters
        let moment = try await reports.moment(context.snapshot)
        let asked = try RevenueRequest(
            view: query["view"].map(String.init), by: query["by"].map(String.init), from: query["from"].map(String.init),
            to: query["to"].map(String.init), verify: query["verify"].map(String.init), nowMs: moment.nowMs)
        return Answer(try await reports.answer(asked, context.snapshot, at: moment))
    }
}

extension RevenueRequest {
    /// - Parameters:
    ///   - view: nil for ``RevenueView/purchase``.
    ///   - by: dimensions with commas between; nil for the usual ones, and an empty text for one row.
    ///   - verify: `true` or `false`, which is usual.
    /// - Throws: a ``RevenueError`` or a ``ReportError`` about what is not valid.
    package init(view: String?, by: String?, from: String?, to: String?, verify: String?, nowMs: Int64) throws {
        guard let view = RevenueView(rawValue: view ?? RevenueView.purchase.rawValue) else { throw RevenueError.view }
        guard let isVerified = Bool(verify ?? "false") else { throw RevenueError.verify }
        self.init(
            view, by: try by.map { try RevenueDimension.named($0.split(separator: ",").map(String.init)) },
            try ReportDays(from: from, to: to, nowMs: nowMs), isVerified: isVerified)
    }
}
