// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallSQLite
import LandfallStore
import NIOEmbedded

struct StoredReportsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stored-reports", abstract: "Makes a store with long and wide reports, to measure the console's pages."
    )

    @Argument(help: "The folder of the store.") var folder: String
    @Option(help: "First opens, spread over the days.") var installs = 1_000_000
    @Option(help: "Paywalls shown and own events.") var events = 10_000_000
    @Option(help: "Stored links.") var links = 100_000
    @Option(help: "Clicks of these links.") var clicks = 1_000_000
    @Option(help: "How many days back the first open and the first click are.") var days = 400

    func run() async throws {
        try await StoredReports(
            folder: folder, installs: installs, events: events, links: links, clicks: clicks, days: Int64(days)
        ).run()
    }
}

/// The facts for `Benchmarks/run --only reports`, as phones would have sent them over the days. None of them is counted yet: the
/// server that opens the store counts everything, and that is measured too.
private struct StoredReports {
    let folder: String
    let installs: Int
    let events: Int
    let links: Int
    let clicks: Int
    let days: Int64

    func run() async throws {
        let store = try await MadeStore(folder: folder, nowMs: Self.nowMs)
        let firstMs = Self.nowMs - days * Self.dayMs, spanMs = days * Self.dayMs - 3_600_000
        func step(_ count: Int) -> Int64 { max(1, spanMs / Int64(max(1, count))) }
        func values(_ count: Int, _ other: Int) -> [SQLValue] {
            [.integer(firstMs), .integer(step(count)), .integer(Int64(max(1, other)))]
        }
        try await store.fill(installs, by: [Self.installText, Self.seenText, Self.factText], values(installs, 1))
        try await store.fill(links, by: [Self.linkText], values(links, 1))
        try await store.fill(clicks, by: [Self.clickText], values(clicks, links))
        try await store.fill(events, by: [Self.eventText], values(events, installs) + [.integer(step(installs))])
        // As after an update from a release that counted nothing.
        try await store.database.write { connection in _ = try connection.run("DELETE FROM report_state", []) }
        try await store.database.close()
    }

    private static let nowMs = Int64(Date().timeIntervalSince1970 * 1000)
    private static let dayMs: Int64 = 86_400_000

    /// `$2` numbers from `$1` on, and their times. SQLite's own dialect: these are not texts of the server.
    private static let numbers = """
        WITH RECURSIVE n(i) AS (SELECT $1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $1 + $2),
          u(i, at_ms) AS (SELECT i, $3 + i * $4 FROM n WHERE $5 > 0)
        """

    private static let installText = """
        \(numbers)
        INSERT INTO install (app_id, install_id, secret_hash, profile_id, epoch, version, attribution_version, app_version,
          os_version, platform, locale, store_country, time_zone, token_none, is_reinstall, created_at_ms, installed_at_ms)
        SELECT 'example', printf('0198f0c2-7b1a-7c3d-8e4f-%012x', i),
          X'66687AADF862BD776C8FC18B8E9F8E20089714856EE233B3902A591D0D5F2925', printf('i_0198f0c2-7b1a-7c3d-8e4f-%012x', i),
          at_ms, 2, 1, '2.' || (i % 5) || '.0', '18.1', 'ios', 'en_US', substr('USDEFRJPCNGBBRINKRESITCA', 1 + i % 12 * 2, 2),
          'America/New_York', 'noToken', 0, at_ms, at_ms FROM u
        """

    private static let seenText = """
        \(numbers)
        INSERT INTO install_seen (app_id, install_id, last_seen_at_ms)
        SELECT 'example', printf('0198f0c2-7b1a-7c3d-8e4f-%012x', i), at_ms + i % 9 * 86400000 FROM u
        """

