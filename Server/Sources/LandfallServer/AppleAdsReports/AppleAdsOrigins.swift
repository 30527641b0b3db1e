// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore
package import LandfallWire

/// What Apple has lately said about installs: to compare it with the ad accounts that are read.
package struct AppleAdsOrigins: Sendable {
    /// Answers that are looked at; organic ones count too.
    private static let most = 2_000

    private let database: any StoreReading
    private let app: AppID

    package init(_ database: any StoreReading, app: AppID) { (self.database, self.app) = (database, app) }

    /// The newest answers that name a campaign, newest first. Apple's answers to builds of developers are left out.
    package func recent() async throws -> [AppleAdsAnswer] {
        let statement = Statement(Self.text, [.text(app.rawValue), .integer(Int64(Self.most))])
        return try await database.rows([statement])[0].map { try AppleAdsAnswer.stored($0.text("apple_ads")) }
            .filter { $0.attribution && !$0.isDeveloperMode }
    }

    private static let text = """
        SELECT f.apple_ads FROM (
          SELECT app_id, install_id, token_hash, finished_at_ms FROM apple_ads_exchange
          WHERE app_id = $1 AND state IN ('attributed', 'organic') ORDER BY finished_at_ms DESC LIMIT $2
        ) e
        JOIN attribution_fact f ON f.app_id = e.app_id AND f.install_id = e.install_id AND f.fact_id = 'apple:' || e.token_hash
        WHERE f.apple_ads IS NOT NULL ORDER BY e.finished_at_ms DESC
        """
}
