// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallPurchases
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// The `.json` of a profile, as far as tests read it.
struct ProfileSaid: Decodable {
    struct Claim: Decodable {
        let source: String
        let standing: String
    }
    struct Attribution: Decodable {
        let state: String
        let claims: [Claim]
    }
    struct Fact: Decodable {
        let name: String
        let value: String
        let source: String?
    }
    struct Entry: Decodable {
        let key: String
        let kind: String
        let subject: String
        let atMilliseconds: Int64
        let happenedMilliseconds: Int64?
        let event: String?
    }
    struct Timeline: Decodable {
        let entries: [Entry]
        let before: String?
    }
    struct Assignment: Decodable {
        let experiment: String
        let variation: String
    }

    let profile: String
    let install: String?
    let facts: [Fact]
    let attributes: [Fact]
    let attribution: Attribution?
    let assignments: [Assignment]
    let timeline: Timeline
}

extension ConsoleBrowser {
    func profile(_ id: String, _ query: String = "") async throws -> ProfileSaid {
        try await get("/console/profiles/\(id).json" + query).decoded()
    }

    /// Every page of a timeline, one after the other.
    func timeline(_ id: String) async throws -> [[ProfileSaid.Entry]] {
        var pages: [[ProfileSaid.Entry]] = [], before: String?
        repeat {
            let query = before.map { "?before=" + $0.replacing(":", with: "%3A").replacing(" ", with: "%20") } ?? ""
            let timeline = try await profile(id, query).timeline
            pages.append(timeline.entries)
            before = timeline.before
        } while before != nil && pages.count < 20
        return pages
    }
}

@Suite("A person's page", .timeLimit(.minutes(1)))
struct ProfilePageTests {
    private static let profile = "i_" + Phone().id

    private static func run(_ body: @Sendable (TestServer, ConsoleBrowser) async throws -> Void) async throws {
        var configuration = Configuration.sample()
        configuration.events[Event.Kind("signed_up")] = EventDeclaration(properties: [:])
        configuration.purchases.accessLevels = [AccessLevel(rawValue: "premium")]
        try await TestServer.run(configuration: configuration) { server in
            try await body(server, try await ConsoleBrowser.signedIn(server, as: .support))
        }
    }

    private static func events(_ numbers: Range<Int>, _ type: String = "signed_up", ageMilliseconds: Int = 0) -> String {
        let events = numbers.map { number in
            let digits = String(number)
            let id = "0198f0c2-7b1a-7c3d-8e4f-" + String(repeating: "0", count: 12 - digits.count) + digits
            return #"{"id":"\#(id)","type":"\#(type)","ageMilliseconds":\#(ageMilliseconds),"placement":"offer","paywall":"summer"}"#
        }
        return #"{"events":[\#(events.joined(separator: ","))]}"#
    }

