// SPDX-License-Identifier: Apache-2.0
import Foundation
package import LandfallRules
package import LandfallStore
import LandfallWire

/// Stores links that are made while the server runs; links of the configuration are in its snapshot.
package struct LinkStore: Sendable {
    fileprivate let database: any Database

    package init(_ database: any Database) { self.database = database }

    /// One read by key, however many links are stored.
    package func link(_ app: AppID, host: String, path: LinkPath) async throws -> StoredLink? {
        try await database.read { try Self.links(app, [LinkPlace(host: host, path: path)], $0)[0] }
    }

    /// The same for many places, in order.
    package func links(_ app: AppID, at places: [LinkPlace]) async throws -> [StoredLink?] {
        var links: [StoredLink?] = []
        while links.count < places.count {
            let part = Array(places.dropFirst(links.count).prefix(Self.largestUnit))
            links += try await database.read { try Self.links(app, part, $0) }
        }
        return links
    }

    private static func links(_ app: AppID, _ places: [LinkPlace], _ connection: any ReadConnection) throws -> [StoredLink?] {
        let questions = places.map { Statement(text, [.text(app.rawValue), .text($0.host), .text($0.path.text)]) }
        return try zip(places, connection.rows(questions)).map { place, rows in
            try rows.first.map { try StoredLink($0, host: place.host, path: place.path) }
        }
    }

    private static let text = """
        SELECT destination, campaign, ad_group, creative, label, channel, expires_at_ms, details
        FROM link WHERE app_id = $1 AND host = $2 AND path = $3
        """

    /// The most links of a list in one transaction: interactive writes go between two transactions.
    package static let largestUnit = 100

    /// Adds them in order. If it fails midway, the first ones may already be stored.
    /// - Parameter noting: the line of the audit log about the links that a transaction adds; it is written in the same one.
    /// - Returns: false for each link whose host and path are taken; that link is not stored.
    func add(
        _ links: [StoredLink], to app: AppID, noting: (@Sendable ([StoredLink]) -> AuditLine)? = nil, nowMs: Int64
    ) async throws -> [Bool] {
        let rows = try links.map { (link: $0, insertion: try $0.insertion(into: app, nowMs: nowMs)) }
        var added: [Bool] = []
        while added.count < rows.count {
            let part = Array(rows.dropFirst(added.count).prefix(Self.largestUnit))
            // An engine may repeat the unit: the line's id is drawn before.
            let line = UUIDv7.make(nowMs: nowMs)
            // The maker of one link waits for it; many links come from a list.
            added += try await database.write(rows.count > 1 ? .bulk : .interactive, locking: []) { connection in
                let isNew = try connection.batch(part.map(\.insertion)).map { $0 > 0 }
                let new = zip(part, isNew).filter(\.1).map(\.0.link)
                for link in new { connection.tell(.link(link.place, in: app)) }
                if let noting, !new.isEmpty {
                    try connection.run(noting(new).insertion(into: app, id: line, nowMs: nowMs))
                }
                return isNew
            }
        }
        return added
    }
}

extension StoredLink {
    fileprivate func insertion(into app: AppID, nowMs: Int64) throws -> Statement {
        Statement(
            """
            INSERT INTO link (app_id, host, path, destination, campaign, ad_group, creative, label, channel,
              expires_at_ms, created_at_ms, details)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            ON CONFLICT DO NOTHING
            """,
            [
                .text(app.rawValue), .text(host), .text(path.text), .text(destination), .text(labels.campaign),
                .text(labels.adGroup), .text(labels.creative), .text(labels.label), .text(labels.channel),
                .integer(expiresAtMs), .integer(nowMs), .text(try details()),
            ]
        )
    }
}

extension LinkStore {
    /// The links after a place, in the order of host and path; nil starts with the first.
    package func links(_ app: AppID, after: LinkPlace?, limit: Int) async throws -> [StoredLink] {
        try await database.read { connection in
            try connection.rows(
                """
                SELECT host, path, destination, campaign, ad_group, creative, label, channel, expires_at_ms, details
                FROM link WHERE app_id = $1 AND (host, path) > ($2, $3) ORDER BY host, path LIMIT $4
                """,
                [.text(app.rawValue), .text(after?.host ?? ""), .text(after?.path.text ?? ""), .integer(Int64(limit))]
            ).map { try StoredLink($0, host: try $0.text("host"), path: LinkPath(stored: try $0.text("path"))) }
        }
    }

    /// - Parameters:
    ///   - old: the link as it was read; if it is no longer the same, it stays. Nil removes it as it is.
    ///   - line: of the audit log; written in the same transaction.
    /// - Returns: false if there is no such link.
    package func remove(
        _ app: AppID, host: String, path: LinkPath, ifStill old: StoredLink? = nil, noting line: Statement? = nil
    ) async throws -> Bool {
        let place = LinkPlace(host: host, path: path)
        return try await database.write(.interactive, locking: [place.lock(in: app)]) { connection in
            if let old { guard try Self.links(app, [place], connection) == [old] else { return false } }
            let removed = try connection.run(
                "DELETE FROM link WHERE app_id = $1 AND host = $2 AND path = $3",
                [.text(app.rawValue), .text(host), .text(path.text)])
            guard removed > 0 else { return false }
            connection.tell(.link(place, in: app))
            if let line { try connection.run(line) }
            return true
        }
    }
}

