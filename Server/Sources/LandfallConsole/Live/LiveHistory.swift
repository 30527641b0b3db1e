// SPDX-License-Identifier: Apache-2.0
import LandfallReports
package import LandfallRules
package import LandfallServer
package import LandfallStore
import LandfallWire

/// What the store has of the time before a node began, so that Live is not empty after a restart: three reads of the newest rows. On a store
/// that nodes share, ``LiveReading`` repeats them.
package struct LiveHistory: Sendable {
    /// First opens (with the sources of these installs), taps and exposures, each.
    static let most = 300
    /// Installs that are read because they changed.
    static let mostChanged = 200
    /// Rows that are read for taps and for exposures: clicks may be machines', and events are of every kind.
    static let mostRead = 2_000

    package let database: any Database
    package let app: AppID
    /// For the keys of facts; nil where one node alone serves the store.
    private let mark: StoreMark?

    package init(database: any Database, app: AppID, mark: StoreMark? = nil) {
        (self.database, self.app, self.mark) = (database, app, mark)
    }

    /// Adds the facts in the order of time. To be called before the node serves.
    package func fill(_ feed: LiveFeed) async throws {
        for fact in try await facts(sinceMs: 0, most: Self.most) { feed.add(fact) }
    }

    /// The newest facts, in the order of time.
    /// - Parameters:
    ///   - sinceMs: only facts of that instant or later.
    ///   - most: how many first opens, taps and exposures, each.
    ///   - changed: further installs that may have facts since then; at most ``mostChanged``. If others may have changed too, the newest
    ///     installs are looked at, whenever they opened first.
    func facts(sinceMs: Int64, most: Int, changed: ChangedInstalls.Heard = .init()) async throws -> [LiveFact] {
        let facts = try await database.read { connection in
            try firstOpens(sinceMs, changed, connection) + taps(sinceMs, connection).prefix(most) + exposures(sinceMs, connection).prefix(most)
        }
        return facts.filter { $0.atMs >= sinceMs }.sorted { $0.atMs < $1.atMs }
    }

    private enum ClickColumn: Int, TableColumn { case click_id, clicked_at_ms, kind, platform, link_host, link_path, outcome, country, campaign }
    private enum EventColumn: Int, TableColumn { case id, received_at_ms, install_id, placement, paywall, audience, variation_id }

    /// By the index of installs by their creation.
    static let installsText = InstallReader.columns + "\n" + """
        FROM (
            SELECT app_id, \(ReportedInstall.Column.names())
            FROM install WHERE app_id = $1 AND created_at_ms >= $3 ORDER BY created_at_ms DESC, install_id DESC LIMIT $2
          ) i

        """ + InstallReader.facts
    static let changedText = InstallReader.columns + "\n" + """
        FROM install i \(InstallReader.facts)
        WHERE i.app_id = $1 AND i.install_id IN (\(Statement.places(2..<2 + mostChanged)))
        """
    static let clicksText = """
        SELECT \(ClickColumn.names())
        FROM click WHERE app_id = $1 AND click_id > $3 ORDER BY click_id DESC LIMIT $2
        """
    /// An erasure deletes an install first, and its events in as many transactions as they need.
    static let eventsText = """
        SELECT \(EventColumn.names(of: "e"))
        FROM (
            SELECT app_id, type, \(EventColumn.names())
            FROM event WHERE app_id = $1 AND id > $3 ORDER BY id DESC, install_id DESC LIMIT $2
          ) e
        WHERE e.type = 'paywall_shown'
          AND EXISTS (SELECT 1 FROM install i WHERE i.app_id = e.app_id AND i.install_id = e.install_id)
        """

    private func rows(_ text: String, _ most: Int, since: SQLValue, _ connection: any ReadConnection) throws -> [Row] {
        try connection.rows(text, [.text(app.rawValue), .integer(Int64(most)), since])
    }

    private func firstOpens(_ sinceMs: Int64, _ changed: ChangedInstalls.Heard, _ connection: any ReadConnection) throws -> [LiveFact] {
        let opened = try rows(Self.installsText, Self.most, since: .integer(changed.isComplete ? sinceMs : 0), connection)
        return try facts(opened) + facts(rows(of: Array(changed.installs), connection))
    }

    private func rows(of changed: [InstallID], _ connection: any ReadConnection) throws -> [Row] {
        guard let first = changed.first else { return [] }
        let places = changed + Array(repeating: first, count: Self.mostChanged - changed.count)
        return try connection.rows(Self.changedText, [.text(app.rawValue)] + places.map { .text($0.rawValue) })
    }

    private func facts(_ rows: [Row]) throws -> [LiveFact] {
        try Dictionary(grouping: rows) { try $0.text(InstallReader.install[.install_id]) }.flatMap { id, rows in
            guard let install = try ReportedInstall(id, rows) else { return [LiveFact]() }
            var device = install.device
            device.appVersion = install.appVersion
            return try [keyed(.firstOpen(of: install.id, on: device, atMs: install.firstCallAtMs), id)]
                + rows.compactMap { try AttributionFact($0, InstallReader.fact) }.compactMap { fact in
                    LiveFact.attribution(fact, of: install.id, atMs: fact.recordedAtMs).map { keyed($0, id + " " + fact.id) }
                }
        }
    }

    private func keyed(_ fact: LiveFact, _ id: String) -> LiveFact { mark.map { fact.stored(as: id, in: $0) } ?? fact }

    private func taps(_ sinceMs: Int64, _ connection: any ReadConnection) throws -> [LiveFact] {
        let click = ColumnIndexes<ClickColumn>()
        let rows = try rows(Self.clicksText, Self.mostRead, since: .text(UUIDv7.earliest(atMs: sinceMs)), connection)
        return try rows.filter { try $0.text(click[.kind]) == ClickKind.person.rawValue }.map { row in
            let tap = LiveFact.tap(
                on: try row.text(click[.link_host]) + row.text(click[.link_path]), platform: try row.text(click[.platform]),
                country: row.optionalText(click[.country]), outcome: try row.text(click[.outcome]),
                campaign: row.optionalText(click[.campaign]), atMs: try row.integer(click[.clicked_at_ms]))
            return try keyed(tap, row.text(click[.click_id]))
        }
    }

    private func exposures(_ sinceMs: Int64, _ connection: any ReadConnection) throws -> [LiveFact] {
        let event = ColumnIndexes<EventColumn>()
        let rows = try rows(Self.eventsText, Self.mostRead, since: .text(UUIDv7.earliest(atMs: sinceMs)), connection)
        return try rows.map { row in
            let exposure = LiveFact.exposure(
                row.optionalText(event[.placement]), row.optionalText(event[.paywall]), audience: row.optionalText(event[.audience]),
                variation: row.optionalText(event[.variation_id]), install: try row.text(event[.install_id]),
                atMs: try row.integer(event[.received_at_ms]))
            return try keyed(exposure, row.text(event[.id]))
        }.sorted { $0.atMs > $1.atMs }
    }
}
