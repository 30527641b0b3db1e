// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire

/// An install asks for the link that was tapped before the installation.
package struct DeferredClaim: Hashable, Sendable {
    /// Nil if the install sends no token, or one that no page hands out.
    let tokenHash: [UInt8]?
    let windows: AttributionWindows
    /// Nil if the link is not searched by address.
    var place: AddressPlace?
}

/// A link that waits for its install, or has found it.
struct FoundClick: Hashable, Sendable {
    let clickID: String
    let link: DeferredLink
    let labels: LinkLabels
    /// Host and path of a stored link.
    let code: String?
    let clickedAtMs: Int64

    /// The click counts as if it had reached the app directly; a click that was found by address is only an unverified claim.
    func fact(nowMs: Int64, windows: AttributionWindows) -> AttributionFact? {
        var fact = AttributionFact(
            labels, code: code, attributes: !labels.isEmpty, id: "deferred:\(clickID)", clickedAtMs: clickedAtMs,
            recordedAtMs: nowMs, windows: windows
        )
        if link.matchedBy == .address { fact?.verified = false }
        return fact
    }
}

/// The deferred link of an install in the store. An install takes one link, and one install takes a link; both hold as long as
/// clicks are kept.
enum FoundLink: Sendable {
    case none
    case taken(FoundClick)
    /// Waits for the install that sends this token.
    case waiting(FoundClick, tokenHash: [UInt8])
    /// Was tapped at the install's address, see ``AddressSearch``.
    case atAddress(AddressedRows)

    /// Nil if there is no such link.
    var click: FoundClick? {
        switch self {
        case .none: nil
        case .taken(let click), .waiting(let click, _): click
        case .atAddress(let rows): rows.click
        }
    }

    /// Gives the link to this install only. The first statement takes it, and changes nothing if another install was faster. The
    /// other ways to the same tap end with it: its second token, and what waits for it by address.
    func taking(by unit: InstallUnit) -> [Statement] {
        switch self {
        case .none, .taken: []
        case .waiting(let click, let hash):
            [
                Statement(
                    """
                    UPDATE deferred_link SET taken_by_install = $3
                    WHERE app_id = $1 AND token_hash = $2 AND taken_by_install IS NULL AND expires_at_ms > $4
                    """,
                    [.text(unit.app.rawValue), .blob(hash), .text(unit.id.rawValue), .integer(unit.nowMs)]),
                FoundLink.endingTokens(of: .text(click.clickID), in: unit.app),
                Statement(
                    "DELETE FROM address_click WHERE app_id = $1 AND click_id = $2",
                    [.text(unit.app.rawValue), .text(click.clickID)]),
            ]
        case .atAddress(let rows): rows.taking(by: unit)
        }
    }

    /// Removes the tokens of a tap that nobody has taken.
    static func endingTokens(of clickID: SQLValue, in app: AppID) -> Statement {
        Statement(tokensText, [.text(app.rawValue), clickID])
    }

    static let tokensText = "DELETE FROM deferred_link WHERE app_id = $1 AND click_id = $2 AND taken_by_install IS NULL"
}

extension DeferredClaim {
    /// The link that the install has already taken, else the one of its token, else the one that was tapped at its address.
    /// - Parameter device: what the open reports in addition to the stored device facts.
    func find(
        for install: Install, saying device: DeviceFacts = DeviceFacts(), in app: AppID, nowMs: Int64,
        from connection: any ReadConnection
    ) throws -> FoundLink {
        let rows = try connection.rows(
            Self.text,
            [.text(app.rawValue), .text(install.id.rawValue), tokenHash.map { .blob($0) } ?? .null, .integer(nowMs)])
        if let taken = try rows.first(where: { try $0.flag("is_taken") }) {
            return .taken(try FoundClick(taken, nowMs: nowMs))
        }
        if let waiting = rows.first, let tokenHash {
            return .waiting(try FoundClick(waiting, nowMs: nowMs), tokenHash: tokenHash)
        }
        guard let search = AddressSearch(self, of: install, saying: device, nowMs: nowMs) else { return .none }
        return try search.rows(in: app, nowMs: nowMs, from: connection).map { .atAddress($0) } ?? .none
    }

    static let text = """
        SELECT 1 AS is_taken, kind, click_id, original, resolved, campaign, ad_group, creative, label, channel, link_host,
          link_path, created_at_ms
        FROM deferred_link WHERE app_id = $1 AND taken_by_install = $2
        UNION ALL
        SELECT 0 AS is_taken, kind, click_id, original, resolved, campaign, ad_group, creative, label, channel, link_host,
          link_path, created_at_ms
        FROM deferred_link WHERE app_id = $1 AND token_hash = $3 AND taken_by_install IS NULL AND expires_at_ms > $4
        """
}

extension FoundClick {
    /// - Parameter row: of `deferred_link`, or of `address_click`, which has no kind.
    init(_ row: Row, nowMs: Int64) throws {
        let original = try row.text("original")
        let clickedAtMs = try row.integer("created_at_ms")
        var labels = LinkLabels(
            campaign: row.optionalText("campaign"), adGroup: row.optionalText("ad_group"),
            creative: row.optionalText("creative"), label: row.optionalText("label"), channel: row.optionalText("channel")
        )
        if let address = try? LinkAddress(original), let parameters = try? LinkParameters(address) {
            labels = labels.completed(with: LinkLabels(address, parameters))
        }
        self.init(
            clickID: try row.text("click_id"),
            link: DeferredLink(
                original: original, resolved: try row.text("resolved"),
                matchedBy: DeferredLink.Match(row.optionalText("kind") ?? "address"), ageMilliseconds: max(0, nowMs - clickedAtMs)
            ),
            labels: labels, code: try row.text("link_host") + row.text("link_path"), clickedAtMs: clickedAtMs
        )
    }
}
