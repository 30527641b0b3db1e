// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallServer
@testable import LandfallStore

/// docs/decisions/010-an-install-is-loaded-once.md has the same figures, beside those of before.
@Suite("The cost of a call in SQL statements", .timeLimit(.minutes(1)))
struct StatementCountTests {
    struct Call: Sendable {
        var method = HTTPRequest.Method.post
        let path: String
        var body: String?
        /// Of the phone that calls.
        var number = 1
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Made before, and not counted.
        var before: [Call] = [.firstOpen(device: "d0")]
        let call: Call
        let reads: Int
        let writes: Int
    }

    static let cases = [
        Case(
            testDescription: "first open of a new phone, with token and device", before: [],
            call: .firstOpen(device: "d1", token: "t1"), reads: 3, writes: 3),
        Case(
            testDescription: "first open of a new phone, with attributes too", before: [],
            call: .firstOpen(device: "d1", token: "t1", rest: #","attributes":{"plan":"gold"}"#), reads: 3, writes: 4),
        Case(
            testDescription: "first open of a reinstall", before: [.firstOpen(device: "d1", token: "t1", number: 2)],
            call: .firstOpen(device: "d1", token: "t2"), reads: 4, writes: 3),
        Case(
            testDescription: "first open with a link", before: [],
            call: .firstOpen(
                device: "d1", rest: #","links":[{"key":"k","url":"https://brandname.go.link/beach","ageMilliseconds":4}]"#),
            reads: 2, writes: 5),
        Case(
            testDescription: "first open that asks for a deferred link", before: [],
            call: .firstOpen(device: "d1", rest: #","deferred":{"token":"tztztztztztztztztztztz"}"#), reads: 3, writes: 2),
        Case(
            testDescription: "open with nothing new", before: [.firstOpen(device: "d1", token: "t1")],
            call: .firstOpen(device: "d1", token: "t1"), reads: 1, writes: 0),
        Case(
            testDescription: "open with a new version of the app", before: [.firstOpen(device: "d1", token: "t1")],
            call: .firstOpen(device: "d1", token: "t1", version: "2.0.0"), reads: 2, writes: 1),
        Case(
            testDescription: "open with another token", before: [.firstOpen(device: "d1", token: "t1")],
            call: .firstOpen(device: "d1", token: "t2"), reads: 3, writes: 1),
        Case(
            testDescription: "token after the open",
            call: Call(path: WirePath.adToken, body: #"{"value":"t1"}"#), reads: 2, writes: 2),
        Case(
            testDescription: "claim",
            call: Call(path: WirePath.attribution, body: #"{"key":"c","source":"tenjin","status":"non_organic"}"#),
            reads: 2, writes: 4),
        Case(
            testDescription: "claim, again",
            before: [
                .firstOpen(device: "d0"),
                Call(path: WirePath.attribution, body: #"{"key":"c","source":"tenjin","status":"non_organic"}"#),
            ],
            call: Call(path: WirePath.attribution, body: #"{"key":"c","source":"tenjin","status":"non_organic"}"#),
            reads: 2, writes: 0),
        Case(
            testDescription: "attributes",
            call: Call(path: WirePath.attributes, body: #"{"key":"a","attributes":{"plan":"gold"}}"#), reads: 2, writes: 2),
        Case(
            testDescription: "identify",
            call: Call(path: WirePath.identify, body: #"{"key":"i","customerId":"maya"}"#), reads: 2, writes: 2),
        Case(testDescription: "log-out", call: Call(path: WirePath.logout, body: #"{"key":"o"}"#), reads: 2, writes: 3),
        Case(
            testDescription: "link that reached the app",
            call: Call(path: WirePath.linkOpen, body: #"{"key":"l","url":"https://brandname.go.link/beach"}"#),
            reads: 3, writes: 5),
        Case(testDescription: "an event", call: .events(1), reads: 2, writes: 3),
        Case(testDescription: "100 events", call: .events(100), reads: 2, writes: 3),
        Case(testDescription: "500 events: five units", call: .events(500), reads: 10, writes: 15),
        Case(
            testDescription: "100 events, again", before: [.firstOpen(device: "d0"), .events(100)], call: .events(100), reads: 1,
            writes: 1),
        Case(
            testDescription: "paywall",
            call: Call(method: .get, path: WirePath.paywall(of: "onboarding")), reads: 1, writes: 0),
        Case(testDescription: "profile", call: Call(method: .get, path: WirePath.profile), reads: 1, writes: 0),
    ]

    @Test("of each route", arguments: cases)
    func route(_ row: Case) async throws {
        try await TestServer.run { server in
            for call in row.before { _ = try await server.answered(call) }
            server.clock.advance(by: .seconds(1))
            let before = server.recorded.count

            _ = try await server.answered(row.call)

            let texts = server.recorded.dropFirst(before).map(\.statement.text)
            let reads = texts.filter { $0.hasPrefix("SELECT") }
            #expect(reads.count == row.reads, "\(reads)")
            #expect(texts.count - reads.count == row.writes, "\(texts)")
        }
    }

    @Test("of Apple's answer")
    func appleAnswer() async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone, token: .value("t"))
        let leased = try #require(try await store.lease(1, nowMs: TestStore.noon).first)
        let before = store.database.recorded.count

        try await store.answers.record(.organic, .finish(.organic), of: leased, nowMs: TestStore.noon + 200)

        let texts = store.database.recorded.dropFirst(before).map(\.statement.text)
        #expect(texts.count { $0.hasPrefix("SELECT") } == 1)
        #expect(texts.count { !$0.hasPrefix("SELECT") } == 5)
    }

    @Test("Loading an install uses indexes only, however many installs and tokens there are", .sqlitePlans)
    func plans() async throws {
        let store = try await TestStore()
        var device = DeviceFacts()
        device.deviceId = "d1"
        try await store.open(.mayasPhone, token: .value("t"), device: device)
        try await store.open(.mayasPhone, token: .value("t"), device: device, nowMs: TestStore.noon + 2 * TestStore.hour)
        let texts = Set(store.database.recorded.map(\.statement.text)).filter {
            $0.hasPrefix("SELECT") && $0.contains("install") && !$0.contains("schema_migration")
        }

        #expect(texts.count == 2)
        for text in texts {
            let plan = try await store.sqlitePlan(of: text)
            #expect(!plan.contains("SCAN"), "\(text): \(plan)")
            // A table in memory costs as much as a descent, even for no rows.
            #expect(!plan.contains("TEMP B-TREE"), "\(text): \(plan)")
        }
        let names = try #require(texts.first { $0.contains("UNION ALL") })
        let plan = try await store.sqlitePlan(of: names)
        #expect(plan.contains("install_by_device") && plan.contains("apple_ads_exchange_by_token"), "\(plan)")
    }
}

extension StatementCountTests.Call {
    fileprivate static func firstOpen(
        device: String, token: String? = nil, version: String = "1.2.0", number: Int = 1, rest: String = ""
    ) -> Self {
        let adToken = token.map { #"{"value":"\#($0)"}"# } ?? #"{"none":"noToken"}"#
        return Self(
            path: WirePath.firstOpen,
            body: """
                {"device":{"deviceId":"\(device)","appVersion":"\(version)","locale":"en-US"},"adToken":\(adToken),
                "placements":[{"id":"onboarding"}]\(rest)}
                """, number: number)
    }
}

extension StatementCountTests.Call {
    fileprivate static func events(_ count: Int) -> Self {
        let events = (0..<count).map { number in
            let digits = String(number, radix: 16)
            let id = "0198f0c3-7b1a-7c3d-8e4f-" + String(repeating: "0", count: 12 - digits.count) + digits
            return #"{"id":"\#(id)","type":"paywall_shown","ageMilliseconds":1,"placement":"onboarding"}"#
        }
        return Self(path: WirePath.events, body: #"{"events":[\#(events.joined(separator: ","))]}"#)
    }
}

extension TestServer {
    fileprivate var recorded: [RecordedStatement] { (services.database as? RecordingDatabase)?.recorded ?? [] }

    fileprivate func answered(_ call: StatementCountTests.Call) async throws -> TestResponse {
        let response = try await send(call.method, call.path, call.body, phone: Phone(call.number))
        #expect(response.status == .ok)
        return response
    }
}
