// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("The outbox's file", .timeLimit(.minutes(1)))
struct OutboxJournalTests {
    let clock = ManualClock()

    /// The outbox of a launch that has read its files.
    func outbox(_ storage: MemoryStorage) async throws -> Outbox {
        let outbox = Outbox(storage: storage, date: clock.time.date) { _ in }
        try await outbox.open()
        return outbox
    }

    /// The states of a file to which everything happens, one after the other, each with the items that wait then.
    func history() async throws -> [(file: Data, pending: [String])] {
        let storage = MemoryStorage(), outbox = try await outbox(storage)
        var history: [(file: Data, pending: [String])] = []
        func remember() { history.append((storage.files[.firstSegment] ?? Data(), outbox.pending.map(\.id))) }
        for item in [OutboxTests.event("1"), OutboxTests.event("2"), OutboxTests.claim("3"), OutboxTests.attributes("4")] {
            try outbox.append(item)
            remember()
        }
        await outbox.flush { call in
            guard case .events(let batch) = call else { return .later }
            return .taken(batch.events.map { .init(id: $0.id, status: .accepted) })
        }
        remember()
        try outbox.append(OutboxTests.event("5"))
        remember()
        try outbox.append(LinkReceipt(key: IdempotencyKey("6"), url: "example://beach", scene: "left"))
        remember()
        await outbox.handOver("6.in")
        remember()
        outbox.remove(["6"])
        await outbox.store()
        remember()
        return history
    }

    @Test("loses no accepted item, at whatever byte a kill cuts it off, and accepts more afterwards")
    func everyPrefix() async throws {
        let history = try await history()
        let whole = try #require(history.last).file

        for length in 0...whole.count {
            let storage = MemoryStorage([.firstSegment: whole.prefix(length)])
            let next = try await outbox(storage)
            // What waited after the last whole step, except items that the next step, which the kill cut off, would have removed.
            let before = history.last { $0.file.count <= length }?.pending ?? []
            let after = history.first { $0.file.count > length }?.pending ?? before
            #expect(Set(next.pending.map(\.id)).isSuperset(of: before.filter(after.contains)), "killed after \(length) bytes")

            try next.append(OutboxTests.event("new"))
            #expect(try await outbox(storage).pending == next.pending, "killed after \(length) bytes")
        }
    }

    @Test("joins nothing to a half-written line")
    func halfLine() async throws {
        let storage = MemoryStorage(), first = try await outbox(storage)
        try first.append(OutboxTests.event("1"))
        let half = try OutboxJournal.line(.init(item: OutboxTests.event("2"), acceptedAt: 5)).dropLast(10)
        try storage.open(.firstSegment).append(half)

        try first.append(OutboxTests.event("new"))

        #expect(try await outbox(storage).pending.map(\.id) == ["1", "new"])
    }

    @Test("skips lines that are damaged, and keeps kinds that it does not know as they are")
    func damage() throws {
        let good = try OutboxJournal.line(.init(item: OutboxTests.event("1"), acceptedAt: 5))
        let file =
            Data("{]\n\u{0}\u{0}\n{\"kind\":\"later\",\"body\":{},\"acceptedAt\":1}\n\n".utf8) + good
            + Data([0xFF, 0xFE, 0x0A])

        let content = OutboxJournal.read(file)

        #expect(content.entries == [.init(item: OutboxTests.event("1"), acceptedAt: 5)])
        #expect(content.unreadableLines == 3)
        #expect(content.foreign.lines == [Data("{\"kind\":\"later\",\"body\":{},\"acceptedAt\":1}\n".utf8)])
        #expect(!content.isCompact)
    }

