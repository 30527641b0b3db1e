// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("The outbox's file", .timeLimit(.minutes(1)))
struct OutboxJournalTests {
    let clock = ManualClock()

    func outbox(_ storage: MemoryStorage) -> Outbox { Outbox(storage: storage, date: clock.time.date) { _ in } }

    /// A file with all that can happen, and which items must be there after a kill at each of its bytes.
    func history() async throws -> [(file: Data, pending: [String])] {
        let storage = MemoryStorage(), outbox = outbox(storage)
        var history: [(file: Data, pending: [String])] = []
        func remember() { history.append((storage.files[.outbox] ?? Data(), outbox.pending.map(\.id))) }
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
        outbox.handOver("6.in")
        remember()
        outbox.remove(["6"])
        remember()
        return history
    }

    @Test("loses nothing that was accepted, wherever the kill fell, and accepts more afterwards")
    func everyPrefix() async throws {
        let history = try await history()
        let whole = try #require(history.last).file

        for length in 0...whole.count {
            let storage = MemoryStorage([.outbox: whole.prefix(length)])
            let next = outbox(storage)
            #expect(try next.open())
            // What the last whole step had accepted, but for what the step under way was about to let go.
            let before = history.last { $0.file.count <= length }?.pending ?? []
            let after = history.first { $0.file.count > length }?.pending ?? before
            #expect(Set(next.pending.map(\.id)).isSuperset(of: before.filter(after.contains)), "killed after \(length) bytes")

            try next.append(OutboxTests.event("new"))
            let third = outbox(storage)
            try third.open()
            #expect(third.pending == next.pending, "killed after \(length) bytes")
        }
    }

    @Test("joins nothing to a half-written line, even when the file could not be read first")
    func halfLine() async throws {
        let whole = try #require(try await history().first).file
        let storage = MemoryStorage([.outbox: whole + whole.dropLast(10)])

        try outbox(storage).append(OutboxTests.event("new"))

        let next = outbox(storage)
        try next.open()
        #expect(next.pending.map(\.id) == ["1", "new"])
    }

    @Test("skips lines that are damaged and kinds that it does not know")
    func damage() throws {
        let good = try OutboxJournal.line(.init(item: OutboxTests.event("1"), acceptedAt: 5))
        let file =
            Data("{]\n\u{0}\u{0}\n{\"kind\":\"later\",\"body\":{},\"acceptedAt\":1}\n\n".utf8) + good
            + Data([0xFF, 0xFE, 0x0A])

        let content = OutboxJournal.read(file)

        #expect(content.entries == [.init(item: OutboxTests.event("1"), acceptedAt: 5)])
        #expect(content.unreadableLines == 4)
        #expect(!content.isCompact)
    }

    @Test("keeps of a link what is not done: its click, its arrival, and that the app has seen it")
    func link() throws {
        let receipt = LinkReceipt(key: IdempotencyKey("6"), url: "example://beach", scene: "left")
        let storage = MemoryStorage(), first = outbox(storage)
        try first.append(receipt)
        #expect(storage.files[.outbox]?.split(separator: UInt8(ascii: "\n")).count == 1, "A hook writes one line.")
        var seen = receipt.arrival
        seen.wasHandedOver = true

        let second = outbox(storage)
        try second.open()
        #expect(second.pending == [.click(receipt.click), .arrival(receipt.arrival)])
        second.handOver(seen.id)
        second.remove([receipt.key.rawValue])

        for _ in 0..<2 {
            let next = outbox(storage)
            try next.open()
            #expect(next.pending == [.arrival(seen)])
        }
        let last = outbox(storage)
        try last.open()
        last.remove([seen.id])
        let empty = outbox(storage)
        try empty.open()
        #expect(empty.pending.isEmpty)
    }

    @Test("stores a link that came while it could not, after what came before it")
    func lockedLink() throws {
        let storage = MemoryStorage(), first = outbox(storage)
        storage.isLocked = true
        #expect(try !first.append(OutboxTests.event("1")))
        #expect(try !first.append(LinkReceipt(key: IdempotencyKey("2"), url: "example://beach", scene: nil)))
        first.handOver("2.in")
        storage.isLocked = false
        try first.append(LinkReceipt(key: IdempotencyKey("3"), url: "example://sun", scene: nil))

        let next = outbox(storage)
        try next.open()

        #expect(next.pending.map(\.id) == ["1", "2", "2.in", "3", "3.in"])
        #expect(next.pending == first.pending)
    }

    @Test("is rewritten without what is done, and only then")
    func compaction() throws {
        let lines = try ["1", "2"].map { try OutboxJournal.line(.init(item: OutboxTests.event($0), acceptedAt: 5)) }
        let storage = MemoryStorage([.outbox: lines[0] + lines[1] + (try OutboxJournal.line(done: ["1"]))])
        try outbox(storage).open()
        #expect(storage.files[.outbox] == lines[1])

        storage.isFull = true
        #expect(try outbox(storage).open())
        #expect(storage.files[.outbox] == lines[1])
    }

    @Test("is left as it is when it cannot be rewritten; what is done stays done")
    func fullDisk() throws {
        let lines = try ["1", "2"].map { try OutboxJournal.line(.init(item: OutboxTests.event($0), acceptedAt: 5)) }
        let file = lines[0] + lines[1] + (try OutboxJournal.line(done: ["1"]))
        let storage = MemoryStorage([.outbox: file])
        storage.isFull = true

        let next = outbox(storage)
        #expect(try next.open())

        #expect(next.pending.map(\.id) == ["2"])
        #expect(storage.files[.outbox] == file)
    }
}
