// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer

/// An endpoint of the configuration, as pages show it: of its address only the host, because the rest may contain a password.
struct WebhookEntry: Hashable, Sendable {
    enum State: String, Hashable, Sendable { case on, failing, off }

    let key: String
    let number: Int
    let host: String
    let types: [String]
    let state: State
    /// Since when it is off or fails.
    let sinceMs: Int64?
    let lastFailure: String?
    let waiting: Int64
    let oldestMs: Int64?
    let givenUp: Int64
}

extension WebhookEntry {
    init(_ endpoint: Webhooks.Endpoint) {
        let state = endpoint.state
        self.init(
            key: endpoint.endpoint.key, number: endpoint.number, host: endpoint.endpoint.host,
            types: WebhookType.allCases.filter(endpoint.endpoint.types.contains).map(\.rawValue),
            state: state.offAtMs != nil ? .off : state.failingSinceMs != nil ? .failing : .on,
            sinceMs: state.offAtMs ?? state.failingSinceMs, lastFailure: state.lastFailure, waiting: endpoint.waiting.count,
            oldestMs: endpoint.waiting.oldestMs, givenUp: state.givenUp)
    }
}

/// Every endpoint, and how it is doing.
struct WebhookListPage {
    /// A test event that was sent just now.
    struct Tested: Hashable, Sendable {
        let host: String
        let result: WebhookTestResult
    }

    let frame: Frame
    let endpoints: [WebhookEntry]
    /// Messages that had to make room for newer ones.
    let dropped: Int64
    var tested: Tested?

    private var words: Words { frame.words }

    var html: HTML {
        frame.page(words.webhooksTitle, .webhooks, note: words.timesNote) {
            if let tested { html(tested) }
            if dropped > 0 { div(.class("alert"), Attribute("role", "status")) { p { words.webhooksDropped(dropped) } } }
            if endpoints.isEmpty {
                section(.class("block")) {
                    p(.class("empty")) { words.noWebhooks }
                    frame.helpForEmpty(.webhooks)
                }
            }
            for endpoint in endpoints { html(endpoint) }
        }
    }

    private func html(_ tested: Tested) -> HTML {
        let result = tested.result
        return div(.class(result.delivered ? "alert good" : "alert"), Attribute("role", "status"), Attribute("data-tested", "")) {
            p {
                result.delivered
                    ? words.webhookTestDelivered(tested.host, status: result.status ?? 0, afterMs: result.tookMilliseconds)
                    : words.webhookTestFailed(tested.host, result.failure ?? "")
            }
            if let answer = result.answer { pre(Attribute("tabindex", "0")) { code { answer } } }
        }
    }

    private func html(_ endpoint: WebhookEntry) -> HTML {
        section(.class("block"), Attribute("data-webhook", endpoint.key)) {
            h2 { "\(endpoint.number). \(endpoint.host)" }
            p {
                span(.class(endpoint.state == .on ? "badge good" : "badge bad")) { words.name(of: endpoint.state) }
                if let sinceMs = endpoint.sinceMs { " "; words.webhookSince(sinceMs) }
            }
            if let failure = endpoint.lastFailure { p { words.webhookLastFailure; " "; code { failure } } }
            dl(.class("figures")) {
                figure(words.webhookWaiting, endpoint.waiting)
                figure(words.webhookGivenUp, endpoint.givenUp)
            }
            if let oldestMs = endpoint.oldestMs { p(.class("hint")) { words.webhookOldest(oldestMs) } }
            p { for type in endpoint.types { code { type }; " " } }
            p { a(.class("button"), .href(Place("/console/webhooks", [endpoint.key]))) { words.webhookDeliveries } }
            if frame.can(.operating) {
                form(.class("toolbar"), Attribute("method", "post"), .action(Place("/console/webhooks", [endpoint.key, "test"]))) {
                    frame.proof
                    button(.class("plain")) { words.webhookTest }
                }
                if endpoint.state == .off {
                    form(.class("toolbar"), Attribute("method", "post"), .action(Place("/console/webhooks", [endpoint.key, "on"]))) {
                        frame.proof
                        button { words.webhookSwitchOn }
                    }
                }
            }
        }
    }

    private func figure(_ title: String, _ value: Int64) -> HTML {
        div(.class("figure")) {
            dt { title }
            dd(.class("known")) { words.language.count(value) }
        }
    }
}
