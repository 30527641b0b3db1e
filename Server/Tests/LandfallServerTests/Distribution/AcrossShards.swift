// SPDX-License-Identifier: Apache-2.0

/// Statements that touch more than the shards of one value, and why they may. A part of the text names them; it may stand for several that
/// have the same reason.
struct AcrossShards {
    let fault: ShardUse.Fault
    let reason: String
    let parts: [String]

    static let all = [
        AcrossShards(
            fault: .everyShard, reason: "retention deletes what is old everywhere, some rows at a time",
            parts: [
                "DELETE FROM absence WHERE app_id = $1 AND (install_id, began_at_ms) IN",
                "DELETE FROM app_store_notification WHERE app_id = $1 AND (environment, notification_uuid) IN",
                "DELETE FROM apple_ads_exchange WHERE app_id = $1 AND (install_id, token_hash) IN",
                "DELETE FROM button_tap WHERE app_id = $1 AND (click_id, button) IN",
                "DELETE FROM click WHERE app_id = $1 AND NOT click_id >= $2 AND click_id IN",
                "DELETE FROM erased_install WHERE app_id = $1 AND install_hash IN",
                "DELETE FROM event WHERE app_id = $1 AND NOT id >= $2 AND id IN",
                "DELETE FROM event_key WHERE app_id = $1 AND (install_id, event_id) IN",
                "DELETE FROM request_key WHERE app_id = $1 AND (install_id, request_key) IN",
                "FROM former_profile WHERE app_id = $1 AND left_at_ms < $2",
                "i.install_id) > ($3, $4)",
            ]),
        AcrossShards(
            fault: .everyShard,
            reason: "reports, results and impact count all installs or all taps, and no phone waits for them",
            parts: [
                "FROM experiment_unit WHERE app_id = $1 AND experiment = $2 AND", "FROM experiment_unit u JOIN install i ON",
                "FROM install_progress WHERE app_id = $1", "SELECT 1 FROM install_progress p",
                "FROM attribution_fact WHERE app_id = $1 AND install_id > $2",
                "FROM install WHERE app_id = $1 AND install_id > $2",
                "COUNT(*) AS count FROM install WHERE app_id = $1", "COUNT(*) AS stored FROM install WHERE app_id = $1",
                "FROM install WHERE app_id = $1 LIMIT 1", "type = 'paywall_shown' AND occurred_at_ms",
                "SELECT MIN(occurred_at_ms)",
                "FROM event WHERE app_id = $1 AND id > $2", "FROM event WHERE app_id = $1 AND type = $2",
                "FROM click WHERE app_id = $1 AND click_id >",
                "FROM click WHERE app_id = $1 ORDER BY click_id LIMIT 1",
                "FROM charge WHERE app_id = $1 AND purchase_day <=", "FROM charge WHERE app_id = $1 AND booking_day <=",
                "FROM charge WHERE app_id = $1 AND chain_id > $2", "FROM purchase_fact WHERE app_id = $1 AND chain_id > $2",
            ]),
        AcrossShards(
            fault: .everyShard, reason: "exports read the rows of a day from all shards, some at a time, and no phone waits for them",
            parts: [
                "FROM click WHERE app_id = $1 AND click_id < $2 AND click_id > $3", "FROM event WHERE app_id = $1 AND id < $2 AND id > $3",
                "FROM experiment_unit WHERE app_id = $1 AND assigned_at_ms < $2", "FROM erased_install WHERE app_id = $1 AND erased_at_ms < $2 AND",
                "FROM install WHERE app_id = $1 AND created_at_ms < $2",
            ]),
        AcrossShards(
            fault: .everyShard, reason: "one job takes the marks of all shards",
            parts: [
                "FROM report_dirty WHERE app_id = $1 AND report = $2 ORDER BY", "SELECT MIN(since_ms)",
                "SELECT bucket FROM report_dirty WHERE app_id = $1 AND report = $2 LIMIT",
                "DELETE FROM report_dirty WHERE app_id = $1 AND report = $2",
            ]),
        AcrossShards(
            fault: .everyShard, reason: "the console shows the newest rows of all shards",
            parts: [
                "FROM install WHERE app_id = $1 ORDER BY created_at_ms DESC", "FROM install WHERE app_id = $1 AND created_at_ms >= $3",
                "FROM event WHERE app_id = $1 AND id > $3 ORDER BY id DESC", "FROM click WHERE app_id = $1 ORDER BY click_id DESC",
            ]),
        AcrossShards(
            fault: .everyShard, reason: "the doctor compares the newest answers of Apple with the ad accounts that are read",
            parts: ["SELECT f.apple_ads FROM ("]),
        AcrossShards(
            fault: .everyShard, reason: "there is no directory of devices and of tokens yet",
            // The first part is of the text that looks for a device and for a token.
            parts: [
                "FROM install WHERE app_id = $1 AND device_id = $2", "FROM install WHERE app_id = $1 AND first_install_id = $2",
            ]),
        AcrossShards(
            fault: .everyShard,
            reason: "there is no directory from a profile to its installs yet, nor back to those that it had",
            parts: [
                "FROM install WHERE app_id = $1 AND profile_id",
                "WHERE i.app_id = $1 AND i.profile_id = $2 ORDER BY COALESCE(s.last_seen_at_ms",
                "FROM former_profile WHERE app_id = $1 AND install_id = $2",
            ]),
        AcrossShards(
            fault: .everyShard, reason: "an erasure, and the job that counts installs, look for what an install has brought; an erasure for tokens of the app's own",
            parts: [
                "FROM purchase_chain WHERE app_id = $1 AND brought_by_install", "DELETE FROM purchase_token WHERE app_id = $1 AND profile_id",
            ]),
        AcrossShards(
            fault: .everyShard, reason: "an operator asks once for all notifications that were given up, and alerts whether a new one has come",
            parts: ["FROM app_store_notification WHERE app_id = $1 AND expires_at_ms > $2"]),
        AcrossShards(
            fault: .everyShard, reason: "one job asks the App Store about subscriptions of all shards",
            parts: ["FROM purchase_chain WHERE app_id = $1 AND news_due_at_ms"]),
        AcrossShards(
            fault: .everyShard, reason: "an operator asks how many notifications the second receiver did not take",
            parts: ["FROM app_store_notification WHERE app_id = $1 AND forwarding = 'givenUp'"]),
        AcrossShards(
            fault: .everyShard, reason: "a change of what products open walks over all chains",
            parts: ["FROM purchase_chain WHERE app_id = $1 AND chain_id >"]),
        AcrossShards(
            fault: .everyShard, reason: "retention looks for the paywalls of all chains that name one",
            parts: ["exposure_id IS NOT NULL AND sold_by IS NULL AND chain_id >"]),
        AcrossShards(
            fault: .everyShard, reason: "a backend takes a grant back by its id alone, and no phone waits for it",
            parts: ["FROM access_grant WHERE app_id = $1 AND grant_id"]),
        AcrossShards(
            fault: .everyShard, reason: "there is no directory from a customer to all profiles with this id yet",
            parts: ["FROM profile WHERE app_id = $1 AND customer_id"]),
        AcrossShards(
            fault: .crossing, reason: "a migration marks the days of all charges once, before tables are distributed",
            parts: ["INSERT INTO report_dirty (app_id, report, bucket, since_ms, stamp) SELECT app_id, 'charge'"]),
        AcrossShards(
            fault: .crossing, reason: "a profile is read with what leads to it; with the directories that becomes two flights",
            parts: ["LEFT JOIN profile p ON", "FROM profile p JOIN install i ON"]),
        AcrossShards(
            fault: .crossing, reason: "results count a reinstall as its device's first install, which is on another shard",
            parts: ["COALESCE(o.unit, i.first_install_id, p.install_id)", "i.first_install_id = u.unit || ''"]),
        AcrossShards(
            fault: .crossing, reason: "results look for profiles with two units",
            parts: ["FROM install m CROSS JOIN experiment_unit x"]),
        AcrossShards(
            fault: .crossing, reason: "results read events by unit, with `|| ''` so that SQLite begins with the unit",
            parts: ["e.install_id = u.unit || ''"]),
        AcrossShards(
            fault: .crossing, reason: "results read the charges of chains that a unit's installs brought, a page of units at a time",
            parts: ["c.brought_by_install = u.unit || ''", "c.brought_by_install = i.install_id"]),
        AcrossShards(
            fault: .crossing, reason: "results read which installs wait for Apple; the queue is on the coordinator",
            parts: ["FROM job j LEFT JOIN attribution_fact f ON"]),
    ]
}
