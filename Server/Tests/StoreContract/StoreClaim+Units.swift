// SPDX-License-Identifier: Apache-2.0
import Dispatch
import LandfallStore

extension StoreClaim {
    private struct Refusal: Error {}

    private static func weight(of id: Int64, _ connection: any ReadConnection) throws -> Double? {
        try connection.row("SELECT weight FROM note WHERE id = $1", [.integer(id)]).map { row in
            guard case .real(let weight) = row["weight"] else { throw DatabaseError.unexpectedValue(column: "weight") }
            return weight
        }
    }

    static let writes = [
        StoreClaim("A body that throws changes nothing, and its caller gets its own error") { store in
            try await expectError("the body's error", { $0 is Refusal }) {
                try await store.write { connection in
                    try connection.run(insert(1))
                    throw Refusal()
                }
            }
            try await expectError("the engine's error", isFailed) {
                _ = try await store.write { connection in
                    try connection.batch([insert(2), Statement("INSERT INTO nowhere VALUES (1)")])
                }
            }
            try expect(await ids(store), [], "the rows")
            _ = try await store.write { try $0.run(insert(3)) }
            try expect(await ids(store), [3], "the rows afterwards")
        },
        StoreClaim("A body that throws 'retry' changes nothing") { store in
            try await expectError("retry", { if case DatabaseError.retry = $0 { true } else { false } }) {
                try await store.write { connection in
                    try connection.run(insert(1))
                    throw DatabaseError.retry("another call was in the way")
                }
            }
            try expect(await ids(store), [], "the rows")
        },
        StoreClaim("A statement says how many rows it changed, alone and in a batch") { store in
            let counts = try await store.write { connection in
                [try connection.run(insert(1))]
                    + (try connection.batch([
                        insert(2), Statement("INSERT INTO note (id) VALUES (2) ON CONFLICT (id) DO NOTHING"),
                        Statement("UPDATE note SET weight = 1"), Statement("DELETE FROM note WHERE id > 5"),
                    ])) + (try connection.batch([]))
            }
            try expect(counts, [1, 1, 0, 2, 0], "the counts")
        },
        StoreClaim("A unit sees its own rows, and those of every unit that was answered before") { store in
            for id in 1...20 {
                let count = try await store.write { connection in
                    try connection.run(insert(Int64(id)))
                    return try connection.row("SELECT COUNT(*) FROM note")?.integer(0)
                }
                try expect(count, Int64(id), "its rows")
                try expect(await ids(store).count, id, "a read's rows")
            }
        },
        StoreClaim("Units that lock the same row run one after the other, whether the row exists or not") { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<40 {
                    group.addTask {
                        try await store.write(.interactive, locking: [RowLock("note", ["id": .integer(7)])]) { connection in
                            guard let weight = try weight(of: 7, connection) else {
                                try connection.run("INSERT INTO note (id, weight) VALUES (7, 1)")
                                return
                            }
                            try connection.run("UPDATE note SET weight = $1 WHERE id = 7", [.real(weight + 1)])
                        }
                    }
                }
                try await group.waitForAll()
            }
            try expect(await store.read { try weight(of: 7, $0) }, 40, "the count of units")
        },
        StoreClaim("Units that learn inside what to lock run one after the other from there, whether the row exists or not") { store in
            try await store.write { connection in _ = try connection.run("INSERT INTO note (id, weight) VALUES (1, 7)") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<40 {
                    group.addTask {
                        try await store.write { connection in
                            let name = try weight(of: 1, connection).map { Int64($0) } ?? 0
                            try connection.lock([RowLock("note", ["id": .integer(name)])])
                            // A lock that the unit has is no obstacle to it.
                            try connection.lock([RowLock("note", ["id": .integer(name)])])
                            let weight = try weight(of: name, connection)
                            try connection.run(
                                weight == nil
                                    ? "INSERT INTO note (weight, id) VALUES ($1, $2)" : "UPDATE note SET weight = $1 WHERE id = $2",
                                [.real((weight ?? 0) + 1), .integer(name)])
                        }
                    }
                }
                try await group.waitForAll()
            }
            try expect(await store.read { try weight(of: 7, $0) }, 40, "the count of units")
        },
        StoreClaim("Units that lock the same rows in another order do not block each other for ever") { store in
            let (one, other) = (RowLock("note", ["id": .integer(1)]), RowLock("note", ["id": .integer(2)]))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in 1...40 {
                    group.addTask {
                        _ = try await store.write(.interactive, locking: id % 2 == 0 ? [one, other] : [other, one]) {
                            connection in
                            _ = try connection.rows("SELECT id FROM note WHERE id = $1", [.integer(Int64(id))])
                            return try connection.run(insert(Int64(id)))
                        }
                    }
                }
                try await group.waitForAll()
            }
            try expect(await ids(store).count, 40, "the rows")
        },
        StoreClaim("A caller that does not wait is answered once, with the value or the error") { store in
            let answers = AsyncStream<Bool>.makeStream()
            for id in [1, 1] {
                store.write(.interactive, locking: [RowLock("note", ["id": .integer(1)])], { try $0.run(insert(Int64(id))) }) {
                    result in
                    answers.continuation.yield((try? result.get()) == 1)
                }
            }
            var found: [Bool] = []
            for await answer in answers.stream {
                found.append(answer)
                if found.count == 2 { break }
            }
            try expect(found.filter(\.self).count, 1, "the successes")
        },
    ]

    static let appends = [
        StoreClaim("Each caller's rows are added as a whole; rows that cannot be added do not affect those of others") {
            store in
            let rows: [[Int64]] = [[1, 2], [3, 1], [4], [], [4], [5, 6]]
            let failed = try await withThrowingTaskGroup(of: Int?.self) { group in
                for (place, ids) in rows.enumerated() {
                    group.addTask {
                        do {
                            try await store.append(ids.map(insert))
                            return nil
                        } catch DatabaseError.failed {
                            return place
                        }
                    }
                }
                return try await group.reduce(into: Set<Int>()) { if let place = $1 { $0.insert(place) } }
            }
            let stored = try await ids(store)
            // Which of two callers with the same row is first, is open.
            let expected = rows.enumerated().filter { !failed.contains($0.offset) }.flatMap(\.element).sorted()
            try expect(stored, expected, "the rows")
            try expect(failed.count, 2, "the refused callers")
            try expect(failed.isSubset(of: [0, 1, 2, 4]), true, "only those that share a row")
        },
        StoreClaim("Rows of many callers at the same time are all on disk when they are answered") { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in 1...500 { group.addTask { try await store.append([insert(Int64(id))]) } }
                try await group.waitForAll()
            }
            try expect(await ids(store), Array(1...500), "the rows")
        },
    ]

    static let reads = [
        StoreClaim("A read sees one snapshot, whatever is committed between its statements") { store in
            let gate = DispatchSemaphore(value: 0)
            let reached = AsyncStream<Void>.makeStream()
            let counts = Task {
                try await store.read { connection in
                    let before = try connection.row("SELECT COUNT(*) FROM note")?.integer(0)
                    reached.continuation.finish()
                    gate.wait()
                    return try [
                        before, connection.row("SELECT COUNT(*) FROM note")?.integer(0),
                        connection.row("SELECT COUNT(*) AS other FROM note WHERE id < $1", [.integer(100)])?.integer(0),
                    ].compactMap { $0 }
                }
            }
            for await _ in reached.stream {}
            _ = try await store.write { try $0.run(insert(1)) }
            gate.signal()
            try expect(await counts.value, [0, 0, 0], "the counts")
            try expect(await ids(store), [1], "the next read")
        },
        StoreClaim("Statements that are asked together see one snapshot, and are answered in order") { store in
            let count = Statement("SELECT COUNT(*) FROM note")
            let pairs = Task {
                for pair in 1...50 {
                    _ = try await store.write { try $0.batch([insert(Int64(2 * pair)), insert(Int64(2 * pair + 1))]) }
                }
            }
            for _ in 0..<50 {
                let counts = try await store.rows([count, count, count]).map { try $0.first?.integer(0) }
                try expect(Set(counts).count, 1, "the different counts")
                try expect((counts.first ?? nil).map { $0 % 2 }, 0, "a half pair")
            }
            try await pairs.value
            let one = Statement("SELECT id FROM note WHERE id = $1", [.integer(7)])
            let answers = try await store.rows([one, Statement("SELECT id FROM note WHERE id = $1", [.integer(0)]), count, one])
            try expect(answers.map { try $0.map { try $0.integer(0) } }, [[7], [], [100], [7]], "the answers")
            try expect(await store.rows([]).count, 0, "the answers to nothing")
        },
        StoreClaim("If one of the statements that are asked together fails, all do, and the next ones work") { store in
            let there = Statement("SELECT id FROM note"), missing = Statement("SELECT id FROM nowhere")
            for statements in [[there, missing, there], [missing, there], [there, Statement("INSERT INTO note (id) VALUES (1) RETURNING id")]] {
                try await expectError("no table, or no read", isFailed) { _ = try await store.rows(statements) }
                try expect(await store.rows([there, there]).count, 2, "the next answers")
            }
            let seen = try await store.write { connection in
                try connection.run(insert(1))
                return try connection.rows([there, there]).map(\.count)
            }
            try expect(seen, [1, 1], "the unit's own row")
        },
        StoreClaim("A read changes nothing") { store in
            try await expectError("an insert", isFailed) {
                _ = try await store.read { try $0.rows("INSERT INTO note (id) VALUES (1) RETURNING id") }
            }
            try expect(await ids(store), [], "the rows")
        },
        StoreClaim("After a failed read, further reads and writes work") { store in
            for id in 1...20 {
                try await expectError("no table", isFailed) {
                    _ = try await store.read { connection in
                        _ = try connection.rows("SELECT id FROM note")
                        return try connection.rows("SELECT id FROM nowhere")
                    }
                }
                _ = try await store.write { try $0.run(insert(Int64(id))) }
                try expect(await ids(store).count, id, "the rows")
            }
        },
    ]

    static let cancellations = [
        StoreClaim("A caller that was cancelled before its call writes nothing") { store in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try await store.write { try $0.run(insert(1)) }
            }
            try await expectError("the cancelled call", { $0 is CancellationError }) { try await task.value }
            try expect(await ids(store), [], "the rows")
        },
        StoreClaim("A write that has begun is written, and its cancelled caller gets the result") { store in
            let gate = DispatchSemaphore(value: 0)
            let begun = AsyncStream<Void>.makeStream()
            let task = Task {
                try await store.write { connection in
                    begun.continuation.finish()
                    gate.wait()
                    return try connection.run(insert(1))
                }
            }
            for await _ in begun.stream {}
            task.cancel()
            gate.signal()
            try expect(await task.value, 1, "the count")
            try expect(await ids(store), [1], "the rows")
        },
    ]
}
