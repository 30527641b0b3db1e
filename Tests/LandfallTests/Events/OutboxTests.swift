// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("The outbox", .timeLimit(.minutes(1)))
struct OutboxTests {
    let storage = MemoryStorage()
    let clock = ManualClock()
    let log = Locked<[LogLine]>([])
    let server = OutboxServer()

    /// The outbox of a launch whose files have not been read yet.
    func unopened() -> Outbox {
        Outbox(storage: storage, date: clock.time.date) { [log] line in log.withLock { $0.append(line) } }
    }

    func launch() async throws -> Outbox {
        let outbox = unopened()
        try await outbox.open()
        return outbox
    }

    @Test("keeps accepted items of every kind over a relaunch, in order")
    func relaunch() async throws {
        let items = [Self.event("1"), Self.claim("2"), Self.attributes("3"), Self.event("4")]
        let outbox = try await launch()
        for item in items { #expect(try outbox.append(item)) }

        let next = try await launch()

        #expect(next.pending == items)
    }

    @Test("sends in order: events that follow one another together, everything else alone")
    func order() async throws {
        let outbox = try await launch()
        for item in [Self.event("1"), Self.event("2"), Self.claim("3"), Self.attributes("4"), Self.event("5")] {
            try outbox.append(item)
        }

        #expect(await outbox.flush(server.take) == .nothing)

        #expect(server.ids == [["1", "2"], ["3"], ["4"], ["5"]])
        #expect(outbox.pending.isEmpty)
        let next = try await launch()
        #expect(next.pending.isEmpty)
    }

    @Test("sends clicks one by one with their age, skips clicks that another request sends, and never sends arrivals")
    func clicks() async throws {
        let outbox = try await launch()
        for key in ["1", "2"] {
            try outbox.append(LinkReceipt(key: IdempotencyKey(key), url: "example://\(key)", scene: nil))
        }
        try outbox.append(.deferredToken(DeferredToken(key: IdempotencyKey("3"), token: "code")))
        try outbox.append(Self.event("4"))
        clock.moveCalendar(by: .seconds(5))

        let rest = await outbox.flush { [server] call in
            if case .click(let click) = call, click.key == IdempotencyKey("1") { return .elsewhere }
            return server.take(call)
        }

        #expect(rest == .nothing)
        #expect(server.ids == [["2"], ["4"]])
        #expect(server.ages == [5_000, 5_000])
        #expect(outbox.pending.map(\.id) == ["1", "1.in", "2.in", "3"])
    }

    @Test("sends at most a hundred events in one request")
    func batches() async throws {
        let outbox = try await launch()
        for number in 1...250 { try outbox.append(Self.event("\(number)")) }

        await outbox.flush(server.take)

        #expect(server.ids.map(\.count) == [100, 100, 50])
        #expect(server.ids.flatMap(\.self) == (1...250).map(String.init))
    }

    @Test(
        "tells how long an item waited: 0…30 days, over relaunches and calendar jumps",
        arguments: [
            (Duration.seconds(90), 90_000 as Int64), (.zero, 0), (.seconds(-5), 0), (.seconds(40 * 86_400), 30 * 86_400_000),
        ])
    func age(waited: Duration, sent: Int64) async throws {
        let outbox = try await launch()
        try outbox.append(Self.event("1"))
        try outbox.append(Self.claim("2"))
        clock.moveCalendar(by: waited)

        try await launch().flush(server.take)

        #expect(server.ages == [sent, sent])
    }

    @Test("keeps everything when the network or the server fails, and sends it all the next time")
    func failure() async throws {
        let outbox = try await launch()
        try outbox.append(Self.event("1"))
        try outbox.append(Self.claim("2"))

        #expect(await outbox.flush { _ in throw TransportError(.offline) } == .everything)
        #expect(await outbox.flush { _ in .later } == .everything)
        #expect(outbox.pending.count == 2)

        #expect(await outbox.flush(server.take) == .nothing)
        #expect(server.ids == [["1"], ["2"]])
    }

    @Test("removes accepted, duplicate and rejected events, keeps an event without a result, and logs the rejected")
    func results() async throws {
        let outbox = try await launch()
        for id in ["accepted", "duplicate", "rejected", "forgotten"] { try outbox.append(Self.event(id)) }

        let rest = await outbox.flush { _ in
            .taken([
                .init(id: "accepted", status: .accepted), .init(id: "duplicate", status: .duplicate),
                .init(id: "rejected", status: .rejected, code: .invalidValue),
            ])
        }

        #expect(rest == .items(["forgotten"]))
        #expect(outbox.pending.map(\.id) == ["forgotten"])
        #expect(log.withLock { $0.map(\.message).filter { $0.contains("invalid_value") }.count } == 1)
    }

    @Test("keeps all events at an answer without any result, and sends the other items")
    func noResult() async throws {
        let outbox = try await launch()
        for id in ["1", "2"] { try outbox.append(Self.event(id)) }
        try outbox.append(Self.claim("3"))
        try outbox.append(Self.event("4"))

        let rest = await outbox.flush { [server] call in
            guard case .events = call else { return server.take(call) }
            return .taken([.init(id: "another", status: .accepted)])
        }

        #expect(rest == .everything)
        #expect(server.ids == [["3"]])
        #expect(outbox.pending.map(\.id) == ["1", "2", "4"])
    }

    @Test("sends new events after the pause, with the old ones, while the server's answers have no result")
    func noResultForNewEvents() async throws {
        let phone = Phone()
        try phone.answersLinks()
        phone.server.on("POST", WirePath.events) { _ in try .json(EventBatchAnswer(results: [])) }
        let client = await phone.startedLinkApp()
        client.record("first")
        await phone.server.waitForRequests("POST", WirePath.events)
        await phone.settle()

        client.record("second")
        await phone.settle()
        #expect(phone.server.requests("POST", WirePath.events).count == 1)

        phone.takesEvents()
        await phone.pass(.seconds(2))
        #expect(try phone.events.count == 3, "The first alone, then both.")
        await client.shutdown()
    }

    @Test("drops and logs a claim that is refused for good, and goes on")
    func refusedClaim() async throws {
        let outbox = try await launch()
        try outbox.append(Self.claim("bad"))
        try outbox.append(Self.claim("good"))

        let rest = await outbox.flush { call in call == .claim(Self.claimBody("bad")) ? .refused(.reservedSource) : .taken() }
        #expect(rest == .nothing)

        #expect(outbox.pending.isEmpty)
        #expect(log.withLock { $0.contains { $0.message.contains("reserved_source") } })
    }

    @Test("finds the event that makes the server refuse a whole batch; the others arrive")
    func refusedBatch() async throws {
        let outbox = try await launch()
        for id in ["1", "bad", "3"] { try outbox.append(Self.event(id)) }

        let rest = await outbox.flush { [server] call in
            guard case .events(let batch) = call else { return .later }
            return batch.events.contains { $0.id == "bad" } ? .refused(.malformedJSON) : server.take(call)
        }

        #expect(rest == .nothing)
        #expect(server.ids == [["1"], ["3"]])
        #expect(outbox.pending.isEmpty)
    }

    @Test("runs one flush at a time, which also sends what is added meanwhile")
    func oneFlush() async throws {
        let outbox = try await launch()
        try outbox.append(Self.event("1"))
        let rest = await outbox.flush { [server] call in
            if server.ids.isEmpty {
                try outbox.append(Self.event("2"))
                let second = await outbox.flush { _ in .taken() }
                #expect(second == .everything)
            }
            return server.take(call)
        }

        #expect(rest == .nothing)
        #expect(server.ids == [["1"], ["2"]])
    }

    @Test("sends an item that a flush leaves out alone, while the flush runs; without a result it stays")
    func leftOut() async throws {
        let outbox = try await launch()
        for id in ["1", "2", "3"] { try outbox.append(Self.event(id)) }

        let rest = await outbox.flush(except: ["2"]) { [server] call in
            let unanswered = await outbox.send("2", as: nil) { _ in .taken() }
            #expect(unanswered == .laterAlone)
            _ = await outbox.send("2", as: nil, server.take)
            return server.take(call)
        }

        #expect(rest == .nothing)
        #expect(server.ids == [["2"], ["1", "3"]])
        #expect(outbox.pending.isEmpty)
        let gone = await outbox.send("2", as: nil) { _ in .later }
        #expect(gone == .taken())
    }

    @Test("holds items in memory while the device is locked, and stores them, in order, as soon as it can")
    func locked() async throws {
        storage.isLocked = true
        let outbox = unopened()
        #expect(try !outbox.append(Self.event("1")))
        await #expect(throws: MemoryStorage.Failure.locked) { try await outbox.open() }
        #expect(await outbox.flush(server.take) != .nothing)

        storage.isLocked = false
        #expect(try !outbox.append(Self.event("2")), "No file is open yet.")
        #expect(await outbox.store())
        #expect(try outbox.append(Self.event("3")))

        #expect(try await launch().pending.map(\.id) == ["1", "2", "3"])
    }

    @Test("stores new items at once when its file is open, even before it has read the earlier files")
    func openForAppending() async throws {
        let outbox = unopened()
        try await outbox.openForAppending()

        #expect(try outbox.append(Self.event("1")))

        #expect(try await launch().pending.map(\.id) == ["1"])
    }

    @Test("rewrites its files while others append: nothing is lost, and nothing that is done comes back")
    func rewriting() async throws {
        let outbox = try await launch()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<300 {
                        try outbox.append(Self.claim("\(writer)-\(number)-\(String(repeating: "x", count: 300))"))
                    }
                }
            }
            group.addTask {
                for _ in 0..<50 {
                    outbox.remove(Set(outbox.pending.map(\.id).filter { $0.hasPrefix("0-") }))
                    await outbox.store()
                    await outbox.rewriteIfWorthwhile()
                }
            }
            try await group.waitForAll()
        }
        await outbox.store()

        let next = try await launch()
        #expect(Set(next.pending.map(\.id)) == Set(outbox.pending.map(\.id)))
        #expect(next.pending.count >= 900)
    }

    @Test("reads its files on a full disk, keeps all of them, and merges them when there is room")
    func fullDisk() async throws {
        let first = try await launch()
        for id in ["1", "2"] { try first.append(Self.event(id)) }
        first.remove(["1"])
        await first.store()
        let files = storage.files
        storage.isFull = true
        let second = try await launch()
        #expect(second.pending.map(\.id) == ["2"])
        #expect(try !second.append(Self.event("3")))
        #expect(storage.files == files)
        storage.isFull = false
        #expect(await second.store())

        #expect(try await launch().pending.map(\.id) == ["2", "3"])
        #expect(try await launch().pending.map(\.id) == ["2", "3"])
        #expect(try storage.names().count == 2, "The main file and the open one.")
    }

    @Test("refuses an item that is larger than 8 KiB")
    func tooLarge() async throws {
        let changes = AttributeChanges(
            key: IdempotencyKey("1"), attributes: ["a": .string(String(repeating: "x", count: 8192))])
        let outbox = try await launch()

        #expect(throws: OutboxItemTooLarge.self) { try outbox.append(.attributes(changes)) }
        #expect(outbox.pending.isEmpty)
    }

    @Test("holds ten thousand items; beyond that the oldest events go first, and that is logged")
    func full() async throws {
        let outbox = try await launch()
        try outbox.append(Self.claim("claim"))
        for number in 1...Outbox.mostItems { try outbox.append(Self.event("\(number)")) }

        #expect(outbox.pending.count == Outbox.mostItems - 99)
        #expect(outbox.pending.first?.id == "claim")
        #expect(outbox.pending[1].id == "101")
        #expect(log.withLock { $0.count } == 1)
    }

    @Test("does not let its file grow for ever while items come and go")
    func growth() async throws {
        let outbox = try await launch()
        for round in 1...30 {
            for number in 1...100 { try outbox.append(Self.event("\(round)-\(number)")) }
            await outbox.flush(server.take)
        }

        #expect(storage.files.values.reduce(0) { $0 + $1.count } < 130 << 10)
    }
}

