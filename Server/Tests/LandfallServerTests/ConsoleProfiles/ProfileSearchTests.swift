// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallReports
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallRules

/// The `.json` of a search.
struct FoundPeople: Decodable {
    struct Row: Decodable {
        let profile: String
        let install: String?
        let customer: String?
        let testDevice: String?
    }

    let profiles: [Row]
    let isCut: Bool

    var installs: [String?] { profiles.map(\.install) }
}

@Suite("People are found by an id", .timeLimit(.minutes(1)))
struct ProfileSearchTests {
    private static let maya = Phone(1), omar = Phone(2, secret: 8), team = Phone(3, secret: 9)

    /// Maya has a customer id and took a link by its code, Omar logged out, and the third is a test device.
    private static func run(_ body: @Sendable (TestServer, ConsoleBrowser) async throws -> Void) async throws {
        var configuration = Configuration.sample()
        configuration.testDevices = [TestDevice(name: "teams-phone", install: InstallID(team.id))]
        try await TestServer.run(configuration: configuration) { server in
            for phone in [maya, omar, team] {
                _ = try await server.firstOpen(#"{"device":{"platform":"ios","appVersion":"1.2"}}"#, phone: phone)
                server.clock.advance(by: .seconds(1))
            }
            _ = try await server.send(.post, WirePath.identify, #"{"key":"i","customerId":"maya@example.com"}"#, phone: maya)
            _ = try await server.send(.post, WirePath.identify, #"{"key":"i","customerId":"omar@example.com"}"#, phone: omar)
            _ = try await server.send(.post, WirePath.logout, #"{"key":"o"}"#, phone: omar)
            try await server.handOver(Self.token, minutesAgo: 5)
            _ = try await server.send(.post, WirePath.deferredLink, #"{"token":"\#(Self.token)"}"#, phone: maya)
            try await body(server, try await ConsoleBrowser.signedIn(server, as: .support))
        }
    }

    private static let token = "AbCdEfGhJkLmNpQrStUvWx"

    private static func found(_ query: String, _ browser: ConsoleBrowser) async throws -> FoundPeople {
        let answer = try await browser.get("/console/profiles.json?q=" + query)
        #expect(answer.status == .ok)
        return try answer.decoded()
    }

    @Test(
        "An install, profile or customer id, a link's token, a test device's name, and the beginning of an id find one person",
        arguments: [
            (maya.id, maya.id), (maya.id.uppercased(), maya.id), ("%20\(maya.id)%20", maya.id), ("i_" + maya.id, maya.id),
            ("maya%40example.com", maya.id), (token, maya.id), ("teams-phone", team.id), ("maya%40ex", maya.id),
            ("https%3A%2F%2Fbrandname.go.link%2Fbeach%3Flf_token%3D" + token, maya.id),
        ])
    func keys(query: String, install: String) async throws {
        try await Self.run { _, browser in
            let found = try await Self.found(query, browser)

            #expect(found.installs == [install] && !found.isCut)
        }
    }

    @Test("The beginning of all ids finds all, the newest id first; fewer than four characters, or a part from the middle, finds nobody")
    func prefix() async throws {
        try await Self.run { _, browser in
            let installs = try await Self.found("0198f0c2-7B", browser), profiles = try await Self.found("i_0198f0c2", browser)

            #expect(installs.installs == [Self.team.id, Self.omar.id, Self.maya.id])
            #expect(profiles.installs == [Self.team.id, Self.maya.id])
            for nobody in ["019", "7b1a-7c3d", "example.com", "%25", "' OR 1=1 --", "maya_example"] {
                let query = nobody.replacing(" ", with: "%20")
                let found = try await Self.found(query, browser)
                #expect(found.profiles.isEmpty, "\(nobody)")
            }
            #expect(try await browser.get("/console/profiles?q=%00").status == .ok)
        }
    }

    @Test("A customer whose phone was logged out is found without an install, and has a page")
    func loggedOut() async throws {
        try await Self.run { _, browser in
            let found = try await Self.found("omar%40example.com", browser)

            #expect(found.profiles.map(\.profile) == ["i_" + Self.omar.id] && found.installs == [nil])
            let page = try await browser.get("/console/profiles/i_" + Self.omar.id)
            #expect(page.status == .ok && page.page.contains("No install shows this profile now"))
        }
    }

    @Test("Without a query the newest twenty first opens are there, and the choice of test devices leaves only those")
    func newest() async throws {
        try await Self.run { server, browser in
            for number in 11..<31 { _ = try await server.firstOpen("{}", phone: Phone(number, secret: UInt8(number))) }

            let newest: FoundPeople = try await browser.get("/console/profiles.json").decoded()
            let tests: FoundPeople = try await browser.get("/console/profiles.json?test=only").decoded()

            #expect(newest.profiles.count == 20 && !newest.installs.contains(Self.team.id))
            #expect(tests.installs == [Self.team.id] && tests.profiles[0].testDevice == "teams-phone")
            #expect(try await browser.get("/console/profiles?test=only").page.contains("Test device: teams-phone"))
        }
    }

    @Test("Every search and every part of a profile is read by an index", .sqlitePlans)
    func plans() async throws {
        let store = try await TestStore()
        let texts = [
            ProfileSearch.newestText, ProfileSearch.customersText, ProfileSearch.tokenText, FoundRows.installText, FoundRows.reinstallsText,
            FoundRows.ofProfileText, FoundRows.installsText, FoundRows.profilesText, FoundRows.customerRangeText, ProfileRow.profileText,
            ProfileRow.formerText, ProfileReader.installsText, ProfileReader.formerText, ProfileReader.provenText,
            ProfileReader.profileText, ProfileReader.assignmentsText, TimelineRows.eventsText, TimelineRows.formerEventsText,
            TimelineRows.handedText, TimelineRows.leftText, ProfileCharge.chainsText, ProfileCharge.text,
        ]
        for text in texts {
            let plan = try await store.sqlitePlan(of: text)
            // By the app alone, an index leads to every row.
            let isKeyed = !plan.contains("(app_id=?)") || text == ProfileSearch.newestText
            #expect(!plan.contains("SCAN") && plan.contains("SEARCH") && isKeyed, "\(text): \(plan)")
        }
        let sorted = [ProfileSearch.newestText, FoundRows.installsText, TimelineRows.eventsText, TimelineRows.formerEventsText]
        for text in sorted {
            let plan = try await store.sqlitePlan(of: text)
            #expect(!plan.contains("TEMP B-TREE"), "\(text): \(plan)")
        }
    }
}
