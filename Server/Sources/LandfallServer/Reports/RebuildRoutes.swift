// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallWire

/// `/v1/rebuilds`, for commands only: computed days of reports are counted again.
struct RebuildRoutes: Sendable {
    static let path = "/v1/rebuilds"
    /// Days of one call: a caller can tell of the progress.
    static let mostDays: Int64 = 7

    let rollups: RollupWork

    /// `POST ?from=&to=`
    @Sendable func rebuild(_ request: Request, context: AppContext) async throws -> Answer<RebuiltDays> {
        let query = request.uri.queryParameters
        let zone = context.snapshot.configuration.reportZone
        let days = try ReportDays(
            from: query["from"].map(String.init), to: query["to"].map(String.init), in: zone, nowMs: rollups.time.nowMs())
        return Answer(try await rollups.rebuild(days, mostDays: Self.mostDays))
    }
}
