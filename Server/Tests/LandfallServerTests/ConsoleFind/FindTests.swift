// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

/// What `/console/find.json` answers.
private struct Found: Decodable {
    struct Group: Decodable {
        let name: String
        let things: [Thing]
    }

    struct Thing: Decodable {
        let title: String
        let detail: String?
        let place: String
    }

    let groups: [Group]

    subscript(_ name: String) -> [Thing] { groups.first { $0.name == name }?.things ?? [] }
}

@Suite("The console finds anything", .timeLimit(.minutes(1)))
struct FindTests {
    private static let maya = Phone(1)

    private static func run(owner: ConfigurationOwner = .store, _ body: @Sendable (TestServer) async throws -> Void) async throws {
        var configuration = Configuration.sample()
        configuration.audiences = [Audience(id: "summer-link", condition: .text(.linkCampaign, .isEqual, "summer"))]
        configuration.paywalls = [Paywall(id: "summer", productIDs: [], defaultLocale: nil, remoteConfig: [:])]
        try await TestServer.run(configuration: configuration, owner: owner) { server in
            _ = try await server.firstOpen("{}", phone: maya)
            _ = try await server.send(.post, WirePath.identify, #"{"key":"i","customerId":"summer@example.com"}"#, phone: maya)
            let links = (0..<20).map { number in
                StoredLink(
                    host: "brandname.go.link", path: LinkPath(stored: "/s\(number)"), destination: "https://example.com/summer")
            }
            _ = try await server.services.links.store.add(links, to: server.services.snapshot.app.id, nowMs: 1)
            try await body(server)
        }
    }

    private static func found(_ query: String, _ browser: ConsoleBrowser) async throws -> Found {
        let answer = try await browser.get("/console/find.json?q=" + query)
        #expect(answer.status == .ok && answer.headers[.contentType] == "application/json")
        return try answer.decoded()
    }

    @Test("One query finds links, audiences, paywalls and people, at most eight of each, and the way to the rest")
    func groups() async throws {
        try await Self.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)

            let found = try await Self.found("summer", browser)

            #expect(found["Audiences"].map(\.place) == ["/console/audiences/summer-link"])
            #expect(found["Paywalls"].map(\.place) == ["/console/paywalls/summer"])
            #expect(found["Profiles"].map(\.detail) == ["summer@example.com"])
            #expect(found["Profiles"].first?.place == "/console/profiles/i_\(Self.maya.id)?install=\(Self.maya.id)")
            let links = found["Links"]
            #expect(links.count == FoundThings.most + 1 && links.last?.place == "/console/links?q=summer")
            #expect(links.dropLast().allSatisfy { $0.place.hasPrefix("/console/links/show?url=") && $0.detail != nil })
            #expect(found["Pages"].isEmpty && found["Actions"].isEmpty)
        }
    }

    @Test("A page and an action are found by a part of their names, in the page's language and in English")
    func ways() async throws {
        try await Self.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)

            let english = try await Self.found("paywall", browser)
            let answer = try await browser.get("/console/find.json?q=new+paywall", [.acceptLanguage: "ja"])
            let japanese: Found = try answer.decoded()

            #expect(english["Actions"].map(\.place) == ["/console/new/paywall"])
            #expect(english["Pages"].map(\.place).contains("/console/paywalls"))
            #expect(japanese.groups.map { $0.things.map(\.place) } == [["/console/new/paywall"]])
            #expect(japanese.groups.first?.things.first?.title != "New paywall")
        }
    }

    @Test("The link of a suffix or of a whole address is the first, however many come before it", arguments: ["s19", "/s19", "brandname.go.link/s19"])
    func address(query: String) async throws {
        try await Self.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .viewer)
            let before = (0..<Finder.mostLinks).map { number in
                StoredLink(host: "brandname.go.link", path: LinkPath(stored: "/a\(number)"), destination: "https://example.com/x")
            }
            _ = try await server.services.links.store.add(before, to: server.services.snapshot.app.id, nowMs: 1)

            let found = try await Self.found(query, browser)

            #expect(found["Links"].map(\.title) == ["brandname.go.link/s19", "Search further"])
        }
    }

    @Test("A version is found by its number, and a recent one by its reason")
    func versions() async throws {
        try await Self.run { server in
            let store = ConfigurationStore(server.services.database), nowMs = server.services.time.nowMs()
            let draft = ConfigurationStore.Draft(text: "apps: []", author: "Ömer", message: "Half price in winter")
            _ = try await store.publish(draft, after: try await store.newestNumber() ?? 0, nowMs: nowMs)
            let number = try #require(try await store.newestNumber())
            let browser = try await ConsoleBrowser.signedIn(server, as: .viewer)

            for query in ["winter+half", "\(number)", "v\(number)"] {
                let found = try await Self.found(query, browser)
                #expect(found["Versions"].first?.place == "/console/versions/\(number)", "\(query)")
                #expect(found["Versions"].first?.detail == "Half price in winter", "\(query)")
            }
            #expect(try await Self.found("9223372036854775807", browser)["Versions"].isEmpty)
            let nobody = try await Self.found("%C3%96mer", browser)
            #expect(nobody["Versions"].isEmpty)
        }
    }

    @Test("A role finds only what it may see", arguments: Role.allCases)
    func roles(role: Role) async throws {
        try await Self.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: role)

            let found = try await Self.found("summer", browser), all = try await Self.found("", browser)

            #expect(found["Profiles"].isEmpty != role.rights.contains(.people))
            #expect(found["Links"].isEmpty != role.rights.contains(.reports))
            #expect(found["Audiences"].isEmpty != role.rights.contains(.configuration))
            let places = all.groups.flatMap { $0.things.map(\.place) }
            #expect(places.contains("/console/links/new") == role.rights.contains(.links))
            #expect(places.contains("/console/live"))
        }
    }

    @Test("People are found by a whole id or its beginning, never by a part of it", arguments: [("summer@ex", 1), ("example.com", 0), ("sum", 0)])
    func people(query: String, count: Int) async throws {
        try await Self.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .support)

            let found = try await Self.found(query.replacing("@", with: "%40"), browser)

            #expect(found["Profiles"].count == count)
        }
    }

    @Test("Without script the page has the same, and nothing that is typed fails", arguments: ["summer", "", "%00", "%E3%81%82", "%22%3Cb%3E", "'"])
    func page(query: String) async throws {
        try await Self.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)

            let page = try await browser.get("/console/find?q=" + query)
            let found = try await Self.found(query, browser)

            #expect(page.status == .ok && !page.page.contains("<b>"))
            for thing in found.groups.flatMap(\.things) { #expect(page.page.contains("<a href=\"\(thing.place)\">")) }
        }
    }

    @Test("Where a file owns the configuration, nothing of it is offered to be made")
    func fileOwned() async throws {
        try await Self.run(owner: .file) { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)

            let places = try await Self.found("", browser)["Actions"].map(\.place)

            #expect(places == ["/console/links/new", "/console/links/import", "/console/settings/members"])
        }
    }
}
