// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer

@Suite("What happens, as it happens", .timeLimit(.minutes(1)))
struct LiveTests {
    @Test("The feed keeps the newest thousand, in order, with growing ids")
    func ring() {
        let feed = LiveFeed()
        for number in 0..<2_500 { feed.add(number.isMultiple(of: 2) ? .tap : .exposure, atMs: 5, "\(number)", []) }

        let rows = feed.rows(after: 0, nil, limit: 5_000)

        #expect((LiveFeed.most...LiveFeed.most + 100).contains(rows.count))
        #expect(rows.last?.subject == "2499")
        #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.id < $1.id })
        #expect(feed.rows(after: rows[rows.count - 3].id, nil, limit: 9).map(\.subject) == ["2498", "2499"])
        #expect(feed.rows(after: 0, .tap, limit: 2).map(\.subject) == ["2496", "2498"])
    }

    @Test("A sixth stream of a member ends the first; a stopping server ends all")
    func streams() async {
        let feed = LiveFeed()
        let watches = (0..<6).compactMap { _ in feed.watch(member: "m") }

        for await _ in watches[0].stream {}
        #expect(feed.watching == 5)
        feed.stop()
        for watch in watches { for await _ in watch.stream {} }
        #expect(feed.watch(member: "m") == nil)
    }

    @Test("A stream that nobody reads holds no place: HEAD, or a browser that left")
    func unread() {
        let feed = LiveFeed()
        for _ in 0..<10 { _ = feed.watch(member: "m") }

        #expect(feed.watching == 0)
    }

    @Test("Rows of a test device have a badge, and can be left out")
    func testDevices() async throws {
        let phone = Phone(1, secret: 1), other = Phone(2, secret: 2)
        var configuration = Configuration.sample()
        configuration.testDevices = [TestDevice(name: "Maya's phone", install: InstallID(phone.id))]
        try await TestServer.run(configuration: configuration) { server in
            for one in [phone, other] { _ = try await server.firstOpen("{}", phone: one) }
            let editor = try await ConsoleBrowser.signedIn(server, as: .editor)
            let viewer = try await ConsoleBrowser.signedIn(server, as: .viewer, "omar@example.com")
            let badge = "<span class=\"badge\">Test device</span>"

            let all = try await editor.get("/console/live").page
            let without = try await editor.get("/console/live?test=without").page

            #expect(all.contains(phone.id) && all.contains(other.id) && all.ranges(of: badge).count == 1)
            #expect(!without.contains(phone.id) && without.contains(other.id) && !without.contains(badge))
            let seen = try await viewer.get("/console/live").page
            #expect(seen.ranges(of: badge).count == 1 && !seen.contains(phone.id))
        }
    }

    @Test("After a restart the feed has what the store has, in the order of time, and machines are left out")
    func beginning() async throws {
        try await TestServer.runBrand { server in
            let feed = server.services.console.live
            for number in 1...3 {
                let phone = Phone(number)
                _ = try await server.firstOpen(#"{"device":{"platform":"ios","locale":"ja-JP","appVersion":"2.9"}}"#, phone: phone)
                for browser in [Browser.onPhone, Browser(userAgent: "curl/8")] {
                    _ = try await browser.open("https://go.example.com/summer-clothes", in: server)
                }
                server.clock.advance(by: .milliseconds(10))
                _ = try await server.send(
                    .post, WirePath.events,
                    #"{"events":[{"id":"0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e1\#(number)","type":"paywall_shown","ageMilliseconds":0,"placement":"onboarding"},{"id":"0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e2\#(number)","type":"session_start","ageMilliseconds":0}]}"#,
                    phone: phone)
                _ = try await server.send(
                    .post, WirePath.attribution, #"{"key":"c1","source":"appsflyer","status":"non_organic","campaign":"x"}"#, phone: phone)
                server.clock.advance(by: .milliseconds(10))
            }
            _ = try await server.firstOpen(#"{"device":{"platform":"ios","locale":"ja-JP","appVersion":"3.0"}}"#)
            let again = LiveFeed()

            try await LiveHistory(database: server.services.database, app: server.services.snapshot.app.id).fill(again)

            func facts(_ feed: LiveFeed) -> [String] {
                feed.rows(after: 0, nil, limit: 100).map { "\($0.atMs) \($0.kind) \($0.subject) \($0.details.map { $0.name.rawValue + $0.value })" }
            }
            #expect(facts(again).count == 12 && Set(facts(again)) == Set(facts(feed)))
            #expect(again.rows(after: 0, nil, limit: 100).map(\.atMs) == feed.rows(after: 0, nil, limit: 100).map(\.atMs))
        }
    }

    @Test("What another node has erased is on no page, and goes from the feed")
    func erasedElsewhere() async throws {
        try await TestServer.run { server in
            for number in 1...2 { _ = try await server.firstOpen("{}", phone: Phone(number)) }
            let services = server.services, editor = try await ConsoleBrowser.signedIn(server, as: .editor)
            let other = Eraser(
                database: services.database, app: services.snapshot.app.id, time: services.time, counts: RollupErasure())
            _ = try await other.erase(.install(InstallID(Phone(1).id)))

            let page = try await editor.get("/console/live").page

            #expect(!page.contains(Phone(1).id) && page.contains(Phone(2).id))
            #expect(services.console.live.rows(after: 0, nil, limit: 9).map(\.install) == [Phone(2).id])
        }
    }

    @Test("A first open, a tap and a shown paywall become rows; who may not see people sees no install")
    func facts() async throws {
        try await TestServer.run { server in
            let feed = server.services.console.live
            _ = try await server.firstOpen(#"{"device":{"platform":"ios","locale":"ja-JP","appVersion":"2.1"}}"#)
            _ = try await server.send(
                .post, WirePath.events,
                #"{"events":[{"id":"0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e10","type":"paywall_shown","ageMilliseconds":0,"placement":"offer","paywall":"summer"}]}"#)
            _ = try await server.send(
                .post, WirePath.attribution, #"{"key":"c1","source":"appsflyer","status":"non_organic","campaign":"x"}"#)

            let rows = feed.rows(after: 0, nil, limit: 9)
            #expect(rows.map(\.kind) == [.firstOpen, .exposure, .attribution])
            #expect(rows.map(\.subject) == ["ios · JP · 2.1", "offer › summer", "appsflyer › x"])

            let viewer = try await ConsoleBrowser.signedIn(server, as: .viewer)
            #expect(try await !viewer.get("/console/live").page.contains(Phone().id))
            #expect(try await !viewer.get("/console/live").page.contains("/console/profiles"))
            let editor = try await ConsoleBrowser.signedIn(server, as: .editor, "omar@example.com")
            #expect(try await editor.get("/console/live").page.contains("<a href=\"/console/profiles/\(Phone().id)\">\(Phone().id)</a>"))
            _ = try await server.services.erasing.erase(.install(InstallID(Phone().id)))
            #expect(try await !editor.get("/console/live").page.contains(Phone().id))
        }
    }
}
