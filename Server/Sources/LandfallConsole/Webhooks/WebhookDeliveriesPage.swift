// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallServer
import LandfallWire

/// What went to one endpoint, and what waits for it, the newest first.
struct WebhookDeliveriesPage {
    /// The ranges that the form offers, up to now.
    static let hours: [Int64] = [1, 24, 72, 168]

    let frame: Frame
    let endpoint: WebhookEntry
    let deliveries: [WebhookDelivery]
    /// Where the next page begins; nil on the last one.
    let next: String?
    var isUndelivered = false
    /// How many deliveries a replay has begun anew just now.
    var replayed: Int64?

    private var words: Words { frame.words }

    var html: HTML {
        frame.page(words.webhookDeliveries, .webhooks, note: words.timesNote) {
            if let replayed { div(.class("alert good"), Attribute("role", "status")) { p { words.webhookReplayed(replayed) } } }
            section(.class("block")) {
                h2 { "\(endpoint.number). \(endpoint.host)" }
                p {
                    span(.class(endpoint.state == .on ? "badge good" : "badge bad")) { words.name(of: endpoint.state) }
                    " "; a(.href(Place("/console/webhooks"))) { words.webhooksTitle }
                }
                nav(.class("choices"), .label(words.webhookWhich)) {
                    choice(words.webhookAll, query: [], isChosen: !isUndelivered)
                    choice(words.webhookUndelivered, query: [("state", "undelivered")], isChosen: isUndelivered)
                }
                if deliveries.isEmpty { p(.class("empty")) { words.noDeliveries } } else { table }
                p(.class("hint")) { words.webhookKept }
                if let next {
                    p(.class("toolbar")) {
                        a(.class("button"), .href(place([("before", next)] + (isUndelivered ? [("state", "undelivered")] : [])))) { words.older }
                    }
                }
            }
            if frame.can(.operating), endpoint.state != .off { replaying }
        }
    }

    private func place(_ query: [(String, String?)]) -> Place { Place("/console/webhooks", [endpoint.key], query: query) }

    private func choice(_ title: String, query: [(String, String?)], isChosen: Bool) -> HTML {
        a(.href(place(query)), .optional("aria-current", isChosen ? "page" : nil)) { title }
    }

    private var table: HTML {
        scrollingTable(
            words.webhookDeliveries,
            titles: [words.webhookTime, words.webhookType, words.webhookState, words.webhookAnswer, words.webhookTries, words.webhookNextTry]
        ) {
            for delivery in deliveries {
                tr {
                    th(.class("nowrap"), Attribute("scope", "row")) {
                        a(.href(Place("/console/webhooks", [endpoint.key, "deliveries", delivery.id]))) { words.instant(delivery.createdAtMs) }
                    }
                    td { code { delivery.type } }
                    td { delivery.badge(words) }
                    td { delivery.status.map { String($0) } ?? delivery.failure ?? "–" }
                    td { words.language.count(delivery.attempts) }
                    td(.class("nowrap")) { delivery.nextTryAtMs.map { words.instant($0) } ?? "–" }
                }
            }
        }
    }

    private var replaying: HTML {
        section(.class("block narrow")) {
            h2 { words.webhookReplay }
            p { words.webhookReplayText }
            form(Attribute("method", "post"), .action(Place("/console/webhooks", [endpoint.key, "replay"]))) {
                frame.proof
                ChoiceField(
                    name: "hours", title: words.webhookReplayRange, choices: Self.hours.map { (String($0), words.span($0 * 3_600_000)) },
                    chosen: "1"
                ).html
                button { words.webhookReplay }
            }
        }
    }
}

extension WebhookDelivery {
    /// What became of it.
    func badge(_ words: Words) -> HTML {
        let isBad = ending == nil ? attempts > 0 : ending != .delivered
        return span(.class(ending == .delivered ? "badge good" : isBad ? "badge bad" : "badge")) { words.state(of: self) }
    }
}

/// One message to one endpoint: what it gets, and what it answered.
struct WebhookDeliveryPage {
    let frame: Frame
    /// The key of its endpoint.
    let endpoint: String
    let host: String
    let delivery: WebhookDelivery

    private var words: Words { frame.words }

    var html: HTML {
        frame.page(words.webhookDelivery, .webhooks, note: words.timesNote) {
            section(.class("block")) {
                h2 { code { delivery.id } }
                p { delivery.badge(words); " "; a(.href(Place("/console/webhooks", [endpoint]))) { host } }
                dl(.class("terms")) {
                    term(words.webhookType, delivery.type)
                    term(words.webhookTime, words.instant(delivery.createdAtMs))
                    term(words.webhookTries, words.language.count(delivery.attempts))
                    if let lastMs = delivery.lastTryAtMs { term(words.webhookLastTry, words.instant(lastMs)) }
                    if let nextMs = delivery.nextTryAtMs { term(words.webhookNextTry, words.instant(nextMs)) }
                    if let status = delivery.status { term(words.webhookAnswer, String(status)) }
                    if let failure = delivery.failure { term(words.webhookFailure, failure) }
                }
                if frame.can(.operating) {
                    form(Attribute("method", "post"), .action(Place("/console/webhooks", [endpoint, "deliveries", delivery.id, "again"]))) {
                        frame.proof
                        button(Attribute("aria-describedby", "again-hint")) { words.webhookAgain }
                    }
                    p(.class("hint"), .id("again-hint")) { words.webhookAgainText }
                }
            }
            if let answer = delivery.answer {
                section(.class("block")) {
                    h2 { words.webhookAnswerBody }
                    pre(Attribute("tabindex", "0")) { code { answer } }
                }
            }
            section(.class("block")) {
                h2 { words.webhookBody }
                pre(Attribute("tabindex", "0"), Attribute("data-body", "")) { code { Self.readable(delivery.body) } }
                p(.class("hint")) { words.webhookBodyText }
            }
        }
    }

    private func term(_ name: String, _ value: String) -> HTML {
        div {
            dt { name }
            dd { value }
        }
    }

    /// With line breaks; a body that cannot be read as it is.
    static func readable(_ body: String) -> String {
        guard let value = try? WireCoding.decode(JSONValue.self, from: Data(body.utf8)) else { return body }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? body
    }
}