extension LinkStore {
    /// A stored link as it was read, and as it shall be. Its address stays.
    package struct Change: Sendable {
        package let old: StoredLink
        package let new: StoredLink

        package init(old: StoredLink, new: StoredLink) {
            (self.old, self.new) = (old, new)
        }
    }

    /// Changes all but the address, in one transaction.
    /// - Parameters:
    ///   - changes: at most ``largestUnit``, each of another link.
    ///   - noting: the line of the audit log about a changed link; it is written in the same transaction.
    /// - Returns: false for each link that is no longer there as it was read; it stays as it is, and has no line.
    package func change(
        _ changes: [Change], of app: AppID, noting: @escaping @Sendable (StoredLink) -> AuditLine, nowMs: Int64
    ) async throws -> [Bool] {
        guard !changes.isEmpty else { return [] }
        // An engine may repeat the unit: the lines' ids are drawn before.
        let units = try changes.map { change in
            let line = noting(change.new).insertion(into: app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)
            return (old: change.old, update: try change.new.update(in: app), line: line)
        }
        // In one order, so that two members who change the same links wait for each other only one way.
        let places = changes.map(\.old.place).sorted { ($0.host, $0.path.text) < ($1.host, $1.path.text) }
        return try await database.write(.interactive, locking: places.map { $0.lock(in: app) }) { connection in
            let found = try Self.links(app, units.map(\.old.place), connection)
            let same = units.indices.filter { found[$0] == units[$0].old }
            let counts = try connection.batch(same.map { units[$0].update })
            let changed = Set(zip(same, counts).filter { $0.1 > 0 }.map(\.0))
            try connection.batch(changed.sorted().map { units[$0].line })
            for index in changed { connection.tell(.link(units[index].old.place, in: app)) }
            return units.indices.map { changed.contains($0) }
        }
    }
}

extension LinkPlace {
    /// Held by units that remove the link, or change it as they have read it.
    fileprivate func lock(in app: AppID) -> RowLock {
        RowLock("link", ["app_id": .text(app.rawValue), "host": .text(host), "path": .text(path.text)])
    }
}

extension StoredLink {
    fileprivate func update(in app: AppID) throws -> Statement {
        Statement(
            """
            UPDATE link SET campaign = $4, ad_group = $5, creative = $6, label = $7, channel = $8, expires_at_ms = $9,
              destination = $10, details = $11
            WHERE app_id = $1 AND host = $2 AND path = $3
            """,
            [
                .text(app.rawValue), .text(host), .text(path.text), .text(labels.campaign), .text(labels.adGroup),
                .text(labels.creative), .text(labels.label), .text(labels.channel), .integer(expiresAtMs),
                .text(destination), .text(try details()),
            ]
        )
    }
}

/// Values that few links have, as JSON: the database never reads into it.
private struct LinkDetails: Codable, Hashable {
    var tracker: String?
    var ios: [String]?
    var android: [String]?
    var desktop: [String]?
    var preview: LinkPreview?
    var handover: LinkHandover?
    var startsAtMs: Int64?
    var routes: [LinkRoute]?
    var storePage: StorePage?
    var tags: [String]?
    var folder: String?
}

extension StoredLink {
    fileprivate init(_ row: Row, host: String, path: LinkPath) throws {
        let details = try row.optionalText("details").map { try WireCoding.decode(LinkDetails.self, from: Data($0.utf8)) }
        func ways(_ texts: [String]?) -> [LinkWay] { (texts ?? []).map { LinkWay($0) } }
        self.init(
            host: host, path: path, destination: try row.text("destination"),
            labels: LinkLabels(
                tracker: details?.tracker, campaign: row.optionalText("campaign"), adGroup: row.optionalText("ad_group"),
                creative: row.optionalText("creative"), label: row.optionalText("label"), channel: row.optionalText("channel")
            ),
            expiresAtMs: row.optionalInteger("expires_at_ms"),
            ways: PlatformWays(
                ios: ways(details?.ios), android: ways(details?.android), desktop: ways(details?.desktop)
            ),
            preview: details?.preview ?? LinkPreview(), handover: details?.handover ?? LinkHandover()
        )
        (startsAtMs, routes) = (details?.startsAtMs, details?.routes ?? [])
        (storePage, tags, folder) = (details?.storePage ?? StorePage(), details?.tags ?? [], details?.folder)
    }

    /// Nil if there are no details.
    fileprivate func details() throws -> String? {
        func texts(_ ways: [LinkWay]) -> [String]? { ways.isEmpty ? nil : ways.map(\.text) }
        let details = LinkDetails(
            tracker: labels.tracker, ios: texts(ways.ios), android: texts(ways.android), desktop: texts(ways.desktop),
            preview: preview == LinkPreview() ? nil : preview, handover: handover == LinkHandover() ? nil : handover,
            startsAtMs: startsAtMs, routes: routes.isEmpty ? nil : routes, storePage: storePage == StorePage() ? nil : storePage,
            tags: tags.isEmpty ? nil : tags, folder: folder
        )
        return details == LinkDetails() ? nil : String(decoding: try WireCoding.encode(details), as: UTF8.self)
    }
}
