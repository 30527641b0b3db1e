// SPDX-License-Identifier: Apache-2.0
import LandfallReports
package import LandfallRules
package import LandfallServer
package import LandfallStore
import LandfallWire

/// What the store has of the time before a node began, so that Live is not empty after a restart: three reads of the newest rows.
package struct LiveBeginning: Sendable {
    /// First opens (with the sources of these installs), taps and exposures, each.
    static let most = 300
    /// Rows that are read for taps and for exposures: clicks may be machines', and events are of every kind.
    static let mostRead = 2_000

    package let database: any Database
    package let app: AppID

    package init(database: any Database, app: AppID) {
        (self.database, self.app) = (database, app)
    }

    /// Adds the facts in the order of time. To be called before the node serves.
    package func fill(_ feed: LiveFeed) async throws {
        let facts = try await database.read { connection in
            try firstOpens(connection) + taps(connection) + exposures(connection)
        }
        for fact in facts.sorted(by: { $0.atMs < $1.atMs }) { feed.add(fact) }
    }

    /// By the index of installs by their creation.
    static let installsText = InstallReading.columns + "\n" + """
        FROM (
            SELECT app_id, install_id, created_at_ms, installed_at_ms, platform, locale, store_country, first_install_id, is_reinstall,
              first_app_version
            FROM install WHERE app_id = $1 ORDER BY created_at_ms DESC, install_id DESC LIMIT $2
          ) i

        """ + InstallReading.facts
    static let clicksText = """
        SELECT clicked_at_ms, kind, platform, link_host, link_path, outcome, country, campaign
        FROM click WHERE app_id = $1 ORDER BY click_id DESC LIMIT $2
        """
    /// An erasure deletes an install first, and its events in as many transactions as they need.
    static let eventsText = """
        SELECT e.received_at_ms, e.install_id, e.placement, e.paywall, e.audience, e.variation_id
        FROM (
            SELECT app_id, type, received_at_ms, install_id, placement, paywall, audience, variation_id
            FROM event WHERE app_id = $1 ORDER BY id DESC, profile_id DESC LIMIT $2
          ) e
        WHERE e.type = 'paywall_shown'
          AND EXISTS (SELECT 1 FROM install i WHERE i.app_id = e.app_id AND i.install_id = e.install_id)
        """

    private func rows(_ text: String, _ most: Int, _ connection: any ReadConnection) throws -> [Row] {
        try connection.rows(text, [.text(app.rawValue), .integer(Int64(most))])
    }

    private func firstOpens(_ connection: any ReadConnection) throws -> [LiveFact] {
        try Dictionary(grouping: rows(Self.installsText, Self.most, connection)) { try $0.text(0) }.flatMap { id, rows in
            guard let install = try ReportedInstall(id, rows) else { return [LiveFact]() }
            var device = install.device
            device.appVersion = install.appVersion
            return try [.firstOpen(of: install.id, on: device, atMs: install.firstCallAtMs)]
                + rows.compactMap { try AttributionFact($0, from: InstallReading.firstOfFact) }.compactMap {
                    LiveFact.attribution($0, of: install.id, atMs: $0.recordedAtMs)
                }
        }
    }

    private func taps(_ connection: any ReadConnection) throws -> [LiveFact] {
        let taps = try rows(Self.clicksText, Self.mostRead, connection).filter { try $0.text(1) == ClickKind.person.rawValue }
        return try taps.prefix(Self.most).map { row in
            LiveFact.tap(
                on: try row.text(3) + row.text(4), platform: try row.text(2), country: row.optionalText(6), outcome: try row.text(5),
                campaign: row.optionalText(7), atMs: try row.integer(0))
        }
    }

    private func exposures(_ connection: any ReadConnection) throws -> [LiveFact] {
        let facts = try rows(Self.eventsText, Self.mostRead, connection).map { row in
            LiveFact.exposure(
                row.optionalText(2), row.optionalText(3), audience: row.optionalText(4), variation: row.optionalText(5),
                install: try row.text(1), atMs: try row.integer(0))
        }
        return Array(facts.sorted { $0.atMs > $1.atMs }.prefix(Self.most))
    }
}