    /// Two of five installs come from 200 campaigns with 5 ad groups each; of one in five of them a link is the source.
    private static let factText = """
        \(numbers)
        INSERT INTO attribution_fact (app_id, install_id, fact_id, source, status, is_verified, is_test, said_at_ms,
          recorded_at_ms, campaign, apple_ads, link)
        SELECT 'example', printf('0198f0c2-7b1a-7c3d-8e4f-%012x', i), 'fact:' || i,
          CASE WHEN i % 25 < 2 THEN 'link' ELSE 'apple_search_ads' END, 'non_organic', 1, 0,
          CASE WHEN i % 25 < 2 THEN at_ms - 60000 ELSE at_ms + 900 END, at_ms + 900,
          CASE WHEN i % 25 < 2 THEN 'campaign-' || (i * 31 % 1000 % 500) END,
          CASE WHEN i % 25 < 2 THEN NULL ELSE
            '{"adGroupId":' || (542317000 + i % 1000) || ',"attribution":true,"campaignId":' || (542370000 + i % 200)
              || ',"conversionType":"Download","countryOrRegion":"US"}' END,
          CASE WHEN i % 25 < 2 THEN printf('{"code":"brandname.go.link/l%06d"', i * 31 % 1000)
            || ',"windows":{"clickWindowDays":7,"reattributionAfterDays":7}}' END
        FROM u WHERE i % 5 < 2
        """

    private static let linkText = """
        \(numbers)
        INSERT INTO link (app_id, host, path, destination, campaign, created_at_ms)
        SELECT 'example', 'brandname.go.link', printf('/l%06d', i), 'https://example.com/l/' || i, 'campaign-' || (i % 500), at_ms FROM u
        """

    /// Few links have most of the clicks.
    private static let clickText = """
        \(numbers)
        INSERT INTO click (app_id, click_id, clicked_at_ms, kind, platform, link_host, link_path, outcome, visitor, country, campaign)
        SELECT 'example', printf('%08x-%04x-7000-8000-%012x', at_ms >> 16, at_ms & 65535, i), at_ms,
          CASE WHEN i % 20 = 0 THEN 'bot' ELSE 'person' END, CASE WHEN i % 3 = 0 THEN 'android' ELSE 'ios' END, 'brandname.go.link',
          printf('/l%06d', CASE WHEN i % 4 = 0 THEN i * 7919 % $5 ELSE i * 31 % (1 + $5 / 100) END),
          CASE WHEN i % 2 = 0 THEN 'store' ELSE 'page' END, i * 2654435761 % 4294967296,
          substr('USDEFRJPCNGBBRINKRESITCA', 1 + i % 12 * 2, 2), NULL FROM u
        """

    /// The events of an install follow its first open; each install comes `$6` ms after the one before.
    private static let eventText = """
        \(numbers)
        INSERT INTO event (app_id, id, profile_id, install_id, event_id, type, occurred_at_ms, received_at_ms, placement, paywall,
          audience, revision, origin)
        SELECT 'example', printf('%08x-%04x-7000-8000-%012x', (at_ms + 60000) >> 16, (at_ms + 60000) & 65535, i),
          printf('i_0198f0c2-7b1a-7c3d-8e4f-%012x', (at_ms - $3) / $6),
          printf('0198f0c2-7b1a-7c3d-8e4f-%012x', (at_ms - $3) / $6), printf('0198f0c2-7b1a-7c3d-9e4f-%012x', i),
          CASE WHEN i % 10 = 9 THEN 'trial_started' ELSE 'paywall_shown' END, at_ms + 60000, at_ms + 60000,
          CASE WHEN i % 10 = 9 THEN NULL ELSE 'placement-' || (i % 6) END, CASE WHEN i % 10 = 9 THEN NULL ELSE 'paywall-' || (i % 15) END,
          CASE WHEN i % 10 = 9 THEN NULL ELSE 'audience-' || (i % 4) END, 1,
          CASE WHEN i % 10 = 9 THEN NULL ELSE CASE i % 3 WHEN 0 THEN 'cache' WHEN 1 THEN 'matchingAudience' ELSE 'defaultAudience' END END
        FROM u
        """
}
