// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallStore
import LandfallWire

/// Stores taps on the buttons of links' pages: at most one for each button of a page.
package struct ButtonTapStore: Sendable {
    private let database: any Database

    package init(_ database: any Database) { self.database = database }

    /// - Parameters:
    ///   - host: with the path, the link that the address belongs to. A click of another link does not count.
    /// - Returns: false if no person's click of this link has this id, or the button was tapped before.
    @discardableResult
    func record(_ tap: ButtonTap, host: String, path: LinkPath, of app: AppID, nowMs: Int64) async throws -> Bool {
        let click: [SQLValue] = [.text(app.rawValue), .text(tap.clickID)]
        let row: [SQLValue] = click + [.text(tap.button.rawValue), .text(host), .text(path.text), .integer(nowMs)]
        // A click never changes.
        let found = try await database.read { try $0.row(Self.clickText, click) }
        guard let found, try found.text("kind") == ClickKind.person.rawValue, try found.text("link_host").hasSameBytes(as: host),
            try found.text("link_path").hasSameBytes(as: path.text)
        else { return false }
        return try await database.write(.interactive, locking: []) { try $0.run(Self.insertionText, row) > 0 }
    }

    static let clickText = "SELECT kind, link_host, link_path FROM click WHERE app_id = $1 AND click_id = $2"
    static let insertionText = """
        INSERT INTO button_tap (app_id, click_id, button, link_host, link_path, tapped_at_ms)
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
        """
}
