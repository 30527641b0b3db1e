// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import Hummingbird
import LandfallRules
package import LandfallServer
package import LandfallStore
import LandfallWire
import NIOCore

/// `/v1/data-exports`, for commands only: the rows of one table and day, a page at a time. A command writes the files, as its own user.
package struct ExportRoutes: Sendable {
    package static let path = "/v1/data-exports"
    package static let tablePath = "/v1/data-exports/{table}"

    let database: any Database
    let time: ServerTime

    package init(database: any Database, time: ServerTime) { (self.database, self.time) = (database, time) }

    /// `GET`: what can be exported.
    @Sendable package func offer(_ request: Request, context: AppContext) -> Answer<ExportOffer> { Answer(ExportOffer(days(context))) }

    /// `GET ?day=&format=&after=`
    @Sendable package func page(_ request: Request, context: AppContext) async throws -> Response {
        let query = request.uri.queryParameters, name = context.parameters.get("table") ?? ""
        guard let table = ExportTable(rawValue: name) else { throw ExportRefusal.unknownTable(name) }
        let asked = query["format"].map(String.init) ?? ExportFormat.jsonl.rawValue
        guard let format = ExportFormat(rawValue: asked) else { throw ExportRefusal.unknownFormat(asked) }
        guard let day = query["day"].flatMap({ ReportDays.day(String($0)) }) else { throw ExportRefusal.unreadableDay }
        try days(context).check(day, of: table)
        let reader = ExportReader(database: await database.laggingReads().store, app: context.snapshot.configuration.app.id)
        let page = try await reader.page(of: table, on: day, after: query["after"].map(String.init), as: format)
        return Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try page.wire())))
    }

    private func days(_ context: AppContext) -> ExportDays {
        ExportDays(retention: context.snapshot.configuration.retention, nowMs: time.nowMs())
    }
}
