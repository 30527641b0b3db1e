// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Own events", .timeLimit(.minutes(1)))
struct OwnEventTests {
    private static let trial = Event.Kind("trial_started")
    private static let declared = [
        trial: EventDeclaration(hasValue: true, properties: ["plan": .string, "seats": .number]),
        Event.Kind("tapped"): EventDeclaration(),
    ]
    private static let id = "0199b0a1-0000-7000-8000-000000000001"

    private static func event(_ type: Event.Kind = trial) -> Event {
        var event = Event(id: id, type: type, ageMilliseconds: 0)
        event.value = EventValue(9.99)
        event.currency = "EUR"
        event.properties = ["plan": "year", "seats": "three", "note": "not declared"]
        return event
    }

    /// What the store has of the one event.
    private static func stored(_ event: Event) async throws -> [String?] {
        let store = try await TestStore()
        let results = try await store.events.record(
            EventBatch(events: [event]), TestStore.app, .mayasPhone, declared: declared, nowMs: TestStore.noon)
        #expect(results.map(\.status) == [.accepted])
        let row = try #require(
            try await store.database.read { try $0.row("SELECT type, value_milliunits, currency, properties FROM event") })
        return [
            try row.text("type"), row.optionalInteger("value_milliunits").map { "\($0)" }, row.optionalText("currency"),
            row.optionalText("properties"),
        ]
    }

    @Test("are stored with their value in thousandths, their currency, and the properties that are declared with that type")
    func kept() async throws {
        #expect(try await Self.stored(Self.event()) == ["trial_started", "9990", "EUR", #"{"plan":"year"}"#])
    }

    @Test("keep only declared properties, and count also without them", arguments: ["tapped", "unheard_of", "paywall_shown"])
    func undeclared(type: String) async throws {
        #expect(try await Self.stored(Self.event(Event.Kind(type))) == [type, nil, nil, nil])
    }

    @Test("are duplicates when they are sent again, and may be in one batch with exposures")
    func duplicates() async throws {
        let store = try await TestStore()
        let shown = Event(id: "0199b0a1-0000-7000-8000-000000000002", type: .paywallShown, ageMilliseconds: 0)
        let batch = EventBatch(events: [Self.event(), shown])

        var statuses: [EventBatchAnswer.Result.Status] = []
        for _ in 0..<2 {
            statuses += try await store.events.record(
                batch, TestStore.app, .mayasPhone, declared: Self.declared, nowMs: TestStore.noon
            ).map(\.status)
        }

        #expect(statuses == [.accepted, .accepted, .duplicate, .duplicate])
        #expect(try await store.count(of: "event") == 2)
    }

    @Test("outside the limits are rejected one by one, with a code that stays the same")
    func refused() async throws {
        func change(_ body: (inout Event) -> Void) -> Event {
            var event = Self.event()
            body(&event)
            return event
        }
        let cases: [(Event, ErrorCode?)] = [
            (change { $0.value = EventValue(1e12) }, .invalidValue),
            (change { $0.currency = "euro" }, .invalidValue),
            (change { $0.value = nil }, .invalidValue),
            (change { $0.properties = Dictionary(uniqueKeysWithValues: (0..<17).map { ("p\($0)", 1) }) }, .invalidProperty),
            (change { $0.properties = ["a b": 1] }, .invalidProperty),
            (change { $0.properties = ["plan": .string(String(repeating: "x", count: 257))] }, .invalidProperty),
            (change { $0.properties = ["plan": .string(String(repeating: "x", count: 256))] }, nil),
        ]
        for (event, code) in cases { #expect(event.refusal == code, "\(event)") }
    }

    @Test("come over HTTP as the documentation shows them, and are read without Codable")
    func route() async throws {
        var configuration = Configuration.sample()
        configuration.events = Self.declared
        try await TestServer.run(configuration: configuration) { server in
            let body = """
                {"events":[{"id":"\(Self.id)","type":"trial_started","ageMilliseconds":0,"value":9.99,"currency":"EUR",\
                "properties":{"plan":"year"}}]}
                """
            #expect(Array(body.utf8).withUnsafeBytes(EventBatch.plain)?.events.first?.value == EventValue(9.99))

            let answer = try await server.send(.post, WirePath.events, body)

            #expect(answer.status == .ok)
            let row = try await server.rows("SELECT value_milliunits, currency, properties FROM event").first
            #expect(try row?.integer("value_milliunits") == 9_990)
            #expect(row?.optionalText("properties") == #"{"plan":"year"}"#)
        }
    }
}

@Suite("Declared events", .timeLimit(.minutes(1)))
struct EventDeclarationTests {
    @Test("are read with their value and properties")
    func read() throws {
        let configuration = try Sample.configuration(
            "events:\n  trial_started: { value: true, properties: { plan: string, seats: number } }\n  tapped:\n")

        #expect(
            configuration.events == [
                Event.Kind("trial_started"): EventDeclaration(hasValue: true, properties: ["plan": .string, "seats": .number]),
                Event.Kind("tapped"): EventDeclaration(),
            ])
    }

    @Test(
        "are refused where a phone could not send them",
        arguments: [
            ("Trial: {}", "11:3: An event cannot be called 'Trial'. Use 1 to 64 of a-z, 0-9, '_' and '.'."),
            ("paywall_shown: {}", "11:3: 'paywall_shown' is recorded by the SDK itself. Give this event another name."),
            ("trial: { value: yes }", "11:19: 'value' is neither true nor false. Write one of them, without quotes."),
            ("trial: { propertys: {} }", "11:12: The event 'trial' has no 'propertys'. Did you mean 'properties'?"),
            (
                "trial: { properties: { plan: text } }",
                "11:32: The type of 'plan' cannot be 'text'. Known: 'boolean', 'date', 'number', 'string'."
            ),
        ])
    func refused(line: String, problem: String) {
        #expect(Sample.problems(adding: "events:\n  \(line)\n") == [problem])
    }

    @Test("have at most sixteen properties")
    func most() {
        let properties = (0..<17).map { "p\($0): string" }.joined(separator: ", ")

        #expect(Sample.problems(adding: "events: { trial: { properties: { \(properties) } } }").count == 1)
    }
}
