// SPDX-License-Identifier: Apache-2.0
import Crypto
import LandfallDatabase
import LandfallWire

/// A click that an install may find again by its address.
struct AddressedClick: Hashable, Sendable {
    let place: AddressPlace
    /// As it was followed.
    let original: String
    /// Where it leads in the app.
    let resolved: String
}

extension WriteConnection {
    /// One row for each address and period, whoever clicks: the first click by somebody else, or on another link, makes it
    /// shared, and what is shared leads nowhere.
    /// - Parameter freshKey: see ``AddressKey/drawn()``.
    func add(_ waiting: AddressedClick, of click: Click, _ app: AppID, freshKey: [UInt8]) throws {
        let key = try AddressKey.current(nowMs: click.atMs, orMadeOf: freshKey, in: self)
        try run(
            """
            INSERT INTO address_click (app_id, period, mark, click_id, visitor, is_shared, original, resolved, campaign,
              ad_group, creative, label, channel, link_host, link_path, created_at_ms, expires_at_ms)
            VALUES ($1, $2, $3, $4, $5, 0, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
            ON CONFLICT (app_id, period, mark) DO UPDATE SET
              is_shared = CASE
                WHEN address_click.visitor = excluded.visitor AND address_click.original = excluded.original
                  THEN address_click.is_shared
                ELSE 1
              END,
              click_id = excluded.click_id, created_at_ms = excluded.created_at_ms, expires_at_ms = excluded.expires_at_ms
            """,
            [
                .text(app.rawValue), .integer(key.period),
                .blob(key.mark(of: waiting.place.address, platform: click.platform, in: app)), .text(click.id),
                .integer(click.visitor ?? 0), .text(waiting.original), .text(waiting.resolved), .text(click.labels.campaign),
                .text(click.labels.adGroup), .text(click.labels.creative), .text(click.labels.label),
                .text(click.labels.channel), .text(click.host), .text(click.path.text), .integer(click.atMs),
                .integer(click.atMs + waiting.place.windowMs),
            ]
        )
    }
}

/// An install looks for the one click that can have been its own.
struct AddressSearch: Hashable, Sendable {
    let place: AddressPlace
    let platform: BrowserPlatform
    /// Later clicks are none from before the installation.
    let firstOpenAtMs: Int64

    /// - Parameter device: what the open says beside what the install has said before.
    /// - Returns: nil where nothing is to be matched, or the phone does not say that it runs iOS.
    init?(_ claim: DeferredClaim, of install: Install, saying device: DeviceFacts = DeviceFacts(), nowMs: Int64) {
        var told = install
        told.device = install.device.updated(with: device)
        told.installedAtMs = install.installedAtMs(saying: device.installedAgeMilliseconds, nowMs: nowMs)
        guard let place = claim.place, told.device.platform?.lowercased() == BrowserPlatform.ios.rawValue else { return nil }
        self.place = place
        platform = .ios
        firstOpenAtMs = told.firstOpenAtMs
    }

    /// The rows of the click: more than one where the same visitor tapped the same link again ten minutes later, the latest
    /// first. Empty where there is none, or where several visitors or links make it a lottery.
    func rows(in app: AppID, nowMs: Int64, from connection: any ReadConnection) throws -> [Row] {
        let keys = try AddressKey.live(nowMs: nowMs, windowMs: place.windowMs, from: connection)
        let rows = try keys.compactMap { key in
            try connection.row(
                Self.text,
                [
                    .text(app.rawValue), .integer(key.period),
                    .blob(key.mark(of: place.address, platform: platform, in: app)), .integer(nowMs),
                ]
            )
        }
        guard let first = rows.first else { return [] }
        let (visitor, original) = (try first.integer("visitor"), try first.text("original"))
        let isOne = try rows.allSatisfy { row in
            try !row.flag("is_shared") && row.integer("visitor") == visitor && row.text("original") == original
                && row.integer("created_at_ms") <= firstOpenAtMs
        }
        return isOne ? try rows.sorted { try $0.integer("created_at_ms") > $1.integer("created_at_ms") } : []
    }

    static let text = """
        SELECT period, mark, click_id, visitor, is_shared, original, resolved, campaign, ad_group, creative, label, channel,
          link_host, link_path, created_at_ms
        FROM address_click WHERE app_id = $1 AND period = $2 AND mark = $3 AND expires_at_ms > $4
        """
}

extension InstallChange {
    /// Makes the click this install's own, and nobody else's.
    /// - Returns: false where there is none to take.
    func take(_ search: AddressSearch) throws -> Bool {
        let rows = try search.rows(in: app, nowMs: nowMs, from: connection)
        guard let click = rows.first else { return false }
        for (index, row) in rows.enumerated() {
            let isMine =
                try connection.run(
                    "DELETE FROM address_click WHERE app_id = $1 AND period = $2 AND mark = $3",
                    [.text(app.rawValue), .integer(try row.integer("period")), .blob(try row.blob("mark"))]
                ) > 0
            if index == 0, !isMine { return false }
        }
        let clickID = try click.text("click_id")
        try connection.run(
            """
            INSERT INTO deferred_link (app_id, token_hash, kind, click_id, original, resolved, campaign, ad_group, creative,
              label, channel, link_host, link_path, created_at_ms, expires_at_ms, taken_by_install)
            VALUES ($1, $2, 'address', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
            """,
            [
                // No page hands out a token with this hash.
                .text(app.rawValue), .blob(Array(SHA256.hash(data: Array("address \(clickID)".utf8)))), .text(clickID),
                .text(try click.text("original")), .text(try click.text("resolved")), .text(click.optionalText("campaign")),
                .text(click.optionalText("ad_group")), .text(click.optionalText("creative")),
                .text(click.optionalText("label")), .text(click.optionalText("channel")), .text(try click.text("link_host")),
                .text(try click.text("link_path")), .integer(try click.integer("created_at_ms")), .integer(nowMs),
                .text(id.rawValue),
            ]
        )
        return true
    }

    /// Whoever has proved that the click is theirs leaves nothing to guess at.
    func forgetAddress(of clickID: String) throws {
        try connection.run(
            "DELETE FROM address_click WHERE app_id = $1 AND click_id = $2", [.text(app.rawValue), .text(clickID)])
    }
}
