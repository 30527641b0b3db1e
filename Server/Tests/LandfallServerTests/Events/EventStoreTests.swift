// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
@testable import LandfallServer
import LandfallWire
import Testing

@Suite("Events are stored once, whatever the phone repeats", .timeLimit(.minutes(1)))
struct EventStoreTests {
    private static let ids = (1...9).map { "0199b0a1-0000-7000-8000-00000000000\($0)" }

    private func shown(_ id: String, age: Int64 = 0) -> Event {
        var event = Event(id: id, type: .paywallShown, ageMilliseconds: age)
        event.placement = "onboarding"
        event.paywall = PaywallID("apple-ads")
        event.revision = 3
        return event
    }

    private func record(_ store: TestStore, _ events: [Event], by phone: Credential = .mayasPhone) async throws
        -> [EventBatchAnswer.Result]
    {
        try await store.events.record(EventBatch(events: events), TestStore.app, phone, nowMs: TestStore.noon)
    }

    @Test("A new event is accepted, a repeated one is a duplicate, also with another body or within one batch")
    func duplicates() async throws {
        let store = try await TestStore()
        var changed = shown(Self.ids[0])
        changed.origin = "cache"

        let first = try await record(store, [shown(Self.ids[0]), shown(Self.ids[1]), shown(Self.ids[1])])
        let second = try await record(store, [changed, shown(Self.ids[2])])

        #expect(first.map(\.status) == [.accepted, .accepted, .duplicate])
        #expect(second.map(\.status) == [.duplicate, .accepted])
        #expect(second.map(\.id) == [Self.ids[0], Self.ids[2]])
        #expect(try await store.count(of: "event") == 3)
    }

    @Test("Equal ids of two phones are two events")
    func phones() async throws {
        let store = try await TestStore()
        _ = try await record(store, [shown(Self.ids[0])])

        let other = try await record(store, [shown(Self.ids[0])], by: .omarsPhone)

        #expect(other.map(\.status) == [.accepted])
    }

    @Test("An event that is sent again after a log-out is still the same event")
    func afterLogOut() async throws {
        let store = try await TestStore()
        _ = try await record(store, [shown(Self.ids[0])])
        _ = try await store.installs.logOut(TestStore.app, .mayasPhone, key: "out", nowMs: TestStore.noon)

        #expect(try await record(store, [shown(Self.ids[0])]).map(\.status) == [.duplicate])
    }

    @Test(
        "Only the server's clock counts: arrival less the age, which is 30 days at most",
        arguments: [
            (0, 0), (1, 1), (2_592_000_000, 2_592_000_000), (2_592_000_001, 2_592_000_000), (.max, 2_592_000_000),
        ] as [(Int64, Int64)])
    func age(sent: Int64, counted: Int64) async throws {
        let store = try await TestStore()

        _ = try await record(store, [shown(Self.ids[0], age: sent)])

        let row = try await store.database.read { try $0.row("SELECT occurred_at_ms, received_at_ms FROM event") }
        #expect(try row?.integer("occurred_at_ms") == TestStore.noon - counted)
        #expect(try row?.integer("received_at_ms") == TestStore.noon)
    }

    @Test("What can never be stored is rejected with a reason, and the rest of the batch is accepted")
    func rejections() async throws {
        let store = try await TestStore()
        var long = shown(Self.ids[3])
        long.origin = String(repeating: "x", count: 129)
        var zero = shown(Self.ids[4])
        zero.placement = "a\0b"
        let bad = [
            shown("not-a-uuid"), shown(Self.ids[0].uppercased()), shown(Self.ids[1], age: -1),
            Event(id: Self.ids[2], type: Event.Kind(""), ageMilliseconds: 0),
            Event(id: Self.ids[2], type: Event.Kind("No Spaces"), ageMilliseconds: 0), long, zero,
        ]

        let results = try await record(store, bad + [shown(Self.ids[8])])

        #expect(results.dropLast().allSatisfy { $0.status == .rejected })
        #expect(results.dropLast(2).allSatisfy { $0.code == .invalidValue })
        #expect(results[6].code == .forbiddenCharacter)
        #expect(results.last?.status == .accepted)
        #expect(try await store.count(of: "event") == 1)
    }

    @Test("A batch of 500 events is one commit")
    func oneCommit() async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone)
        let commits = store.commitCount

        let results = try await record(store, (0..<500).map { _ in shown(UUIDv7.make(nowMs: TestStore.noon)) })

        #expect(results.allSatisfy { $0.status == .accepted })
        #expect(store.commitCount == commits + 1)
    }
}
