// SPDX-License-Identifier: Apache-2.0
import Crypto
import LandfallRules
import LandfallStore
import LandfallWire

/// A click that an install may find by its network address.
struct AddressedClick: Hashable, Sendable {
    let place: AddressPlace
    /// Of the time of the click.
    let key: AddressKey
    /// The link that was followed.
    let original: String
    /// Where it leads in the app.
    let resolved: String
}

extension AddressedClick {
    /// One row for each address and period, for all visitors: the first click by another visitor, or on another link, marks the
    /// row as shared, and a shared row leads nowhere. The same click twice is one.
    func insertion(of click: Click, into app: AppID) -> Statement {
        Statement(
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
                .blob(key.mark(of: place.address, platform: click.platform, in: app)), .text(click.id),
                .integer(click.visitor ?? 0), .text(original), .text(resolved), .text(click.labels.campaign),
                .text(click.labels.adGroup), .text(click.labels.creative), .text(click.labels.label),
                .text(click.labels.channel), .text(click.host), .text(click.path.text), .integer(click.atMs),
                .integer(click.atMs + place.windowMs),
            ]
        )
    }
}

/// An install's search for the one click that can be its own.
struct AddressSearch: Hashable, Sendable {
    let place: AddressPlace
    let platform: BrowserPlatform
    /// A later click did not happen before the installation.
    let firstOpenAtMs: Int64

    /// - Parameter device: what the open reports in addition to the stored device facts.
    /// - Returns: nil if addresses are not matched, or the phone does not report that it runs iOS.
    init?(_ claim: DeferredClaim, of install: Install, saying device: DeviceFacts = DeviceFacts(), nowMs: Int64) {
        var told = install
        told.device = install.device.updated(with: device)
        told.installedAtMs = install.installedAtMs(saying: device.installedAgeMilliseconds)
        guard let place = claim.place, told.device.platform?.lowercased() == BrowserPlatform.ios.rawValue else { return nil }
        self.place = place
        platform = .ios
        firstOpenAtMs = told.firstOpenAtMs
    }

    /// The rows of the click, the latest first: more than one if the same visitor tapped the same link again ten minutes later.
    /// Nil if there is no click, or if several visitors or links share the address.
    func rows(in app: AppID, nowMs: Int64, from connection: any ReadConnection) throws -> AddressedRows? {
        let keys = try AddressKey.live(nowMs: nowMs, windowMs: place.windowMs, from: connection)
        let rows = try connection.rows(
            keys.map { key in
                Statement(
                    Self.text,
                    [
                        .text(app.rawValue), .integer(key.period),
                        .blob(key.mark(of: place.address, platform: platform, in: app)), .integer(nowMs),
                    ])
            }
        ).compactMap(\.first)
        guard let first = rows.first else { return nil }
        let (visitor, original) = (try first.integer("visitor"), try first.text("original"))
        let isOne = try rows.allSatisfy { row in
            try !row.flag("is_shared") && row.integer("visitor") == visitor && row.text("original") == original
                && row.integer("created_at_ms") <= firstOpenAtMs
        }
        guard isOne else { return nil }
        return try AddressedRows(
            rows.sorted { try $0.integer("created_at_ms") > $1.integer("created_at_ms") }, nowMs: nowMs)
    }

    static let text = """
        SELECT period, mark, click_id, visitor, is_shared, original, resolved, campaign, ad_group, creative, label, channel,
          link_host, link_path, created_at_ms
        FROM address_click WHERE app_id = $1 AND period = $2 AND mark = $3 AND expires_at_ms > $4
        """
}

/// The rows of one click that was found by address, the latest first.
struct AddressedRows: Sendable {
    private let rows: [Row]
    let click: FoundClick

    /// Nil if there are no rows.
    init?(_ rows: [Row], nowMs: Int64) throws {
        guard let first = rows.first else { return nil }
        self.rows = rows
        click = try FoundClick(first, nowMs: nowMs)
    }

    /// The first statement removes the waiting click, unless another click came there meanwhile. Its tokens end too: one tap opens for
    /// one install.
    func taking(by unit: InstallUnit) -> [Statement] {
        rows.map { row in
            Statement(
                "DELETE FROM address_click WHERE app_id = $1 AND period = $2 AND mark = $3 AND click_id = $4",
                [.text(unit.app.rawValue), row["period"], row["mark"], row["click_id"]])
        } + rows.prefix(1).map { keeping($0, by: unit) }
            + rows.map { FoundLink.endingTokens(of: $0["click_id"], in: unit.app) }
    }

    private func keeping(_ row: Row, by unit: InstallUnit) -> Statement {
        Statement(
            """
            INSERT INTO deferred_link (app_id, token_hash, kind, click_id, original, resolved, campaign, ad_group, creative,
              label, channel, link_host, link_path, created_at_ms, expires_at_ms, taken_by_install)
            VALUES ($1, $2, 'address', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
            """,
            [
                // No page hands out a token with this hash.
                .text(unit.app.rawValue), .blob(Array(SHA256.hash(data: Array("address \(click.clickID)".utf8)))),
                .text(click.clickID), row["original"], row["resolved"], row["campaign"], row["ad_group"], row["creative"],
                row["label"], row["channel"], row["link_host"], row["link_path"], row["created_at_ms"],
                .integer(unit.nowMs), .text(unit.id.rawValue),
            ])
    }
}
