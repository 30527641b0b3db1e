// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore

/// A year of charges, as folds would have stored them: subscriptions by the week, the month and the year, packs of one time, renewals and
/// refunds, in 30 countries and 8 currencies, of installs from 200 campaigns, from links and from nowhere.
struct ChargedYear {
    /// Since 1970, UTC: the first of 365.
    let firstDay: Int64
    let purchases: Int

    static let days: Int64 = 365

    func store(in made: MadeStore) async throws {
        try await made.fill(
            purchases, by: [Self.installText, Self.factText, Self.chainText, Self.purchaseText, Self.refundText],
            [.integer(firstDay * 86_400_000)])
    }

    /// Of ten groups of six purchases, six are half a year by the month, two are six weeks, one is six single years, and one is six packs.
    /// SQLite's own dialect: these are not texts of the server.
    private static let numbers = """
        WITH RECURSIVE n(i) AS (SELECT $1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $1 + $2),
          g(i, plan) AS (SELECT i, i / 6 % 10 FROM n),
          h(i, plan, head, seq) AS (
            SELECT i, plan, CASE WHEN plan < 8 THEN i / 6 * 6 ELSE i END, CASE WHEN plan < 8 THEN i % 6 ELSE 0 END FROM g),
          s(i, plan, head, seq, period_ms, begin_ms, place) AS (
            SELECT i, plan, head, seq,
              CASE WHEN plan < 6 THEN 30 WHEN plan < 8 THEN 7 WHEN plan = 8 THEN 365 ELSE 0 END * 86400000,
              $3 + head * 2654435761 % (CASE WHEN plan < 6 THEN 215 WHEN plan < 8 THEN 330 ELSE 365 END * 86400000),
              head * 40503 % 65536 % 30
            FROM h),
          p(i, plan, head, seq, period_ms, begin_ms, place, draw, at_ms, chain, transaction_id, install, currency, milliunits) AS (
            SELECT i, plan, head, seq, period_ms, begin_ms, place, head * 2654435761 % 4294967296 / 65536,
              begin_ms + seq * period_ms, 'Production:' || (2000000000000000 + head),
              '' || (2000000000000000 + i), printf('0198f0c2-7b1a-7c3d-8e4f-%012x', head),
              substr('EURUSDGBPJPYCHFSEKPLNBRL', 1 + place % 8 * 3, 3),
              CASE WHEN plan < 6 THEN 9990 WHEN plan < 8 THEN 3990 WHEN plan = 8 THEN 59990 ELSE 1990 END
                * CASE WHEN place % 8 = 3 THEN 150 ELSE 1 END
            FROM s)
        """

    private static let installText = """
        \(numbers)
        INSERT INTO install (app_id, install_id, secret_hash, profile_id, epoch, version, attribution_version, app_version,
          os_version, platform, locale, store_country, time_zone, token_none, is_reinstall, created_at_ms, installed_at_ms)
        SELECT 'example', install, X'66687AADF862BD776C8FC18B8E9F8E20089714856EE233B3902A591D0D5F2925', 'i_' || install,
          begin_ms - 3600000, 2, 1, '2.0.0', '18.1', 'ios', 'en_US', 'US', 'Europe/Berlin', 'noToken', 0, begin_ms - 3600000, begin_ms - 3600000
        FROM p WHERE i = head
        """

    /// Of ten installs four come from Apple Ads and one from a link.
    private static let factText = """
        \(numbers)
        INSERT INTO attribution_fact (app_id, install_id, fact_id, source, status, is_verified, is_test, said_at_ms,
          recorded_at_ms, campaign, apple_ads, link)
        SELECT 'example', install, 'fact:' || head, CASE WHEN draw / 200 % 10 = 4 THEN 'link' ELSE 'apple_search_ads' END, 'non_organic', 1, 0,
          begin_ms - 3700000, begin_ms - 3599000, CASE WHEN draw / 200 % 10 = 4 THEN 'campaign-' || (draw % 200) END,
          CASE WHEN draw / 200 % 10 = 4 THEN NULL ELSE
            '{"adGroupId":' || (542317000 + draw % 1000) || ',"attribution":true,"campaignId":' || (542370000 + draw % 200)
              || ',"conversionType":"Download","countryOrRegion":"US"}' END,
          CASE WHEN draw / 200 % 10 = 4 THEN printf('{"code":"brandname.go.link/l%06d"', draw % 1000)
            || ',"windows":{"clickWindowDays":7,"reattributionAfterDays":7}}' END
        FROM p WHERE i = head AND draw / 200 % 10 < 5
        """

    /// One in twenty is of nobody that is known.
    private static let chainText = """
        \(numbers)
        INSERT INTO purchase_chain (app_id, chain_id, version, facts, first_seen_at_ms, changed_at_ms, owner_profile, users, moves,
          brought_by_install, brought_at_ms, began_at_ms)
        SELECT 'example', chain, 1, 1, begin_ms, begin_ms, 'i_' || install, '[]', '[]',
          CASE WHEN draw % 20 = 7 THEN NULL ELSE install END, CASE WHEN draw % 20 = 7 THEN NULL ELSE begin_ms END, begin_ms
        FROM p WHERE i = head
        """

    private static let columns = """
        app_id, booking_day, chain_id, transaction_id, kind, number, product_id, type, booked_at_ms, purchase_day, purchased_at_ms, currency,
        milliunits, part_numerator, part_denominator, quantity, storefront, reason, period_ends_at_ms, service_ends_at_ms, paid_before_ms,
        is_paid_before_estimated, follows_trial
        """
    private static let storefront = """
        substr('DEUUSAGBRJPNCHESWEPOLBRAFRACANIRLKORAUTNORCZEMEXITAINDAUSTURBELDNKHUNARGESPNLDPRTFINGRCCHL', 1 + place * 3, 3)
        """

    private static let purchaseText = """
        \(numbers)
        INSERT INTO charge (\(columns))
        SELECT 'example', at_ms / 86400000, chain, transaction_id, 'purchase', 0, 'com.example.app.plan' || plan,
          CASE WHEN plan < 9 THEN 'Auto-Renewable Subscription' ELSE 'Consumable' END, at_ms, at_ms / 86400000, at_ms, currency, milliunits,
          1, 1, 1, \(storefront), CASE WHEN seq = 0 THEN 'PURCHASE' ELSE 'RENEWAL' END, CASE WHEN plan < 9 THEN at_ms + period_ms END,
          CASE WHEN plan < 9 THEN at_ms + period_ms END, seq * period_ms, 0, 0
        FROM p
        """

    /// One purchase in forty comes back after three days.
    private static let refundText = """
        \(numbers)
        INSERT INTO charge (\(columns))
        SELECT 'example', at_ms / 86400000 + 3, chain, transaction_id, 'refund', 0, 'com.example.app.plan' || plan,
          CASE WHEN plan < 9 THEN 'Auto-Renewable Subscription' ELSE 'Consumable' END, at_ms + 259200000, at_ms / 86400000, at_ms, currency,
          milliunits, 1, 1, 1, \(storefront), CASE WHEN seq = 0 THEN 'PURCHASE' ELSE 'RENEWAL' END,
          CASE WHEN plan < 9 THEN at_ms + period_ms END, NULL, seq * period_ms, 0, 0
        FROM p WHERE i * 17 % 40 = 3
        """
}