    @Test("The timeline is whole over its pages, each entry once, also if a page ends within one millisecond")
    func timeline() async throws {
        try await Self.run { server, browser in
            _ = try await server.firstOpen(#"{"links":[{"key":"first","url":"https://brandname.go.link/beach","ageMilliseconds":4000}]}"#)
            // In the same millisecond as the first open.
            _ = try await server.send(.post, WirePath.events, Self.events(0..<70))
            server.clock.advance(by: .seconds(40 * 86_400))
            _ = try await server.send(.post, WirePath.events, Self.events(70..<130, "paywall_shown", ageMilliseconds: 90_000))
            _ = try await server.send(.post, WirePath.attribution, #"{"key":"c1","source":"tenjin","status":"organic"}"#)
            _ = try await server.send(.post, WirePath.logout, #"{"key":"o"}"#)
            _ = try await browser.signIn("maya@example.com")
            let profile = try await browser.profile(Self.profile).timeline.entries
            let now = try await server.send(.get, WirePath.profile).decoded(ProfileAnswer.self).profile.id.rawValue

            let pages = try await browser.timeline(now)
            let entries = pages.flatMap { $0 }

            // The log-out, 130 events, two statements, a tap and the first open.
            #expect(pages.map(\.count) == [50, 50, 35])
            #expect(Set(entries.map(\.key)).count == 135)
            #expect(Set(entries.compactMap(\.event)).count == 130)
            #expect(Dictionary(grouping: entries, by: \.kind).mapValues(\.count) == [
                "leaving": 1, "exposure": 60, "event": 70, "attribution": 2, "tap": 1, "firstOpen": 1,
            ])
            #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.atMilliseconds >= $1.atMilliseconds })
            #expect(entries.last?.kind == "tap")
            #expect(entries.filter { $0.kind == "exposure" }.allSatisfy { ($0.happenedMilliseconds ?? 0) == $0.atMilliseconds - 90_000 })
            // The profile that the phone left keeps what was sent in its name.
            #expect(profile.count == 50 && profile[0].kind == "leaving" && profile[1].kind == "exposure")
        }
    }

    @Test("A page of earlier entries leads back to the newest, and a cursor that no page gave begins at the newest")
    func cursors() async throws {
        try await Self.run { server, browser in
            _ = try await server.firstOpen("{}")
            _ = try await server.send(.post, WirePath.events, Self.events(0..<60))
            let before = try #require(try await browser.profile(Self.profile).timeline.before)

            let second = try await browser.get("/console/profiles/\(Self.profile)?before=\(before)")

            #expect(second.page.contains("Newest entries") && !second.page.contains("Older entries"))
            for wrong in ["x", "%00", "0198f0c2-7b1a", "zzzzzzzz-zzzz-", String(repeating: "0", count: 3_000), "%27%20OR%201"] {
                #expect(try await browser.profile(Self.profile, "?before=" + wrong).timeline.entries.count == 50, "\(wrong)")
            }
        }
    }

    @Test("Attribution has the source that counts first, then each other one with the reason why it does not")
    func attribution() async throws {
        try await Self.run { server, browser in
            _ = try await server.firstOpen(#"{"links":[{"key":"first","url":"https://brandname.go.link/beach","ageMilliseconds":4}]}"#)
            for (source, status) in [("tenjin", "organic"), ("adjust", "non_organic"), ("kochava", "unknown")] {
                server.clock.advance(by: .seconds(1))
                _ = try await server.send(
                    .post, WirePath.attribution, #"{"key":"\#(source)","source":"\#(source)","status":"\#(status)","campaign":"x"}"#)
            }
            server.clock.advance(by: .seconds(3 * 86_400))
            _ = try await server.send(.post, WirePath.linkOpen, #"{"key":"o","url":"https://brandname.go.link/beach?lf_campaign=late"}"#)

            _ = try await browser.signIn("maya@example.com")
            let attribution = try #require(try await browser.profile(Self.profile).attribution)

            #expect(attribution.state == "attributed")
            #expect(attribution.claims.map { "\($0.source) \($0.standing)" } == [
                "link counts", "tenjin organic", "adjust later", "kochava namesNothing", "link outsideWindow",
            ])
            let page = try await browser.get("/console/profiles/" + Self.profile).page
            #expect(page.contains("This is the source.") && page.contains("it says organic, and another source names an origin"))
        }
    }

    @Test("Facts say who said them, attributes are text, and assignments of experiments are there")
    func facts() async throws {
        try await Self.run { server, browser in
            _ = try await server.firstOpen(
                #"{"device":{"platform":"ios","appVersion":"1.2.0"},"attributes":{"sessions":3,"x":"<script>alert(1)</script>\"'&"}}"#)
            try await server.services.database.write { connection in
                let assignment = UnitAssignment(
                    unit: InstallID(Phone().id), experiment: "spring-price", epoch: 1, variation: "A", bucket: 1, step: .drawn)
                try connection.run(assignment.insertion(in: AppID("example"), nowMs: server.services.time.nowMs()))
            }

            let said = try await browser.profile(Self.profile)
            let page = try await browser.get("/console/profiles/" + Self.profile).page

            #expect(said.facts.contains { $0.name == "app.version" && $0.value == "1.2.0" && $0.source == "phone" })
            #expect(said.facts.contains { $0.name == "install.date" && $0.source == "server" })
            #expect(said.attributes.map(\.name) == ["sessions", "x"] && said.attributes[0].value == "3")
            #expect(said.assignments.map(\.variation) == ["A"] && said.assignments[0].experiment == "spring-price")
            #expect(!page.contains("<script>alert") && page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;"))
            #expect(page.contains("app.version") && page.contains("spring-price"))
        }
    }

    @Test("What the person may use is among the facts")
    func access() async throws {
        try await Self.run { server, browser in
            _ = try await server.firstOpen("{}")
            let grant = ProfileAccess.Grant(id: "g", level: AccessLevel(rawValue: "premium"), startsAtMs: 0, endsAtMs: nil)
            try await server.grant(grant, to: ProfileID(Self.profile))

            let said = try await browser.profile(Self.profile).facts.filter { $0.source == "server" }

            #expect(said.contains { $0.name == "access.premium" && $0.value == "true" })
            #expect(said.contains { $0.name == "access.premium.state" && $0.value == "granted" })
            #expect(!said.contains { $0.name == "access.premium.endDate" })
        }
    }

    @Test("An install's id leads to its profile; an unknown or impossible id is 404")
    func ids() async throws {
        try await Self.run { server, browser in
            _ = try await server.firstOpen("{}")

            let moved = try await browser.get("/console/profiles/" + Phone().id)

            #expect(moved.status == .seeOther && moved.headers[.location] == "/console/profiles/\(Self.profile)?install=\(Phone().id)")
            for unknown in ["i_" + Phone(9).id, Phone(9).id, "nobody", "%00", "%F0%9F", "a%20b", String(repeating: "a", count: 900)] {
                #expect(try await browser.get("/console/profiles/" + unknown).status == .notFound, "\(unknown)")
                #expect(try await browser.get("/console/profiles/\(unknown).json").status == .notFound, "\(unknown)")
            }
        }
    }

    @Test("A viewer sees nobody: neither the section nor a page", arguments: ["", "/i_" + Phone().id, "/i_\(Phone().id).json", ".json"])
    func viewer(path: String) async throws {
        try await Self.run { server, _ in
            _ = try await server.firstOpen("{}")
            let viewer = try await ConsoleBrowser.signedIn(server, as: .viewer, "vera@example.com")

            let answer = try await viewer.get("/console/profiles" + path)

            #expect(answer.status == .forbidden && !answer.page.contains(Phone().id))
            #expect(try await !viewer.get("/console/account").page.contains("/console/profiles"))
        }
    }
}

extension TestServer {
    /// Stores what a profile may use, without the work that leads to it.
    func grant(_ grant: ProfileAccess.Grant, to profile: ProfileID) async throws {
        let access = ProfileAccess(joining: [], grants: [grant], isComplete: false).text
        try await services.database.write(.interactive, locking: [.profile(profile, in: app)]) { [app] connection in
            try connection.run(
                """
                INSERT INTO profile (app_id, profile_id, version, customer_is_verified, attributes, created_at_ms, access)
                VALUES ($1, $2, 1, 0, '{}', 0, $3)
                """, [.text(app.rawValue), .text(profile.rawValue), .text(access)])
            connection.tell(.profile(profile, in: app))
        }
    }
}
