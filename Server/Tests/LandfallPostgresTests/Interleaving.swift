// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

@testable import LandfallPostgres
@testable import LandfallStore

/// A unit whose statements are stepped.
struct SteppedUnit: Sendable, CustomStringConvertible {
    let description: String
    let locks: [RowLock]
    let body: @Sendable (any WriteConnection) throws -> Void

    init(_ description: String, locking locks: [RowLock], _ body: @escaping @Sendable (any WriteConnection) throws -> Void) {
        (self.description, self.locks, self.body) = (description, locks, body)
    }
}

/// A connection for one run at a time. Unchecked, because the runs take turns.
final class SteppedLine: @unchecked Sendable {
    let connection: PostgresConnection
    /// Of the engine.
    let process: Int64

    init(_ url: String) throws {
        connection = try PostgresConnection(test: url)
        process = try connection.rows(Statement("SELECT pg_backend_pid() AS id"))[0].integer(0)
    }
}

/// One unit on its own connection and thread, which runs one statement at each ``step()``.
final class SteppedRun: Sendable {
    /// Where the unit is.
    enum Place: Hashable, Sendable { case running, atStep, ended }

    private struct Connection: WriteConnection {
        let base: any WriteConnection
        let run: SteppedRun
        let locks: Bool

        func lock(_ locks: [RowLock]) throws {
            guard self.locks, !locks.isEmpty else { return }
            run.pause()
            try base.lock(locks)
        }

        func rows(_ statement: Statement) throws -> [Row] {
            run.pause()
            return try base.rows(statement)
        }

        func run(_ statement: Statement) throws -> Int {
            run.pause()
            return try base.run(statement)
        }

        func batch(_ statements: [Statement]) throws -> [Int] {
            run.pause()
            return try base.batch(statements)
        }

        func tell(_ change: StoreChange) { base.tell(change) }
    }

    /// Of the engine.
    let process: Int64
    private let place = Mutex(Place.running)
    private let permit = DispatchSemaphore(value: 0)
    private let failure = Mutex<(any Error)?>(nil)
    private let count = Mutex(0)

    /// - Parameters:
    ///   - line: used by no other run meanwhile.
    ///   - locks: false leaves them out, also those that the unit takes inside.
    init(_ unit: SteppedUnit, on line: SteppedLine, locks: Bool) {
        process = line.process
        let numbers = locks ? RowLock.numbers(unit.locks) : []
        Thread.detachNewThread { [self] in
            // As the runner does it: what another transaction was in the way of is run again, without further steps.
            for attempt in 0..<5 {
                let transaction = PostgresTransaction(
                    on: line.connection, isReading: false, locks: numbers, node: NodeName("test"), limit: .seconds(60))
                do {
                    try unit.body(attempt == 0 ? Connection(base: transaction, run: self, locks: locks) : transaction)
                    if attempt == 0 { pause() }
                    try transaction.commit()
                    break
                } catch {
                    transaction.rollback()
                    let isRepeated: Bool
                    if let failure = transaction.failure {
                        isRepeated = failure.consequence != .final && failure.consequence != .lost
                    } else if let error = error as? DatabaseError, case .retry = error {
                        isRepeated = true
                    } else {
                        isRepeated = false
                    }
                    guard isRepeated else {
                        failure.withLock { $0 = error }
                        break
                    }
                }
            }
            place.withLock { $0 = .ended }
        }
    }

    var current: Place { place.withLock { $0 } }

    /// How often it stopped, COMMIT included.
    var steps: Int { count.withLock { $0 } }

    var error: (any Error)? { failure.withLock { $0 } }

    /// Lets the next statement run, or COMMIT.
    func step() {
        place.withLock { if $0 == .atStep { $0 = .running } }
        permit.signal()
    }

    private func pause() {
        count.withLock { $0 += 1 }
        place.withLock { $0 = .atStep }
        permit.wait()
    }
}

/// Two units through one order of their steps.
struct Interleaving {
    private let lines: [SteppedLine]
    /// Asks the engine who waits.
    let watcher: PostgresConnection

    init(_ url: String) throws {
        lines = [try SteppedLine(url), try SteppedLine(url)]
        watcher = try PostgresConnection(test: url)
    }

    struct Stuck: Error {}

    /// - Parameter order: whose step is next, 0 or 1. A unit whose statement waits for the other is passed over, and goes on by
    ///   itself once it may.
    /// - Returns: how many steps each of them had.
    /// - Throws: the error of a unit.
    func run(_ units: [SteppedUnit], _ order: [Int], locks: Bool) throws -> [Int] {
        let runs = zip(units, lines).map { SteppedRun($0, on: $1, locks: locks) }
        for (run, other) in [(runs[0], runs[1]), (runs[1], runs[0])] { try settle(run, against: other) }
        var rest = order[...]
        let begun = ContinuousClock.now
        while runs.contains(where: { $0.current != .ended }) {
            if ContinuousClock.now - begun > .seconds(180) { throw Stuck() }
            let next = rest.popFirst() ?? (runs[0].current == .atStep ? 0 : 1)
            if runs[next].current == .atStep { runs[next].step() }
            for unit in [next, 1 - next] { try settle(runs[unit], against: runs[1 - unit]) }
        }
        if let error = runs.compactMap(\.error).first { throw error }
        return runs.map(\.steps)
    }

    /// Returns when the unit is before its next statement, has ended, or waits for the other unit.
    private func settle(_ run: SteppedRun, against other: SteppedRun) throws {
        let begun = ContinuousClock.now
        while run.current == .running {
            if ContinuousClock.now - begun > .seconds(90) { throw Stuck() }
            usleep(100)
            guard run.current == .running, other.current == .atStep, try isBlocked(run.process, by: other.process) else {
                continue
            }
            return
        }
    }

    private func isBlocked(_ process: Int64, by other: Int64) throws -> Bool {
        let text = Statement(
            "SELECT CAST($2 AS INTEGER) = ANY(pg_blocking_pids(CAST($1 AS INTEGER))) AS waits",
            [.integer(process), .integer(other)])
        return try watcher.rows(text)[0].flag(0)
    }

    /// The first unit, then the second.
    static let firstFirst = Array(repeating: 0, count: 200) + Array(repeating: 1, count: 200)

    /// Every way in which one unit comes in the middle of the other, and some more: for units with so many steps that all orders would
    /// be millions.
    /// - Parameter most: above it, so many of these, others each time.
    static func someOrders(_ one: Int, _ other: Int, more: Int, most: Int) -> [[Int]] {
        let interrupted = [(0, one, other), (1, other, one)].flatMap { unit, own, others in
            (1..<max(2, own)).map { place in
                Array(repeating: unit, count: place) + Array(repeating: 1 - unit, count: others)
                    + Array(repeating: unit, count: own - place)
            }
        }
        let further = (0..<more).map { _ in (Array(repeating: 0, count: one) + Array(repeating: 1, count: other)).shuffled() }
        let all = interrupted + further
        return all.count > most ? Array(all.shuffled().prefix(most)) : all
    }

    /// Every way to merge so many steps of each unit.
    static func orders(_ one: Int, _ other: Int) -> [[Int]] {
        if one == 0 { return [Array(repeating: 1, count: other)] }
        if other == 0 { return [Array(repeating: 0, count: one)] }
        return orders(one - 1, other).map { [0] + $0 } + orders(one, other - 1).map { [1] + $0 }
    }
}
