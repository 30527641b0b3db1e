// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
import LandfallRules
package import LandfallServer
import LandfallWire

/// `/v1/rebuilds`, for commands only: computed days of reports are counted again.
package struct RebuildRoutes: Sendable {
    package static let path = "/v1/rebuilds"
    /// Days of one call: a caller can tell of the progress.
    static let mostDays: Int64 = 7

    package let rollups: RollupWork

    package init(rollups: RollupWork) {
        self.rollups = rollups
    }

    /// `POST ?from=&to=`
    @Sendable package func rebuild(_ request: Request, context: AppContext) async throws -> Answer<RebuiltDays> {
        let query = request.uri.queryParameters
        let zone = context.snapshot.configuration.reportZone
        let days = try ReportDays(
            from: query["from"].map(String.init), to: query["to"].map(String.init), in: zone, nowMs: rollups.time.nowMs())
        return Answer(try await rollups.rebuild(days, mostDays: Self.mostDays))
    }
}
