// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore

/// The names of what attributions name by ids. An id without a name is shown as its number.
package struct AppleAdsNames: Sendable {
    /// Ids of one statement, and of one call: no page shows more.
    static let lot = 200
    package static let most = 5_000
    /// Product pages of one id.
    static let mostPages = 5

    package struct Key: Hashable, Sendable {
        package let kind: AppleAdsKind
        package let id: Int64

        package init(_ kind: AppleAdsKind, _ id: Int64) { (self.kind, self.id) = (kind, id) }
    }

    private let database: any StoreReading
    private let app: AppID

    package init(_ database: any StoreReading, app: AppID) { (self.database, self.app) = (database, app) }

    /// Reads the rows of these ids and no others. Ids beyond ``most`` stay without a name.
    package func names(of keys: some Sequence<Key>) async throws -> [Key: String] {
        var names: [Key: String] = [:]
        let found = try await rows(of: keys) { kind, ids in
            Statement(Self.text(ids.count), [.text(app.rawValue), .text(kind.rawValue)] + ids.map { .integer($0) })
        }
        for (kind, row) in found { names[Key(kind, try row.integer("id"))] = try row.text("name") }
        return names
    }

    /// The custom product pages to which an ad leads, or the ads of a campaign or an ad group, deleted ads too: some installs came from
    /// them. Nothing for keywords.
    package func pages(of keys: some Sequence<Key>) async throws -> [Key: [AppleAdsProductPage]] {
        let found = try await rows(of: keys) { kind, ids in
            Self.columns[kind].map { Statement(Self.pagesText(kind, $0, ids.count), [.text(app.rawValue)] + ids.map { .integer($0) }) }
        }
        var pages: [Key: [AppleAdsProductPage]] = [:]
        for (kind, row) in found {
            let page = AppleAdsProductPage(ppid: try row.text("page_id"), name: row.optionalText("page_name"))
            pages[Key(kind, try row.integer("id")), default: []].append(page)
        }
        return pages.mapValues { Array($0.sorted { ($0.label, $0.ppid) < ($1.label, $1.ppid) }.prefix(Self.mostPages)) }
    }

    /// - Parameter statement: for some ids of a kind; nil if it has nothing that is asked for.
    private func rows(
        of keys: some Sequence<Key>, _ statement: (AppleAdsKind, [Int64]) -> Statement?
    ) async throws -> [(kind: AppleAdsKind, row: Row)] {
        let wanted = Dictionary(grouping: Set(keys).sorted { ($0.kind.rawValue, $0.id) < ($1.kind.rawValue, $1.id) }.prefix(Self.most), by: \.kind)
        let asked = wanted.flatMap { kind, keys in
            stride(from: 0, to: keys.count, by: Self.lot).compactMap { start in
                statement(kind, keys[start..<min(start + Self.lot, keys.count)].map(\.id)).map { (kind: kind, statement: $0) }
            }
        }
        guard !asked.isEmpty else { return [] }
        return zip(asked, try await database.rows(asked.map(\.statement))).flatMap { asked, rows in rows.map { (asked.kind, $0) } }
    }

    /// By which ads are found.
    private static let columns: [AppleAdsKind: String] = [.campaign: "campaign_id", .adGroup: "parent_id", .ad: "id"]

    /// Entities whose names a form suggests, the newest ids first. Keywords of exact match are in brackets, as Apple Ads writes them.
    package func newest(_ kind: AppleAdsKind, most: Int) async throws -> [(id: Int64, name: String)] {
        let statement = Statement(Self.newestText, [.text(app.rawValue), .text(kind.rawValue), .integer(Int64(most))])
        return try await database.rows([statement])[0].map { row in
            let name = try row.text("name")
            return (try row.integer("id"), row.optionalText("match_type") == "EXACT" ? "[\(name)]" : name)
        }
    }

    private static func text(_ count: Int) -> String {
        "SELECT id, name FROM apple_ads_entity WHERE app_id = $1 AND kind = $2 AND id IN (\(Statement.places(3..<3 + count)))"
    }

    /// Only ads have a page; an ad itself is found by the table's key.
    private static func pagesText(_ kind: AppleAdsKind, _ column: String, _ count: Int) -> String {
        """
        SELECT DISTINCT \(column) AS id, page_id, page_name FROM apple_ads_entity
        WHERE app_id = $1\(kind == .ad ? " AND kind = 'ad'" : "") AND page_id IS NOT NULL AND \(column) IN (\(Statement.places(2..<2 + count)))
        """
    }

    private static let newestText = """
        SELECT id, name, match_type FROM apple_ads_entity WHERE app_id = $1 AND kind = $2 ORDER BY id DESC LIMIT $3
        """
}
