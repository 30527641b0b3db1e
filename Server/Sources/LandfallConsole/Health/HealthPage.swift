// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// What is in order on this node, and what to do where it is not.
struct HealthPage {
    struct Node: Hashable, Sendable {
        let release: String
        let runningMs: Int64
        let version: Int64
        let connections: Int
        let held: Int
        /// Open pages that show what happens.
        let watching: Int
    }

    let frame: Frame
    let node: Node
    let checks: [HealthCheck]
    /// Nil without a key for the App Store Server API.
    var appStore: AppStoreHealth?
    /// Nil if no other node works on the store.
    var nodes: NodesHealth?
    /// Those that fire.
    var alerts: [AlertState] = []

    private var words: Words { frame.words }
    private var language: Language { frame.language }

    var html: HTML {
        let wrong = checks.filter { !$0.isOK }
        return frame.page(words.health, .health, note: words.healthNote) {
            div(.class(wrong.isEmpty && alerts.isEmpty ? "alert good" : "alert"), Attribute("role", "status")) {
                p { wrong.isEmpty ? words.healthGood : words.healthBad(wrong.count, of: checks.count) }
                if !alerts.isEmpty { p { words.alertsFire(alerts.count) } }
            }
            if let alerts = AlertBlock(alerts: alerts, words: words).html { alerts }
            section(.class("block")) {
                h2 { words.healthChecks }
                ul(.class("checks")) {
                    for verdict in [HealthCheck.Verdict.problem, .toDo, .elsewhere, .inOrder] {
                        for check in checks where check.verdict == verdict { row(check) }
                    }
                }
            }
            if let appStore { testing(appStore.test) }
            if let nodes { Self.html(nodes, words) }
            section(.class("block")) {
                dl(.class("figures")) {
                    figure(words.releaseOfServer, node.release)
                    figure(words.runningFor, words.span(node.runningMs))
                    figure(words.servedVersion, language.count(node.version))
                    figure(words.openConnections, language.count(Int64(node.connections)))
                    figure(words.heldCalls, language.count(Int64(node.held)))
                    figure(words.liveWatchers, language.count(Int64(node.watching)))
                }
                p(.class("hint")) { words.outsideChecks }
                pre(Attribute("tabindex", "0")) { code { "landfall doctor" } }
            }
        }
    }

    /// How the last test notification went, and another one.
    private func testing(_ test: TestNotification?) -> HTML {
        section(.class("block"), Attribute("data-test-notification", "")) {
            h2 { words.testNotification }
            if let test {
                p { test.isGood ? words.testArrived(afterMs: test.tookMilliseconds) : words.testLost(test.result) }
            }
            form(Attribute("method", "post"), .action(Place("/console/health/test"))) {
                frame.proof
                button(.class("plain"), Attribute("aria-describedby", "test-hint")) { words.sendTest }
            }
            p(.class("hint"), .id("test-hint")) { words.testHint }
            pre(Attribute("tabindex", "0")) { code { "landfall test-notification" } }
        }
    }

    private func row(_ check: HealthCheck) -> HTML {
        li(Attribute("data-check", check.name)) {
            badge(check.verdict)
            div {
                h3 { words.name(of: check.finding) }
                p { words.sentence(check.finding) }
                if check.verdict != .inOrder { p { words.fix(check.finding) } }
                if case .webhooks = check.finding { p { a(.href(Place("/console/webhooks"))) { words.webhooksTitle } } }
                if let command = check.command { pre(Attribute("tabindex", "0")) { code { command } } }
            }
        }
    }

    private func badge(_ verdict: HealthCheck.Verdict) -> HTML {
        switch verdict {
        case .inOrder: span(.class("badge good")) { words.inOrder }
        case .problem: span(.class("badge bad")) { words.notInOrder }
        case .toDo: span(.class("badge")) { words.toDo }
        case .elsewhere: span(.class("badge")) { words.notCheckedHere }
        }
    }

    private func figure(_ title: String, _ value: String) -> HTML {
        div(.class("figure")) {
            dt { title }
            dd(.class("known")) { value }
        }
    }
}
