// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

extension AppleAdsExchange {
    /// More tokens than this from one install are not sent to Apple.
    static let mostPerInstall = 32

    static func newest(of install: InstallID, in app: AppID, from connection: any ReadConnection) throws -> AppleAdsExchange? {
        try connection.row(
            """
            SELECT token_hash, state, reason, due_at_ms, received_at_ms
            FROM apple_ads_exchange WHERE app_id = $1 AND install_id = $2
            ORDER BY received_at_ms DESC, token_hash LIMIT 1
            """,
            [.text(app.rawValue), .text(install.rawValue)]
        ).map(AppleAdsExchange.init)
    }

    private init(_ row: Row) throws {
        tokenHash = TokenHash(rawValue: try row.text("token_hash"))
        receivedAtMs = try row.integer("received_at_ms")
        state =
            switch try row.text("state") {
            case "waiting": .waiting(dueAtMs: try row.integer("due_at_ms"))
            case "attributed": .attributed
            case "organic": .organic
            default: .unavailable(row.optionalText("reason").map { UnavailableReason($0) } ?? .noToken)
            }
    }
}

extension InstallChange {
    /// Keeps what the phone says of its token.
    func take(_ install: Install, _ token: AdToken) throws {
        switch token {
        case .coming: return
        case .none(let reason):
            guard reason != install.tokenNone else { return }
            guard (1...Limits.reason).contains(reason.rawValue.utf8.count) else {
                throw InstallError.invalidValue("The reason for having no ad token has 1 to \(Limits.reason) bytes.")
            }
            try connection.run(
                "UPDATE install SET token_none = $3 WHERE app_id = $1 AND install_id = $2",
                [.text(app.rawValue), .text(id.rawValue), .text(reason.rawValue)]
            )
        case .value(let text):
            guard (1...4096).contains(text.utf8.count) else {
                throw InstallError.invalidValue("An ad token has 1 to 4096 bytes.")
            }
            try queue(text)
        }
    }

    /// One exchange per token, for the install that sent it first. Another install's token is answered at once: it would
    /// attribute one download twice.
    private func queue(_ token: String) throws {
        let hash = TokenHash(of: token)
        guard try tokenCount() < AppleAdsExchange.mostPerInstall else { return }
        try connection.run(
            """
            INSERT INTO apple_ads_token (app_id, token_hash, install_id, created_at_ms) VALUES ($1, $2, $3, $4)
            ON CONFLICT DO NOTHING
            """,
            [.text(app.rawValue), .text(hash.rawValue), .text(id.rawValue), .integer(nowMs)]
        )
        let owner = try connection.row(
            "SELECT install_id FROM apple_ads_token WHERE app_id = $1 AND token_hash = $2",
            [.text(app.rawValue), .text(hash.rawValue)]
        )
        let isOwn = try owner?.text("install_id") == id.rawValue
        try connection.run(
            """
            INSERT INTO apple_ads_exchange (app_id, install_id, token_hash, token, state, reason, attempts, not_found_count,
              is_retry, due_at_ms, lease_until_ms, received_at_ms, finished_at_ms)
            VALUES ($1, $2, $3, $4, $5, $6, 0, 0, 0, $7, $7, $7, $8)
            ON CONFLICT DO NOTHING
            """,
            [
                .text(app.rawValue), .text(id.rawValue), .text(hash.rawValue), .text(isOwn ? token : nil),
                .text(isOwn ? "waiting" : "unavailable"), .text(isOwn ? nil : UnavailableReason.tokenReused.rawValue),
                .integer(nowMs), .integer(isOwn ? nil : nowMs),
            ]
        )
    }

    private func tokenCount() throws -> Int {
        let row = try connection.row(
            "SELECT COUNT(*) AS count FROM apple_ads_exchange WHERE app_id = $1 AND install_id = $2",
            [.text(app.rawValue), .text(id.rawValue)]
        )
        return Int(try row?.integer("count") ?? 0)
    }
}
