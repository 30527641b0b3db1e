// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// A row of the table `click`: a request for a link in a browser, or a link that reached the app.
struct ClickRow: Hashable, Sendable {
    /// A UUIDv7, so that the key is in the order of time.
    let id: String
    let atMs: Int64
    /// One of ``ClickKind``; `app` and `unproven` for reports of an app.
    let kind: String
    let platform: String
    let host: String
    let path: String
    let outcome: String
    var visitor: Int64?
    var country: String?
    let labels: LinkLabels
    let parameters: [String: String]

    func insertion(into app: AppID) throws -> Statement {
        let parameters = parameters.isEmpty ? nil : String(decoding: try WireCoding.encode(parameters), as: UTF8.self)
        return Statement(
            """
            INSERT INTO click (app_id, click_id, clicked_at_ms, kind, platform, link_host, link_path, outcome, visitor,
              country, tracker, campaign, ad_group, creative, label, channel, parameters)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
            """,
            [
                .text(app.rawValue), .text(id), .integer(atMs), .text(kind), .text(platform), .text(host), .text(path),
                .text(outcome), .integer(visitor), .text(country), .text(labels.tracker), .text(labels.campaign),
                .text(labels.adGroup), .text(labels.creative), .text(labels.label), .text(labels.channel), .text(parameters),
            ]
        )
    }
}
