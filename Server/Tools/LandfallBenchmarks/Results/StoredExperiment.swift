// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallSQLite
import LandfallStore
import NIOEmbedded

struct StoredExperimentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stored-experiment", abstract: "Makes a store with a large experiment, to measure its results."
    )

    @Argument(help: "The folder of the store.") var folder: String
    @Option(help: "Units with a decision; 98 % of them were shown their variation.") var units = 1_000_000

    func run() async throws { try await StoredExperiment(folder: folder, units: units).run() }
}

/// The experiment `spring-price` for `Benchmarks/run --only results`: two variations, two epochs, 40 days. Of a hundred units two
/// and a half start a trial, three were installed again, and two share a profile with the unit before. A third has a fact: nine of ten are
/// Apple's answers, half of which name an ad, and one is a link. Exposures are in the rows of units; their events are left out,
/// because results do not read them.
private struct StoredExperiment {
    let folder: String
    let units: Int

    func run() async throws {
        let store = try await MadeStore(folder: folder, nowMs: Self.nowMs)
        let firstMs = Self.nowMs - Self.days * Self.dayMs, apartMs = max(1, Self.days * Self.dayMs / Int64(max(1, units)))
        let epochs = [(Int64(1), firstMs), (Int64(2), firstMs + Self.days / 2 * Self.dayMs)]
        try await store.database.write { connection in
            for (epoch, startedAtMs) in epochs {
                try connection.run(Self.epochText, [.integer(epoch), .integer(startedAtMs)])
            }
        }
        try await store.fill(units, by: Self.texts, [.integer(firstMs), .integer(apartMs)])
        try await store.database.close()
    }

    private static let nowMs = Int64(Date().timeIntervalSince1970 * 1000)
    private static let dayMs: Int64 = 86_400_000
    private static let days: Int64 = 40

    private static let epochText = """
        INSERT INTO experiment_epoch (app_id, experiment, epoch, started_at_ms, revision, weights)
        VALUES ('example', 'spring-price', $1, $2, 1, '[["A",50],["B",50]]')
        """

    /// `$2` numbers from `$1` on, each with its time and a bucket that looks drawn. SQLite's own dialect: these are not texts
    /// of the server.
    private static let numbers = """
        WITH RECURSIVE n(i) AS (SELECT $1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $1 + $2),
          u(i, id, bucket, at_ms) AS (
            SELECT i, printf('0198f0c2-7b1a-7c3d-8e4f-%012x', i), i * 2654435761 % 4294967296 * 1000000 / 4294967296, $3 + i * $4 FROM n)
        """

    private static let texts = [
        """
        \(numbers)
        INSERT INTO install (app_id, install_id, secret_hash, profile_id, epoch, version, attribution_version, app_version,
          os_version, platform, locale, store_country, time_zone, is_reinstall, created_at_ms, installed_at_ms)
        SELECT 'example', id, zeroblob(32), printf('i_0198f0c2-7b1a-7c3d-8e4f-%012x', i - (i % 50 = 49)), at_ms, 2, 1,
          '2.' || (i % 3) || '.0', '18.1', 'ios', 'en_US', 'US', 'America/New_York', 0, at_ms, at_ms FROM u
        """,
        """
        \(numbers)
        INSERT INTO install (app_id, install_id, secret_hash, profile_id, epoch, version, attribution_version, app_version,
          platform, is_reinstall, first_install_id, created_at_ms, installed_at_ms)
        SELECT 'example', printf('0198f0c2-7b1a-7c3d-9e4f-%012x', i), zeroblob(32), 'i_' || id, at_ms, 2, 1, '2.2.0', 'ios', 1, id,
          at_ms + 432000000, at_ms + 432000000 FROM u WHERE i % 100 IN (10, 40, 70)
        """,
        """
        \(numbers)
        INSERT INTO install_seen (app_id, install_id, last_seen_at_ms)
        SELECT 'example', id, at_ms FROM u
        UNION ALL
        SELECT 'example', printf('0198f0c2-7b1a-7c3d-9e4f-%012x', i), at_ms + 432000000 FROM u WHERE i % 100 IN (10, 40, 70)
        """,
        """
        \(numbers)
        INSERT INTO experiment_unit (app_id, unit, experiment, epoch, variation, bucket, step, revision, assigned_at_ms,
          decided_at_ms, shown_at_ms, fallback_at_ms)
        SELECT 'example', id, 'spring-price', CASE WHEN at_ms < $3 + 1728000000 THEN 1 ELSE 2 END,
          CASE WHEN bucket < 500000 THEN 'A' ELSE 'B' END, bucket, CASE WHEN i % 100 = 99 THEN 'echoed' ELSE 'drawn' END, 1, at_ms,
          at_ms + 500, CASE WHEN i % 50 <> 13 THEN at_ms + 1000 + bucket % 60000 END, CASE WHEN i % 50 = 21 THEN at_ms + 700 END FROM u
        """,
        """
        \(numbers)
        INSERT INTO attribution_fact (app_id, install_id, fact_id, source, status, is_verified, is_test, said_at_ms,
          recorded_at_ms, apple_ads)
        SELECT 'example', id, 'apple:' || i, 'apple_search_ads', CASE WHEN i % 2 = 0 THEN 'non_organic' ELSE 'organic' END, 1, 0,
          at_ms + 900, at_ms + 900,
          '{"adGroupId":542317095,"attribution":true,"campaignId":542370539,"conversionType":"Download","countryOrRegion":"US"}'
        FROM u WHERE i % 3 = 0 AND i % 30 <> 0
        """,
        """
        \(numbers)
        INSERT INTO attribution_fact (app_id, install_id, fact_id, source, status, is_verified, is_test, said_at_ms,
          recorded_at_ms, campaign, link)
        SELECT 'example', id, 'link:' || i, 'link', 'non_organic', 1, 0, at_ms - 3600000, at_ms + 900, 'beach',
          '{"code":"links.example.com/beach","windows":{"clickWindowDays":7,"reattributionAfterDays":7}}'
        FROM u WHERE i % 30 = 0
        """,
        """
        \(numbers)
        INSERT INTO event (app_id, id, profile_id, install_id, event_id, type, occurred_at_ms, received_at_ms)
        SELECT 'example', printf('0199b0a0-0000-7000-8000-%012x', i), 'i_' || id, id, printf('0199b0a0-0000-7000-9000-%012x', i),
          'trial_started', at_ms + 100000 + bucket * 800, at_ms + 100000 + bucket * 800 FROM u WHERE i % 40 = 7
        """,
    ]
}
