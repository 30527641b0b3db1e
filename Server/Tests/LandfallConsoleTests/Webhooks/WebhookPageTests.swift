// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole
@testable import LandfallServer

@Suite("The pages about webhooks", .timeLimit(.minutes(1)))
struct WebhookPageTests {
    private static func entry(_ state: WebhookEntry.State) -> WebhookEntry {
        WebhookEntry(
            key: "k1", number: 2, host: "hooks.example.com", types: ["first_open"], state: state, sinceMs: state == .on ? nil : 1_795_300_000_000,
            lastFailure: state == .failing ? "status <500>" : nil, waiting: 3, oldestMs: 1_795_200_000_000, givenUp: 1)
    }

    private static func delivery(_ ending: WebhookDelivery.Ending?) -> WebhookDelivery {
        WebhookDelivery(
            id: "0199b0a0-1c5f-7d3a-9a51-7d1a6cf2e90b", type: "first_open", sequence: 7, createdAtMs: 1_795_300_000_000, attempts: 2,
            ending: ending, nextTryAtMs: ending == nil ? 1_795_300_005_000 : nil, lastTryAtMs: 1_795_300_000_000, status: 500,
            answer: "<b>no</b>", failure: "status 500", body: #"{"data":{"url":"a/b"},"type":"<first>"}"#)
    }

    @Test("An endpoint says how it is doing; only who may change something sees buttons", arguments: Language.allCases, [Role.admin, .support])
    func list(language: Language, role: Role) {
        let words = Words(language)
        for state in [WebhookEntry.State.on, .failing, .off] {
            let page = WebhookListPage(frame: .sample(role, language), endpoints: [Self.entry(state)], dropped: 0).html.markup

            #expect(page.contains(words.name(of: state)) && page.contains("/console/webhooks/k1\"") && !page.contains("<500>"))
            #expect(page.contains("action=\"/console/webhooks/k1/test\"") == (role == .admin))
            #expect(page.contains("action=\"/console/webhooks/k1/on\"") == (role == .admin && state == .off))
            #expect(page.contains(words.webhookSince(1_795_300_000_000)) == (state != .on))
        }
        let empty = WebhookListPage(frame: .sample(role, language), endpoints: [], dropped: 2).html.markup
        #expect(empty.contains(words.noWebhooks.escapedForHTML) && empty.contains(words.webhooksDropped(2).escapedForHTML))
    }

    @Test("A test event's answer is shown as text", arguments: Language.allCases, [true, false])
    func tested(language: Language, isDelivered: Bool) {
        let result = WebhookTestResult(
            webhookId: "i", delivered: isDelivered, status: isDelivered ? 204 : 500, answer: "<i>", failure: isDelivered ? nil : "status 500",
            tookMilliseconds: 12)
        let page = WebhookListPage(
            frame: .sample(.owner, language), endpoints: [Self.entry(.on)], dropped: 0, tested: .init(host: "hooks.example.com", result: result)
        ).html.markup

        #expect(page.contains(isDelivered ? "204" : "status 500") && page.contains("&lt;i&gt;") && !page.contains("<i>"))
    }

    @Test("Deliveries are listed with their states, and lead to the next page of the same filter", arguments: Language.allCases)
    func deliveries(language: Language) {
        let endings: [WebhookDelivery.Ending?] = [nil, .delivered, .givenUp, .off], words = Words(language)
        let page = WebhookDeliveriesPage(
            frame: .sample(.owner, language), endpoint: Self.entry(.on), deliveries: endings.map { Self.delivery($0) }, next: "n1",
            isUndelivered: true, replayed: 4
        ).html.markup

        for ending in endings { #expect(page.contains(Self.delivery(ending).badge(words).markup)) }
        #expect(page.contains("before=n1&amp;state=undelivered") && page.contains(words.webhookReplayed(4)))
        #expect(page.contains("action=\"/console/webhooks/k1/replay\""))
        let off = WebhookDeliveriesPage(frame: .sample(.owner, language), endpoint: Self.entry(.off), deliveries: [], next: nil).html.markup
        #expect(off.contains(words.noDeliveries) && !off.contains("/replay"))
        let support = WebhookDeliveriesPage(frame: .sample(.support, language), endpoint: Self.entry(.on), deliveries: [], next: nil).html.markup
        #expect(!support.contains("/replay"))
    }

    @Test("A delivery shows body and answer, escaped", arguments: Language.allCases, [Role.admin, .support])
    func delivery(language: Language, role: Role) {
        let page = WebhookDeliveryPage(
            frame: .sample(role, language), endpoint: "k1", host: "hooks.example.com", delivery: Self.delivery(nil)
        ).html.markup

        #expect(page.contains("&lt;b&gt;no&lt;/b&gt;") && page.contains("a/b") && page.contains("&lt;first&gt;") && !page.contains("<first>"))
        #expect(page.contains("/again\"") == (role == .admin))
        #expect(WebhookDeliveryPage.readable("no JSON") == "no JSON")
    }
}
