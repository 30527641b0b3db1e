// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallSQLite
@testable import LandfallServer
@testable import LandfallStore

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

    @Test("An event that can never be stored is rejected with a reason, and the rest of the batch is accepted")
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

    @Test(
        "The time until the paywall is kept with an exposure if a clock can have measured it, and with no other event",
        arguments: [(nil, nil), (0, 0), (561, 561), (86_400_000, 86_400_000), (86_400_001, nil), (-1, nil), (.max, nil)] as [(Int64?, Int64?)])
    func elapsed(sent: Int64?, kept: Int64?) async throws {
        let store = try await TestStore()
        var exposure = shown(Self.ids[0]), other = Event(id: Self.ids[1], type: Event.Kind("trial_started"), ageMilliseconds: 0)
        (exposure.elapsedMilliseconds, other.elapsedMilliseconds) = (sent, 7)

        let results = try await record(store, [exposure, other])

        let rows = try await store.database.read { try $0.rows("SELECT elapsed_ms FROM event ORDER BY event_id") }
        #expect(results.map(\.status) == [.accepted, .accepted])
        #expect(rows.map { $0.optionalInteger("elapsed_ms") } == [kept, nil])
    }

    @Test(
        "A revision is kept if it can be the number of a version",
        arguments: [
            (nil, nil), (1, 1), (3, 3), (253_402_300_799_999, 253_402_300_799_999), (253_402_300_800_000, nil), (.max, nil), (0, nil),
            (-1, nil), (.min, nil),
        ] as [(Int64?, Int64?)])
    func revisions(sent: Int64?, kept: Int64?) async throws {
        let store = try await TestStore()
        var exposure = shown(Self.ids[0])
        exposure.revision = sent

        let results = try await record(store, [exposure])

        let row = try await store.database.read { try $0.row("SELECT revision FROM event") }
        #expect(results.map(\.status) == [.accepted])
        #expect(row?.optionalInteger("revision") == kept)
    }

    @Test("A batch of 500 events is five commits, so that people's writes go between them", .embedded("commits are counted"), arguments: [(0, 1), (100, 1), (500, 5)])
    func commits(events: Int, commits: Int) async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone)
        let before = store.commitCount

        let results = try await record(store, (0..<events).map { _ in shown(UUIDv7.make(nowMs: TestStore.noon)) })

        #expect(results.count == events)
        #expect(results.allSatisfy { $0.status == .accepted })
        #expect(store.commitCount == before + commits)
    }

    @Test("A batch is few statements, however many its events", arguments: [(1, 2), (10, 2), (11, 2), (100, 2), (500, 10)])
    func statements(events: Int, most: Int) async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone)
        let batch = (0..<events).map { _ in shown(UUIDv7.make(nowMs: TestStore.noon)) }
        let before = store.database.recorded.count

        _ = try await record(store, batch)

        let texts = store.database.recorded.dropFirst(before).map(\.statement.text)
        #expect(texts.count { $0.hasPrefix("INSERT INTO event") } == most)
        // Besides: who calls, and whose profile that is.
        let units = (events + EventStore.largestUnit - 1) / EventStore.largestUnit
        #expect(texts.count <= most + 3 * units)
        #expect(try await store.count(of: "event") == Int64(events))
    }

    @Test("Rows are ordered by receipt, not by the ids that phones choose")
    func keys() async throws {
        let store = try await TestStore()
        _ = try await store.events.record(
            EventBatch(events: [shown(Self.ids[8], age: 5)]), TestStore.app, .mayasPhone, nowMs: TestStore.noon)
        _ = try await store.events.record(
            EventBatch(events: [shown(Self.ids[0], age: 500_000)]), TestStore.app, .mayasPhone, nowMs: TestStore.noon + 1)

        let rows = try await store.database.read { try $0.rows("SELECT id, event_id FROM event ORDER BY id") }

        #expect(try rows.map { try $0.text("event_id") } == [Self.ids[8], Self.ids[0]])
        #expect(try rows.allSatisfy { try $0.text("id").isLowerCaseUUID })
        #expect(try rows[1].text("id") > UUIDv7.earliest(atMs: TestStore.noon + 1))
    }
}
