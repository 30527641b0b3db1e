// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Crypto
import Foundation
import LandfallSQLite
import LandfallStore
import NIOEmbedded

struct StoredInstallsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stored-installs", abstract: "Makes a store with many installs, to measure a server."
    )

    @Argument(help: "The folder of the store.") var folder: String
    @Option(help: "How many.") var count = 1_000_000

    func run() async throws { try await StoredInstalls(folder: folder, count: count).run() }
}

/// The installs for `Benchmarks/run`: a phone with its facts, a person with attributes, a third of them from Apple Ads. All
/// have the secret of 32 zero bytes.
private struct StoredInstalls {
    let folder: String
    let count: Int

    func run() async throws {
        let store = try await MadeStore(folder: folder, nowMs: Self.nowMs)
        let hash = Array(SHA256.hash(data: Data(repeating: 0, count: 32)))
        try await store.fill(count, by: Self.texts, [.integer(Self.nowMs), .blob(hash)])
        try await store.database.close()
    }

    private static let nowMs = Int64(Date().timeIntervalSince1970 * 1000)

    /// As many rows as `$2`, from number `$1` on. SQLite's own dialect: these are not texts of the server.
    private static let texts = [
        """
        WITH RECURSIVE n(i) AS (SELECT $1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $1 + $2)
        INSERT INTO install (app_id, install_id, secret_hash, profile_id, epoch, version, attribution_version, app_version,
          os_version, platform, locale, store_country, time_zone, token_none, is_reinstall, created_at_ms, installed_at_ms)
        SELECT 'example', printf('0198f0c2-7b1a-7c3d-8e4f-%012x', i), $4, printf('i_0198f0c2-7b1a-7c3d-8e4f-%012x', i), $3, 2, 1,
          '2.1.0', '18.1', 'ios', 'en_US', 'US', 'America/New_York', 'noToken', 0, $3, $3 FROM n
        """,
        """
        WITH RECURSIVE n(i) AS (SELECT $1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $1 + $2)
        INSERT INTO install_seen (app_id, install_id, last_seen_at_ms)
        SELECT 'example', printf('0198f0c2-7b1a-7c3d-8e4f-%012x', i), $3 FROM n WHERE $4 IS NOT NULL
        """,
        """
        WITH RECURSIVE n(i) AS (SELECT $1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $1 + $2)
        INSERT INTO profile (app_id, profile_id, version, customer_id, customer_is_verified, attributes, created_at_ms)
        SELECT 'example', printf('i_0198f0c2-7b1a-7c3d-8e4f-%012x', i), 1, NULL, 0, '{"plan":"pro","sessions":7}', $3
        FROM n WHERE $4 IS NOT NULL
        """,
        """
        WITH RECURSIVE n(i) AS (SELECT $1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $1 + $2)
        INSERT INTO attribution_fact (app_id, install_id, fact_id, source, status, is_verified, is_test, said_at_ms,
          recorded_at_ms, apple_ads)
        SELECT 'example', printf('0198f0c2-7b1a-7c3d-8e4f-%012x', i), 'apple:' || i, 'apple_search_ads', 'non_organic', 1, 0, $3, $3,
          '{"adGroupId":542317095,"attribution":true,"campaignId":542370539,"conversionType":"Download","countryOrRegion":"US"}'
        FROM n WHERE i % 3 = 0 AND $4 IS NOT NULL
        """,
    ]
}
