// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallStore
import LandfallWire

/// Stores taps on the buttons of links' pages: at most one for each button of a page.
package struct ButtonTapStore: Sendable {
    private let database: any Database

    package init(_ database: any Database) { self.database = database }

    /// Stores the tap among the clicks, with what its own click says, so that reports count both by the same fields.
    /// - Parameters:
    ///   - host: with the path, the link that the address belongs to. A click of another link does not count.
    /// - Returns: false if no person's click of this link has this id, or the button was tapped before.
    @discardableResult
    func record(_ tap: ButtonTap, host: String, path: LinkPath, of app: AppID, nowMs: Int64) async throws -> Bool {
        let click: [SQLValue] = [.text(app.rawValue), .text(tap.clickID)]
        // A click never changes.
        let found = try await database.read { try $0.row(Self.clickText, click) }
        guard let found, try found.text("kind") == ClickKind.person.rawValue, try found.text("link_host").hasSameBytes(as: host),
            try found.text("link_path").hasSameBytes(as: path.text)
        else { return false }
        let row = try ClickRow(tap.button, after: found, host: host, path: path, nowMs: nowMs).insertion(into: app)
        return try await database.write(.interactive, locking: []) { connection in
            guard try connection.run(Self.insertionText, click + [.text(tap.button.rawValue)]) > 0 else { return false }
            try connection.run(row)
            return true
        }
    }

    static let clickText = """
        SELECT kind, platform, link_host, link_path, country, tracker, campaign, ad_group, creative, label, channel, referrer, browser,
          language, product_page
        FROM click WHERE app_id = $1 AND click_id = $2
        """
    static let insertionText = "INSERT INTO button_tap (app_id, click_id, button) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
}

extension ClickRow {
    /// - Parameter click: of ``ButtonTapStore/clickText``.
    fileprivate init(_ button: ButtonTap.Button, after click: Row, host: String, path: LinkPath, nowMs: Int64) throws {
        func text(_ column: String) -> String? { click.optionalText(column) }
        self.init(
            id: UUIDv7.make(nowMs: nowMs), atMs: nowMs, kind: "tap", platform: try click.text("platform"), host: host, path: path.text,
            outcome: button.rawValue, country: text("country"),
            labels: LinkLabels(
                tracker: text("tracker"), campaign: text("campaign"), adGroup: text("ad_group"), creative: text("creative"),
                label: text("label"), channel: text("channel")),
            parameters: [:],
            context: ClickContext(
                referrer: text("referrer"), browser: text("browser"), language: text("language"), productPage: text("product_page")))
    }
}
