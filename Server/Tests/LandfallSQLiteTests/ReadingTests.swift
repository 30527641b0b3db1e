// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("Reading", .timeLimit(.minutes(1)))
struct ReadingTests {
    private static let endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"
    private static let count = "SELECT COUNT(*) AS count FROM note"

    @Test("A read sees one snapshot, whatever is committed between its statements", arguments: [true, false])
    func oneState(isAtOnce: Bool) async throws {
        let store = try await TemporaryStore()
        let gate = DispatchSemaphore(value: 0)
        let reached = AsyncStream<Void>.makeStream()
        let body: @Sendable (any ReadConnection) throws -> [Int64] = { connection in
            let before = try connection.row(Self.count)?.integer(0)
            reached.continuation.finish()
            gate.wait()
            return try [before, connection.row(Self.count)?.integer("count")].compactMap { $0 }
        }

        let counts = Task { [database = store.database] in
            guard isAtOnce else { return try await database.read(body) }
            return try await onThread { try #require(try database.readAtOnce(body)) }
        }
        for await _ in reached.stream {}
        _ = try await store.database.write { try $0.run(insert(1)) }
        gate.signal()

        #expect(try await counts.value == [0, 0])
        #expect(try store.database.readAtOnce { try $0.row(Self.count)?.integer(0) } == 1)
    }

    @Test("A read at once runs on the calling thread; if all its connections are in use it returns nothing and does not wait")
    func atOnceBound() throws {
        let readers = try Self.readers(Readers.Limits(queued: 1, waiting: 1, atOnce: 2))
        let thread = Thread.current

        let depths = try readers.readAtOnce { _ in
            try [
                1,
                readers.readAtOnce { _ in
                    #expect(Thread.current === thread)
                    return try readers.readAtOnce { _ in 3 } ?? 2
                },
            ]
        }

        #expect(depths == [1, 2])
        #expect(try readers.readAtOnce { try $0.row("SELECT 7")?.integer(0) } == 7)
    }

    @Test("An error of a read at once is thrown, and its connection is free for the next one")
    func atOnceError() throws {
        let readers = try Self.readers(Readers.Limits(queued: 1, waiting: 1, atOnce: 1))

        for _ in 0..<3 {
            #expect(throws: DatabaseError.failed("no such table: nowhere")) {
                try readers.readAtOnce { try $0.rows("SELECT 1 FROM nowhere") }
            }
        }

        #expect(try readers.readAtOnce { try $0.row("SELECT 7")?.integer(0) } == 7)
    }

    @Test("Reads above the limit wait in order of arrival; if too many wait they are refused")
    func order() async throws {
        let readers = try Self.readers(Readers.Limits(queued: 1, waiting: 3, atOnce: 1))
        let gate = DispatchSemaphore(value: 0)
        let order = Order()
        let first = await begin(readers, after: gate) { _ in }
        var others: [Task<Void, any Error>] = []
        for number in 1...3 {
            others.append(Task { try await readers.read { _ in order.numbers.withLock { $0.append(number) } } })
            while readers.waitingCount < number { await Task.yield() }
        }

        await #expect(throws: DatabaseError.tooManyReads) { try await readers.read { _ in } }
        gate.signal()
        try await first.value
        for other in others { try await other.value }

        #expect(order.numbers.withLock { $0 } == [1, 2, 3])
    }

    @Test("On cancellation a waiting read is withdrawn at once, a running one is interrupted; others continue")
    func cancelled() async throws {
        let readers = try Self.readers(Readers.Limits(queued: 1, waiting: 3, atOnce: 1))
        let running = await begin(readers) { try $0.rows(Self.endless) }
        let waiting = Task { try await readers.read { try $0.row("SELECT 1")?.integer(0) } }
        while readers.waitingCount < 1 { await Task.yield() }

        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }

        #expect(try await readers.read { try $0.row("SELECT 7")?.integer(0) } == 7)
    }

    @Test("A cancellation between two statements ends the next one, and no statement of the next caller")
    func cancelledBetween() async throws {
        let readers = try Self.readers(Readers.Limits(queued: 1, waiting: 3, atOnce: 1))
        let gate = DispatchSemaphore(value: 0)
        let running = await begin(readers, after: gate) { try $0.rows(Self.endless) }

        running.cancel()
        gate.signal()

        await #expect(throws: CancellationError.self) { try await running.value }
        let many = Statement("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT MAX(i) FROM n")
        #expect(try await readers.read { try $0.row(many)?.integer(0) } == 100_000)
    }

    @Test("Closing waits for running reads, and refuses later ones")
    func closing() async throws {
        let readers = try Self.readers(Readers.Limits(queued: 1, waiting: 3, atOnce: 1))
        let gate = DispatchSemaphore(value: 0)
        let first = await begin(readers, after: gate) { try $0.row("SELECT 7")?.integer(0) }

        let closing = Task { await readers.close() }
        gate.signal()

        #expect(try await first.value == 7)
        await closing.value
        await #expect(throws: DatabaseError.closed) { try await readers.read { _ in } }
        #expect(throws: DatabaseError.closed) { try readers.readAtOnce { _ in } }
    }

    @Test("A reading connection cannot write")
    func readOnly() async throws {
        let store = try await TemporaryStore()

        await #expect(throws: DatabaseError.failed("attempt to write a readonly database")) {
            try await store.database.read { try $0.rows("DELETE FROM note") }
        }
    }

    @Test("More than a thousand different texts are prepared, and each returns its own answer")
    func manyTexts() async throws {
        let store = try await TemporaryStore()

        let sums = try await store.database.read { connection in
            try (0..<PreparedTexts.most * 2).map { try connection.row("SELECT \($0) AS number")?.integer("number") }
        }

        #expect(sums == (0..<Int64(PreparedTexts.most * 2)).map { $0 })
    }

    @Test("A row returns its values by name and by position; of two columns with one name the first counts")
    func places() throws {
        let row = Row(columns: ["a", "b", "a"], values: [.integer(1), .text("x"), .null])

        #expect(try row.integer("a") == 1)
        #expect(try row.integer(0) == 1)
        #expect(try row.text(1) == "x")
        #expect(row.optionalText(2) == nil)
        #expect(row["c"] == .null)
        #expect(throws: DatabaseError.unexpectedValue(column: "b")) { try row.integer(1) }
    }

    private static func readers(_ limits: Readers.Limits) throws -> Readers {
        Readers("", damage: MetDamage(), limits: limits)
    }

    /// Returns once the read has begun.
    private func begin<Value: Sendable>(
        _ readers: Readers, after gate: DispatchSemaphore? = nil, _ body: @escaping @Sendable (any ReadConnection) throws -> Value
    ) async -> Task<Value, any Error> {
        let begun = AsyncStream<Void>.makeStream()
        let task = Task {
            try await readers.read { connection in
                begun.continuation.finish()
                gate?.wait()
                return try body(connection)
            }
        }
        for await _ in begun.stream {}
        return task
    }

    /// On a separate thread, because the body blocks.
    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "waiting").async { continuation.resume(with: Result { try body() }) }
        }
    }
}

private final class Order: Sendable {
    let numbers = Mutex<[Int]>([])
}