// MARK: Characters

extension OutboxTests {
    static func event(_ id: String) -> OutboxItem { .event(Event(id: id, type: .paywallShown, ageMilliseconds: 0)) }
    static func claim(_ key: String) -> OutboxItem { .claim(claimBody(key)) }
    static func claimBody(_ key: String) -> AttributionClaim {
        AttributionClaim(key: IdempotencyKey(key), source: AttributionSource("appsflyer"), status: .nonOrganic)
    }
    static func attributes(_ key: String) -> OutboxItem {
        .attributes(AttributeChanges(key: IdempotencyKey(key), attributes: ["plan": .string("pro"), "gone": nil]))
    }
}

/// Takes everything and remembers in which requests it came.
final class OutboxServer: Sendable {
    private let calls = Locked<[OutboxCall]>([])

    /// The ids of each request.
    var ids: [[String]] {
        calls.withLock { calls in
            calls.map { call -> [String] in
                switch call {
                case .events(let batch): batch.events.map(\.id)
                case .claim(let claim): [claim.key.rawValue]
                case .attributes(let changes): [changes.key.rawValue]
                case .click(let click): [click.key.rawValue]
                }
            }
        }
    }

    var ages: [Int64] {
        calls.withLock { calls in
            calls.flatMap { call -> [Int64] in
                switch call {
                case .events(let batch): batch.events.map(\.ageMilliseconds)
                case .claim(let claim): [claim.ageMilliseconds]
                case .attributes: []
                case .click(let click): [click.ageMilliseconds]
                }
            }
        }
    }

    @Sendable func take(_ call: OutboxCall) -> OutboxVerdict {
        calls.withLock { $0.append(call) }
        guard case .events(let batch) = call else { return .taken() }
        return .taken(batch.events.map { .init(id: $0.id, status: .accepted) })
    }
}
