// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// What the store has of the time before a node began, so that Live is not empty after a restart. It reads the newest rows by their
/// keys; what is older than they are, as a source that became known long after a first open, is left out.
struct LiveBeginning: Sendable {
    /// First opens, taps and exposures, each.
    static let most: Int64 = 300
    /// Rows that are read for them: clicks may be machines', and events are of every kind.
    static let mostRead: Int64 = 2_000

    let database: any Database
    let app: AppID

    /// Adds the facts in the order of time. To be called before the node serves.
    func fill(_ feed: LiveFeed) async throws {
        let facts = try await database.read { connection in
            try firstOpens(connection) + taps(connection) + exposures(connection)
        }
        for fact in facts.sorted(by: { $0.atMs < $1.atMs }) { feed.add(fact) }
    }

    static let installsText = """
        SELECT install_id FROM install WHERE app_id = $1 ORDER BY created_at_ms DESC, install_id DESC LIMIT $2
        """
    static let clicksText = """
        SELECT clicked_at_ms, kind, platform, link_host, link_path, outcome, country, campaign
        FROM click WHERE app_id = $1 ORDER BY click_id DESC LIMIT $2
        """
    static let eventsText = """
        SELECT type, received_at_ms, install_id, placement, paywall, audience, variation_id
        FROM event WHERE app_id = $1 ORDER BY id DESC, profile_id DESC LIMIT $2
        """

    /// With the sources of these installs.
    private func firstOpens(_ connection: any ReadConnection) throws -> [LiveFact] {
        try connection.rows(Self.installsText, [.text(app.rawValue), .integer(Self.most)]).flatMap { row in
            guard let install = try StoredInstall(app, InstallID(try row.text(0)), storeEpoch: 0, from: connection)?.install else {
                return [LiveFact]()
            }
            return [.firstOpen(of: install, atMs: install.createdAtMs)]
                + install.facts.compactMap { LiveFact.attribution($0, of: install.id, atMs: $0.recordedAtMs) }
        }
    }

    private func taps(_ connection: any ReadConnection) throws -> [LiveFact] {
        let rows = try connection.rows(Self.clicksText, [.text(app.rawValue), .integer(Self.mostRead)])
        return try rows.filter { try $0.text(1) == ClickKind.person.rawValue }.prefix(Int(Self.most)).map { row in
            LiveFact.tap(
                on: try row.text(3) + row.text(4), platform: try row.text(2), country: row.optionalText(6), outcome: try row.text(5),
                campaign: row.optionalText(7), atMs: try row.integer(0))
        }
    }

    private func exposures(_ connection: any ReadConnection) throws -> [LiveFact] {
        let rows = try connection.rows(Self.eventsText, [.text(app.rawValue), .integer(Self.mostRead)])
        return try rows.filter { try $0.text(0) == Event.Kind.paywallShown.rawValue }.prefix(Int(Self.most)).map { row in
            LiveFact.exposure(
                row.optionalText(3), row.optionalText(4), audience: row.optionalText(5), variation: row.optionalText(6),
                install: try row.text(2), atMs: try row.integer(1))
        }
    }
}