    @Test("survives a downgrade: lines of a later release are still there after the next upgrade, done or not")
    func downgrade() async throws {
        let purchase = #"{"acceptedAt":1,"body":{"transaction":"t-1","tax":{"vat":19}},"kind":"purchase"}"#
        let done = #"{"done":["p-0","1"]}"#
        let event = try OutboxJournal.line(.init(item: OutboxTests.event("1"), acceptedAt: 5))
        let known = try OutboxJournal.line(.init(item: OutboxTests.event("2"), acceptedAt: 5))
        let storage = MemoryStorage([
            .outbox: Data("{\"format\":9}\n\(purchase)\n".utf8) + event + known + Data("\(done)\n".utf8)
        ])

        for round in 1...3 {
            let older = try await outbox(storage)
            #expect(older.pending.map(\.id).first == "2")
            try older.append(OutboxTests.event("round \(round)"))
            await older.store()
            await older.rewriteIfWorthwhile()
        }

        let lines = storage.files.values.flatMap {
            $0.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(lines.contains(purchase))
        #expect(lines.contains { $0.contains("done") && $0.contains("p-0") && !$0.contains("\"1\"") })
        #expect(!lines.contains { $0.contains("\"id\":\"1\"") })
    }

    @Test("keeps at most 1 MiB of unknown lines, and drops the oldest first")
    func foreignLimit() {
        let lines = (1...300).map {
            "{\"kind\":\"later\",\"number\":\($0),\"text\":\"\(String(repeating: "x", count: 5_000))\"}\n"
        }

        let content = OutboxJournal.read(Data(lines.joined().utf8))

        #expect(content.foreign.lines.reduce(0) { $0 + $1.count } <= 1 << 20)
        #expect(content.foreign.lines.last == lines.last.map { Data($0.utf8) })
    }

    @Test("keeps the parts of a link that are not done: its click, its arrival, and that the app has seen it")
    func link() async throws {
        let receipt = LinkReceipt(key: IdempotencyKey("6"), url: "example://beach", scene: "left")
        let storage = MemoryStorage(), first = try await outbox(storage)
        let before = storage.files[.firstSegment]?.split(separator: UInt8(ascii: "\n")).count ?? 0
        try first.append(receipt)
        let lines = storage.files[.firstSegment]?.split(separator: UInt8(ascii: "\n")).count ?? 0
        #expect(lines - before == 1, "A hook writes one line.")
        var seen = receipt.arrival
        seen.wasHandedOver = true

        let second = try await outbox(storage)
        #expect(second.pending == [.click(receipt.click), .arrival(receipt.arrival)])
        await second.handOver(seen.id)
        second.remove([receipt.key.rawValue])
        await second.store()

        for _ in 0..<2 { #expect(try await outbox(storage).pending == [.arrival(seen)]) }
        let last = try await outbox(storage)
        last.remove([seen.id])
        await last.store()
        #expect(try await outbox(storage).pending.isEmpty)
    }

    @Test("stores a link that came while the device was locked as soon as it can, after the items before it")
    func lockedLink() async throws {
        let storage = MemoryStorage(), first = try await outbox(storage)
        storage.isLocked = true
        #expect(try !first.append(OutboxTests.event("1")))
        #expect(try !first.append(LinkReceipt(key: IdempotencyKey("2"), url: "example://beach", scene: nil)))
        #expect(await !first.handOver("2.in"))
        storage.isLocked = false
        #expect(try first.append(LinkReceipt(key: IdempotencyKey("3"), url: "example://sun", scene: nil)))

        let next = try await outbox(storage)

        #expect(next.pending.map(\.id) == ["1", "2", "2.in", "3", "3.in"])
        #expect(next.pending == first.pending)
    }

    @Test("of the previous release is read, and rewritten without the items that are done")
    func compaction() async throws {
        let lines = try ["1", "2"].map { try OutboxJournal.line(.init(item: OutboxTests.event($0), acceptedAt: 5)) }
        let storage = MemoryStorage([.outbox: lines[0] + lines[1] + (try OutboxJournal.line(done: ["1"]))])

        _ = try await outbox(storage)

        #expect(storage.files[.outbox] == OutboxJournal.formatLine + lines[1])
    }

    @Test("is removed when nothing waits")
    func empty() async throws {
        let storage = MemoryStorage(), first = try await outbox(storage)
        try first.append(OutboxTests.event("1"))
        first.remove(["1"])
        await first.store()

        #expect(try await outbox(storage).pending.isEmpty)
        #expect(storage.files[.outbox] == nil && storage.files.count == 1)
    }

    @Test("stays as it is when it cannot be rewritten, and items that are done stay done")
    func fullDisk() async throws {
        let lines = try ["1", "2"].map { try OutboxJournal.line(.init(item: OutboxTests.event($0), acceptedAt: 5)) }
        let file = lines[0] + lines[1] + (try OutboxJournal.line(done: ["1"]))
        let storage = MemoryStorage([.outbox: file])
        storage.isFull = true

        let next = try await outbox(storage)

        #expect(next.pending.map(\.id) == ["2"])
        #expect(storage.files == [.outbox: file])
    }
}

extension StorageName {
    /// What the first launch appends to.
    static let firstSegment = StorageName(rawValue: "outbox-1.jsonl")
}
