// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore

/// The names of what attributions name by ids. An id without a name is shown as its number.
package struct AppleAdsNames: Sendable {
    /// Ids of one statement, and of one call: no page shows more.
    static let lot = 200
    package static let most = 5_000

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
        let wanted = Dictionary(grouping: Set(keys).sorted { ($0.kind.rawValue, $0.id) < ($1.kind.rawValue, $1.id) }.prefix(Self.most), by: \.kind)
        guard !wanted.isEmpty else { return [:] }
        let statements = wanted.flatMap { kind, keys in
            stride(from: 0, to: keys.count, by: Self.lot).map { start in
                let ids = keys[start..<min(start + Self.lot, keys.count)].map(\.id)
                return (kind, Statement(Self.text(ids.count), [.text(app.rawValue), .text(kind.rawValue)] + ids.map { .integer($0) }))
            }
        }
        let answers = try await database.rows(statements.map(\.1))
        var names: [Key: String] = [:]
        for ((kind, _), rows) in zip(statements, answers) {
            for row in rows { names[Key(kind, try row.integer("id"))] = try row.text("name") }
        }
        return names
    }

    /// Entities whose names a form suggests: those that are not deleted first, the newest ids first.
    package func newest(_ kind: AppleAdsKind, most: Int) async throws -> [(id: Int64, name: String)] {
        let statement = Statement(Self.newestText, [.text(app.rawValue), .text(kind.rawValue), .integer(Int64(most))])
        return try await database.rows([statement])[0].map { (try $0.integer("id"), try $0.text("name")) }
    }

    private static func text(_ count: Int) -> String {
        "SELECT id, name FROM apple_ads_entity WHERE app_id = $1 AND kind = $2 AND id IN (\(Statement.places(3..<3 + count)))"
    }

    private static let newestText = """
        SELECT id, name FROM apple_ads_entity WHERE app_id = $1 AND kind = $2 ORDER BY id DESC LIMIT $3
        """
}
