// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Logging
import Synchronization
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// A mail server that takes every letter, or none.
final class Postbox: MailSending {
    private let state = Mutex((letters: [Letter](), failure: MailFailure?.none))

    var letters: [Letter] { state.withLock { $0.letters } }

    func fail(_ failure: MailFailure?) { state.withLock { $0.failure = failure } }

    func send(_ letter: Letter, by route: MailRoute, at address: String) async throws -> MailReceipt {
        try state.withLock { state in
            state.letters.append(letter)
            if let failure = state.failure { throw failure }
            return MailReceipt(answer: "250 queued", refused: [])
        }
    }
}

@Suite("Alerts are told once, at least once", .timeLimit(.minutes(1)))
struct AlertDeliveryTests {
    private static let hook = WebhookEndpoint.sample("alerts", [])
    private static let chat = "https://93.184.216.34/chat"
    private static let minute: Int64 = 60_000

    private static func mail(host: String = "127.0.0.1") -> MailRoute {
        MailRoute(
            host: host, port: 25, security: .none, login: nil, from: MailAddress("landfall@example.com")!, to: [MailAddress("ops@example.com")!])
    }

    private static func configuration(_ destinations: [AlertDestination]) -> Configuration {
        var configuration = Configuration.sample()
        configuration.alerts.rules = [.certificate: AlertSettings.Setting(limit: 14, minutes: 5)]
        configuration.alerts.destinations = destinations
        return configuration
    }

    private static let all = [
        AlertDestination(name: "team", way: .email(mail())), .init(name: "chat", way: .slack(url: chat)), .init(name: "pager", way: .webhook(hook)),
    ]

    /// The days of the certificate of one host.
    private final class Days: Sendable {
        let value = Mutex<Int64>(3)
    }

