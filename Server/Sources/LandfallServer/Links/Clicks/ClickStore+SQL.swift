// SPDX-License-Identifier: Apache-2.0
import Foundation
package import LandfallRules
package import LandfallStore
import LandfallWire

/// The live store, on either engine. A click is an append, so many clicks share a commit. An engine that does not know whether they are on
/// disk sends them again: ids and tokens are drawn before, so the same click twice is one.
package struct SQLClickStore: ClickStore {
    private let database: any Database
    private let webhooks: WebhookNeed

    package init(_ database: any Database, webhooks: WebhookNeed = WebhookNeed()) { (self.database, self.webhooks) = (database, webhooks) }

    package func record(_ entry: ClickEntry, of app: AppID, then: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        var rows: [Statement]
        do {
            rows = try [entry.click.row.insertion(into: app)] + entry.deferred.map { $0.insertion(of: entry.click, into: app) }
                + [entry.waiting].compactMap { $0?.insertion(of: entry.click, into: app) }
        } catch {
            return then(.failure(error))
        }
        if entry.click.kind == .person, let note = webhooks.note(of: .linkClicked, nowMs: entry.click.atMs) {
            rows += note.insertions(of: [WebhookFact(entry.click)], into: app)
        }
        database.append(rows, .interactive, then: then)
    }
}

extension DeferredClick {
    fileprivate func insertion(of click: Click, into app: AppID) -> Statement {
        Statement(
            """
            INSERT INTO deferred_link (app_id, token_hash, kind, click_id, original, resolved, campaign, ad_group, creative,
              label, channel, link_host, link_path, created_at_ms, expires_at_ms)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) ON CONFLICT DO NOTHING
            """,
            [
                .text(app.rawValue), .blob(token.hash), .text(token.kind.rawValue), .text(click.id),
                .text(original), .text(resolved), .text(click.labels.campaign),
                .text(click.labels.adGroup), .text(click.labels.creative), .text(click.labels.label),
                .text(click.labels.channel), .text(click.host), .text(click.path.text), .integer(click.atMs),
                .integer(click.atMs + token.lifeMs),
            ]
        )
    }
}

extension Click {
    fileprivate var row: ClickRow {
        ClickRow(
            id: id, atMs: atMs, kind: kind.rawValue, platform: platform.rawValue, host: host, path: path.text,
            outcome: outcome.rawValue, visitor: visitor, country: country, labels: labels, parameters: parameters, context: context
        )
    }
}

/// A row of the table `click`: a request for a link in a browser, a tap on a button of its page, or a link that reached the app.
struct ClickRow: Hashable, Sendable {
    /// A UUIDv7, so that the key is in the order of time.
    let id: String
    let atMs: Int64
    /// One of ``ClickKind``; `app` and `unproven` for reports of an app; `tap`.
    let kind: String
    let platform: String
    let host: String
    let path: String
    /// Of a tap, the button.
    let outcome: String
    var visitor: Int64?
    var country: String?
    let labels: LinkLabels
    let parameters: [String: String]
    var context = ClickContext()

    func insertion(into app: AppID) throws -> Statement {
        let parameters = parameters.isEmpty ? nil : String(decoding: try WireCoding.encode(parameters), as: UTF8.self)
        return Statement(
            """
            INSERT INTO click (app_id, click_id, clicked_at_ms, kind, platform, link_host, link_path, outcome, visitor,
              country, tracker, campaign, ad_group, creative, label, channel, parameters, referrer, browser, language, product_page)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
            ON CONFLICT DO NOTHING
            """,
            [
                .text(app.rawValue), .text(id), .integer(atMs), .text(kind), .text(platform), .text(host), .text(path),
                .text(outcome), .integer(visitor), .text(country), .text(labels.tracker), .text(labels.campaign),
                .text(labels.adGroup), .text(labels.creative), .text(labels.label), .text(labels.channel), .text(parameters),
                .text(context.referrer), .text(context.browser), .text(context.language), .text(context.productPage),
            ]
        )
    }
}
