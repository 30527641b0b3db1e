// SPDX-License-Identifier: Apache-2.0
import LandfallReports
package import LandfallRules
package import LandfallServer
package import LandfallStore
import LandfallWire

/// What the store has of the time before a node began, so that Live is not empty after a restart: three reads of the newest rows.
package struct LiveHistory: Sendable {
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

    private enum ClickColumn: Int, TableColumn { case clicked_at_ms, kind, platform, link_host, link_path, outcome, country, campaign }
    private enum EventColumn: Int, TableColumn { case received_at_ms, install_id, placement, paywall, audience, variation_id }

    /// By the index of installs by their creation.
    static let installsText = InstallReader.columns + "\n" + """
        FROM (
            SELECT app_id, \(ReportedInstall.Column.names())
            FROM install WHERE app_id = $1 ORDER BY created_at_ms DESC, install_id DESC LIMIT $2
          ) i

        """ + InstallReader.facts
    static let clicksText = """
        SELECT \(ClickColumn.names())
        FROM click WHERE app_id = $1 ORDER BY click_id DESC LIMIT $2
        """
    /// An erasure deletes an install first, and its events in as many transactions as they need.
    static let eventsText = """
        SELECT \(EventColumn.names(of: "e"))
        FROM (
            SELECT app_id, type, \(EventColumn.names())
            FROM event WHERE app_id = $1 ORDER BY id DESC, install_id DESC LIMIT $2
          ) e
        WHERE e.type = 'paywall_shown'
          AND EXISTS (SELECT 1 FROM install i WHERE i.app_id = e.app_id AND i.install_id = e.install_id)
        """

    private func rows(_ text: String, _ most: Int, _ connection: any ReadConnection) throws -> [Row] {
        try connection.rows(text, [.text(app.rawValue), .integer(Int64(most))])
    }

    private func firstOpens(_ connection: any ReadConnection) throws -> [LiveFact] {
        try Dictionary(grouping: rows(Self.installsText, Self.most, connection)) { try $0.text(InstallReader.install[.install_id]) }.flatMap { id, rows in
            guard let install = try ReportedInstall(id, rows) else { return [LiveFact]() }
            var device = install.device
            device.appVersion = install.appVersion
            return try [.firstOpen(of: install.id, on: device, atMs: install.firstCallAtMs)]
                + rows.compactMap { try AttributionFact($0, InstallReader.fact) }.compactMap {
                    LiveFact.attribution($0, of: install.id, atMs: $0.recordedAtMs)
                }
        }
    }

    private func taps(_ connection: any ReadConnection) throws -> [LiveFact] {
        let click = ColumnIndexes<ClickColumn>()
        let taps = try rows(Self.clicksText, Self.mostRead, connection).filter { try $0.text(click[.kind]) == ClickKind.person.rawValue }
        return try taps.prefix(Self.most).map { row in
            LiveFact.tap(
                on: try row.text(click[.link_host]) + row.text(click[.link_path]), platform: try row.text(click[.platform]),
                country: row.optionalText(click[.country]), outcome: try row.text(click[.outcome]),
                campaign: row.optionalText(click[.campaign]), atMs: try row.integer(click[.clicked_at_ms]))
        }
    }

    private func exposures(_ connection: any ReadConnection) throws -> [LiveFact] {
        let event = ColumnIndexes<EventColumn>()
        let facts = try rows(Self.eventsText, Self.mostRead, connection).map { row in
            LiveFact.exposure(
                row.optionalText(event[.placement]), row.optionalText(event[.paywall]), audience: row.optionalText(event[.audience]),
                variation: row.optionalText(event[.variation_id]), install: try row.text(event[.install_id]),
                atMs: try row.integer(event[.received_at_ms]))
        }
        return Array(facts.sorted { $0.atMs > $1.atMs }.prefix(Self.most))
    }
}
