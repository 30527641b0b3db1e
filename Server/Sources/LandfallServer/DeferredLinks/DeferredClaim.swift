// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// An install asks for the link that was tapped before it was there.
struct DeferredClaim: Hashable, Sendable {
    /// Nil where the install has nothing to show, or something that no page hands out.
    let tokenHash: [UInt8]?
    let windows: AttributionWindows
    /// Nil where nothing is looked for by address.
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

    /// The click attributes as if it had reached the app itself; one that was found by address only as an unverified claim.
    func fact(nowMs: Int64, windows: AttributionWindows) -> AttributionFact? {
        var fact = AttributionFact(
            labels, code: code, attributes: !labels.isEmpty, id: "deferred:\(clickID)", clickedAtMs: clickedAtMs,
            recordedAtMs: nowMs, windows: windows
        )
        if link.matchedBy == .address { fact?.verified = false }
        return fact
    }
}

extension FoundClick {
    /// The link that an install has taken.
    static func taken(
        by install: InstallID, in app: AppID, nowMs: Int64, from connection: any ReadConnection
    ) throws -> FoundClick? {
        try connection.row(takenText, [.text(app.rawValue), .text(install.rawValue)]).map { try FoundClick($0, nowMs: nowMs) }
    }

    /// True where a link waits for whoever shows this token.
    static func waits(for hash: [UInt8], in app: AppID, nowMs: Int64, from connection: any ReadConnection) throws -> Bool {
        try connection.row(waitingText, [.text(app.rawValue), .blob(hash), .integer(nowMs)]) != nil
    }

    private init(_ row: Row, nowMs: Int64) throws {
        let original = try row.text("original")
        let clickedAtMs = try row.integer("created_at_ms")
        var labels = LinkLabels(
            campaign: row.optionalText("campaign"), adGroup: row.optionalText("ad_group"),
            creative: row.optionalText("creative"), label: row.optionalText("label"), channel: row.optionalText("channel")
        )
        if let address = try? LinkAddress(original), let parameters = try? LinkParameters(address) {
            labels = labels.completed(with: LinkLabels(parameters))
        }
        self.init(
            clickID: try row.text("click_id"),
            link: DeferredLink(
                original: original, resolved: try row.text("resolved"), matchedBy: DeferredLink.Match(try row.text("kind")),
                ageMilliseconds: max(0, nowMs - clickedAtMs)
            ),
            labels: labels, code: try row.text("link_host") + row.text("link_path"), clickedAtMs: clickedAtMs
        )
    }

    static let takenText = """
        SELECT kind, click_id, original, resolved, campaign, ad_group, creative, label, channel, link_host, link_path,
          created_at_ms
        FROM deferred_link WHERE app_id = $1 AND taken_by_install = $2
        """
    static let waitingText = """
        SELECT kind FROM deferred_link
        WHERE app_id = $1 AND token_hash = $2 AND taken_by_install IS NULL AND expires_at_ms > $3
        """
}

extension InstallChange {
    /// The link of this install: the one that it has taken already, else the one of its token, else the one that was tapped
    /// at its address. An install takes one link, and a link is taken by one install; both for
    /// as long as clicks are kept.
    func take(_ claim: DeferredClaim, searching search: AddressSearch?) throws -> FoundClick? {
        if let taken = try FoundClick.taken(by: id, in: app, nowMs: nowMs, from: connection) { return taken }
        let isMine = try takeByToken(claim) || search.map { try take($0) } ?? false
        return isMine ? try FoundClick.taken(by: id, in: app, nowMs: nowMs, from: connection) : nil
    }

    private func takeByToken(_ claim: DeferredClaim) throws -> Bool {
        guard let hash = claim.tokenHash else { return false }
        let isMine =
            try connection.run(
                """
                UPDATE deferred_link SET taken_by_install = $3
                WHERE app_id = $1 AND token_hash = $2 AND taken_by_install IS NULL AND expires_at_ms > $4
                """,
                [.text(app.rawValue), .blob(hash), .text(id.rawValue), .integer(nowMs)]
            ) > 0
        guard isMine, let click = try FoundClick.taken(by: id, in: app, nowMs: nowMs, from: connection) else { return isMine }
        try forgetAddress(of: click.clickID)
        return true
    }
}
