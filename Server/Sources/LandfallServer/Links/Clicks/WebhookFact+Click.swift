// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

extension WebhookFact {
    /// A person's tap on a link, before it is known which install it leads to. It contains what the stored click does: no address and no
    /// user agent.
    init(_ click: Click) {
        self.init(.linkClicked, atMs: click.atMs) { json in
            json.key("link")
            json.beginObject()
            json.field("clickId", click.id)
            json.field("host", click.host)
            json.field("path", click.path.text)
            json.field("outcome", click.outcome.rawValue)
            json.field("platform", click.platform.rawValue)
            json.field("country", click.country)
            json.field("referrer", click.context.referrer)
            json.field("browser", click.context.browser)
            json.field("language", click.context.language)
            json.field("productPage", click.context.productPage)
            click.labels.writeWebhookFields(to: &json)
            click.parameters.writeWebhookField(to: &json)
            json.endObject()
        }
    }
}