    private static func work(_ server: TestServer, _ receivers: WebhookReceivers, _ mail: Postbox?, _ days: Days) -> AlertWork {
        var services = server.services
        services.mail = mail
        services.examiningDomains = { _, _ in
            var look = DomainLook(host: "go.example.com")
            look.certificateDays = days.value.withLock { $0 }
            return [look]
        }
        return services.alerts(by: receivers, Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test("to every destination in its form: when it fires, and when it is over; a restart between tells nothing again")
    func told() async throws {
        try await TestServer.run(configuration: Self.configuration(Self.all)) { server in
            let receivers = WebhookReceivers(), mail = Postbox(), days = Days()
            func look(afterMinutes minutes: Int64) async throws {
                server.clock.advance(by: .milliseconds(minutes * Self.minute))
                // As after a restart: nothing is in memory.
                let work = Self.work(server, receivers, mail, days)
                try await work.look()
                try await work.deliver()
            }

            try await look(afterMinutes: 0)
            #expect(mail.letters.isEmpty)
            try await look(afterMinutes: 5)
            try await look(afterMinutes: 1)
            let firing = try await server.services.alertStore.firing()
            days.value.withLock { $0 = 60 }
            try await look(afterMinutes: 1)
            try await look(afterMinutes: 5)

            #expect(firing.map(\.key) == [AlertKey(.certificate, "go.example.com")] && firing.first?.value == 3)
            #expect(mail.letters.map(\.subject) == ["Landfall, example: certificate (go.example.com)", "Landfall, example: certificate (go.example.com) is over"])
            #expect(mail.letters.first?.text.contains("The certificate of go.example.com ends in 3 days. The limit is 14 days.") == true)
            let bodies = try receivers.bodies(to: Self.hook)
            #expect(bodies.map(\.type) == ["alert.fired", "alert.resolved"])
            #expect(bodies.first?["rule"] == "certificate" && bodies.first?["value"] == 3 && bodies.first?["host"] == "go.example.com")
            let call = try #require(receivers.calls(to: Self.hook).first), id = try #require(call.headers["webhook-id"])
            let seconds = try #require(call.headers["webhook-timestamp"].flatMap { Int64($0) })
            #expect(call.headers["webhook-signature"] == Self.hook.signatures(of: call.body ?? [], id: id, seconds: seconds))
            let chats = receivers.calls(to: WebhookEndpoint(url: Self.chat, secrets: [], types: [WebhookType]()))
            #expect(chats.count == 2 && String(decoding: chats[0].body ?? [], as: UTF8.self).hasPrefix(#"{"text":"🔴 *Landfall"#))
            #expect(try await server.services.alertStore.states().isEmpty)
        }
    }

    @Test("A destination that fails gets the same message again after each wait, and at last it is given up; the others wait for nothing")
    func waits() async throws {
        try await TestServer.run(configuration: Self.configuration(Self.all)) { server in
            let receivers = WebhookReceivers(), mail = Postbox(), work = Self.work(server, receivers, mail, Days())
            mail.fail(.tooSlow)
            try await work.look()
            server.clock.advance(by: .seconds(300))
            try await work.look()
            try await work.deliver()
            #expect(mail.letters.count == 1 && receivers.calls(to: Self.hook).count == 1)
            for wait in AlertWork.waitsMs {
                let before = mail.letters.count
                server.clock.advance(by: .milliseconds(wait - 1))
                try await work.deliver()
                #expect(mail.letters.count == before)
                server.clock.advance(by: .milliseconds(1))
                try await work.deliver()
                #expect(mail.letters.count == before + 1)
            }

            server.clock.advance(by: .seconds(86_400))
            try await work.deliver()
            #expect(mail.letters.count == AlertWork.waitsMs.count + 1 && Set(mail.letters.map(\.id)).count == 1)
            #expect(receivers.calls(to: Self.hook).count == 1)
            #expect(server.services.metrics.text().contains(#"landfall_alert_messages_total{outcome="given_up"} 1"#))
        }
    }

    @Test("A destination that takes nothing keeps no news from the others, however much waits for it")
    func others() async throws {
        try await TestServer.run(configuration: Self.configuration(Self.all)) { server in
            let receivers = WebhookReceivers(), mail = Postbox(), nowMs = server.services.time.nowMs()
            let news = (0...AlertWork.lot).map { number in
                AlertNews(.fired, AlertState(key: AlertKey(.disk), sinceMs: Int64(number), value: 5, limit: 10, detail: ""), atMs: nowMs)
            }
            let alerts = server.services.alertStore
            try await alerts.move(from: AlertStates(), to: AlertStates(), telling: news, to: ["team"], nowMs: nowMs - 1)
            try await alerts.move(from: AlertStates(), to: AlertStates(), telling: [news[0]], to: ["pager"], nowMs: nowMs)
            mail.fail(.tooSlow)

            try await Self.work(server, receivers, mail, Days()).deliver()

            #expect(mail.letters.count == 1 && receivers.calls(to: Self.hook).count == 1)
            let waiting = try await alerts.due(nowMs: nowMs + Self.minute, most: AlertWork.lot)
            #expect(waiting.map(\.destination) == [String](repeating: "team", count: AlertWork.lot))
        }
    }

    @Test("A destination that learns that something is over is not told afterwards that it began")
    func order() async throws {
        try await TestServer.run(configuration: Self.configuration([Self.all[0]])) { server in
            let receivers = WebhookReceivers(), mail = Postbox(), days = Days()
            func work() -> AlertWork { Self.work(server, receivers, mail, days) }
            func after(minutes: Int64, _ step: () async throws -> Void) async throws {
                server.clock.advance(by: .milliseconds(minutes * Self.minute))
                try await step()
            }
            mail.fail(.tooSlow)
            try await work().look()
            try await after(minutes: 5) { try await work().look() }
            days.value.withLock { $0 = 60 }
            try await work().look()
            // The news that it began fails last when it is over already, so it waits for longer.
            try await work().deliver()
            try await after(minutes: 1) { try await work().deliver() }
            try await after(minutes: 5) {
                try await work().look()
                try await work().deliver()
            }
            #expect(mail.letters.count == 3)

            mail.fail(nil)
            try await after(minutes: 1) { try await work().deliver() }
            try await after(minutes: 24 * 60) { try await work().deliver() }

            #expect(mail.letters.count == 4 && mail.letters.last?.subject.hasSuffix("is over") == true)
            #expect(try await server.services.alertStore.due(nowMs: .max, most: 9).isEmpty)
        }
    }

    @Test("A message that only another release can read waits for a node of it, and goes after a day")
    func otherRelease() async throws {
        try await TestServer.run(configuration: Self.configuration(Self.all)) { server in
            let receivers = WebhookReceivers(), mail = Postbox(), alerts = server.services.alertStore, nowMs = server.services.time.nowMs()
            let state = AlertState(key: AlertKey(.disk), sinceMs: nowMs, value: 5, limit: 10, detail: "")
            try await alerts.move(
                from: AlertStates(), to: AlertStates(), telling: [AlertNews(.fired, state, atMs: nowMs)], to: ["team"], nowMs: nowMs)
            _ = try await server.services.database.write { try $0.run("UPDATE alert_message SET news = $1", [.text("{}")]) }

            var counts: [Int] = []
            for wait in AlertWork.waitsMs + [0] {
                try await Self.work(server, receivers, mail, Days()).deliver()
                counts.append(try await alerts.due(nowMs: .max, most: 9).count)
                server.clock.advance(by: .milliseconds(wait))
            }

            #expect(counts == AlertWork.waitsMs.map { _ in 1 } + [0] && mail.letters.isEmpty)
        }
    }

    @Test("A message that was put back before the clock went back is due")
    func clockWentBack() async throws {
        try await TestServer.run(configuration: Self.configuration(Self.all)) { server in
            let alerts = server.services.alertStore, nowMs = server.services.time.nowMs(), longestMs = AlertWork.waitsMs.max() ?? 0
            let state = AlertState(key: AlertKey(.disk), sinceMs: nowMs, value: 5, limit: 10, detail: "")
            try await alerts.move(
                from: AlertStates(), to: AlertStates(), telling: [AlertNews(.fired, state, atMs: nowMs)], to: ["team"], nowMs: nowMs)
            let message = try #require(try await alerts.due(nowMs: nowMs, most: 9).first)
            try await alerts.settle(message, dueAtMs: nowMs + longestMs)

            let waiting = try await alerts.due(nowMs: nowMs, most: 9), back = try await alerts.due(nowMs: nowMs - 1, most: 9)

            #expect(waiting.isEmpty && back.map(\.attempts) == [1])
        }
    }

    @Test("A name that leads into the server's own network is refused; a message for a destination that nobody names any more goes")
    func refused() async throws {
        try await TestServer.run(configuration: Self.configuration([.init(name: "gone", way: .slack(url: Self.chat))])) { server in
            let receivers = WebhookReceivers(), work = Self.work(server, receivers, nil, Days())
            try await work.look()
            server.clock.advance(by: .seconds(300))
            try await work.look()
            let configuration = Self.configuration([.init(name: "near", way: .slack(url: "https://127.0.0.1/x"))])
            _ = server.services.configuration.serve(Snapshot(configuration, revision: server.services.snapshot.revision + 1))
            try await work.deliver()
            #expect(try await server.services.alertStore.due(nowMs: .max, most: 9).isEmpty)

            let sending = AlertSending(
                http: receivers, mail: Postbox(), address: WebhookAddress(resolve: { _ in ["10.0.0.7"] }), time: server.services.time)
            let message = AlertMessage(testAtMs: 0, of: server.app)
            for way: AlertDestination.Way in [.slack(url: "https://in.example.com/x"), .slack(url: "https://127.0.0.1/x"), .email(Self.mail(host: "in.example.com"))] {
                let outcome = await sending.send(message, to: AlertDestination(name: "a", way: way))
                guard case .failed(let cause) = outcome else {
                    Issue.record("it was sent")
                    continue
                }
                #expect(cause.contains("not on the internet"))
            }
            let near = await sending.send(message, to: AlertDestination(name: "a", way: .email(Self.mail())))
            #expect(near == .delivered("250 queued"))
        }
    }

    @Test("Slack's own signs in a text are no signs; the id of news follows from what it says")
    func forms() throws {
        let state = AlertState(key: AlertKey(.webhook, "a"), sinceMs: 0, value: 61, limit: 60, detail: "<!channel> & ü")
        let message = AlertMessage(AlertNews(.fired, state, atMs: 1_795_300_000_999), id: "alert-1", of: AppID("example"))

        let chat = String(decoding: message.chat, as: UTF8.self)

        #expect(chat.contains("&lt;!channel&gt; &amp; ü") && !chat.contains("<!channel>"))
        #expect(AlertStore.id(of: message.news) == AlertStore.id(of: message.news) && AlertStore.id(of: message.news).count == 38)
        #expect(message.lines.contains("Since: 1970-01-01T00:00:00Z") && message.body.contains("2026-11-21"))
    }

    @Test("What is measured comes from where metrics, health and reports have it")
    func measured() async throws {
        try await TestServer.run(configuration: Self.configuration([])) { server in
            let telemetry = AlertTelemetry(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, factory: server.services.metrics)
            let meter = AlertMeter(
                server.services.database, app: server.app, sources: server.services.alertSources, telemetry: telemetry, time: server.services.time)
            let counts = try await AlertCountReading(reports: server.services.reports).counts(server.services.snapshot)
            let first = try await meter.measure(server.services.snapshot)
            server.clock.advance(by: .seconds(7_200))
            let second = try await meter.measure(server.services.snapshot)

            #expect(first.oldestTokenMs == 0 && first.webhooks == [] && first.domains == nil && first.unknownTokens == nil)
            #expect(first.expiredClicks == counts.expiredClicks && counts.expiredClicks ?? 0 == 0 && first.notificationsSilentMs == nil)
            #expect(counts.bundledPaywalls == .init(0, of: 0) && counts.linkOpens?.part ?? 0 == 0 && counts.linkOpensBefore?.part ?? 0 == 0)
            #expect(second.backupMs == nil || second.backupMs == (first.backupMs ?? 0) + 7_200_000)
            #expect(server.services.metrics.count("landfall_apple_ads_exchanges_total", [("outcome", "organic")]) == 0)
        }
    }
}
