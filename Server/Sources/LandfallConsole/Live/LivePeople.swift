// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Whether the installs that rows name are still there: another node may have erased one, or an erasure was under way when this
/// node began.
struct LivePeople: Sendable {
    let database: any Database
    let app: AppID

    private static let text = """
        SELECT install_id FROM install WHERE app_id = $1
          AND install_id IN (\(Statement.places(2..<2 + LivePage.most)))
        """

    /// The rows without those of installs that are gone. The feed forgets them.
    /// - Parameter rows: at most ``LivePage/most``.
    func present(_ rows: [LiveRow], in feed: LiveFeed) async throws -> [LiveRow] {
        let named = Set(rows.prefix(LivePage.most).compactMap(\.install))
        guard let first = named.first else { return rows }
        let places = Array(named) + Array(repeating: first, count: LivePage.most - named.count)
        let found = try await database.read { [app] connection in
            try Set(connection.rows(Self.text, [.text(app.rawValue)] + places.map { .text($0) }).map { try $0.text(0) })
        }
        for install in named.subtracting(found) { feed.forget(InstallID(install)) }
        return rows.filter { $0.install.map { found.contains($0) } ?? true }
    }
}
