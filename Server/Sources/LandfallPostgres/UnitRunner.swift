// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore

/// Runs units on one connection, one after the other: opens it, replaces it when it is lost, repeats units that may succeed.
/// Used by one thread.
struct UnitRunner {
    private enum Outcome {
        /// - told: what the transaction has changed.
        case done(told: [StoreChange])
        case failed(any Error)
        case again(PostgresFailure)
        /// The connection was lost after COMMIT was sent, and the engine has not said what became of the transaction.
        case unknown(number: String, incarnation: String?, told: [StoreChange])

        /// True if only another connection can help.
        var isLoss: Bool {
            switch self {
            case .done, .failed: false
            case .again(let failure): failure.consequence == .lost
            case .unknown: true
            }
        }
    }

    private static let mostRepeats = 5
    /// Between two attempts to connect.
    private static let longestPause = Duration.milliseconds(500)

    private let address: PostgresAddress
    private let library: Libpq
    private let node: NodeName
    private let observers: StoreObservers
    private let counter: ConnectionCounter
    private var connection: PostgresConnection?

    init(
        _ address: PostgresAddress, _ library: Libpq, _ node: NodeName, _ observers: StoreObservers,
        _ counter: ConnectionCounter = ConnectionCounter()
    ) {
        (self.address, self.library, self.node, self.observers, self.counter) = (address, library, node, observers, counter)
    }

    /// Opens the connection.
    /// - Returns: false if the server refuses it, or does not answer.
    mutating func open(within limit: Duration) -> Bool { (try? connected(until: .now + limit)) != nil }

    var isOpen: Bool { connection != nil }

    /// Runs the unit and gives its callers their answers.
    /// - Returns: how many of them are on disk now, in how many commits.
    mutating func run(_ unit: any PendingUnit) -> (units: Int, commits: Int) {
        let terms = unit.terms
        var (conflicts, losses) = (0, 0)
        while true {
            var outcome = attempt(unit)
            if case .unknown(let number, let incarnation, let told) = outcome { outcome = resolve(number, incarnation, told, terms) }
            switch outcome {
            case .done(let told):
                observers.tell(.changed(told))
                unit.resume()
                return (unit.parts.count, 1)
            case .unknown(_, _, let told):
                // All of it may be on disk, so no part of it is run again either. A change that was none makes nobody answer otherwise.
                observers.tell(.changed(told))
                unit.fail(
                    DatabaseError.retry(
                        "the connection was lost while it committed, and the engine does not know the transaction"))
                return (0, 0)
            case .failed(let error):
                let parts = unit.parts
                guard parts.count > 1 else {
                    unit.fail(error)
                    return (0, 0)
                }
                return parts.reduce((0, 0)) { sums, part in
                    guard ContinuousClock.now < part.terms.deadline else {
                        part.fail(DatabaseError.busy)
                        return sums
                    }
                    let (units, commits) = run(part)
                    return (sums.0 + units, sums.1 + commits)
                }
            case .again(let failure):
                let pause: Duration
                switch failure.consequence {
                case .lost:
                    losses += 1
                    pause = min(Self.longestPause, .milliseconds(5) * (1 << min(losses, 8)))
                default:
                    conflicts += 1
                    pause = failure.consequence == .conflict ? .milliseconds(1 << (2 * (conflicts - 1))) : .zero
                }
                guard terms.isRepeated, conflicts <= Self.mostRepeats, ContinuousClock.now + pause < terms.deadline else {
                    unit.fail(failure.error)
                    return (0, 0)
                }
                counter.repeated(failure.consequence)
                Self.sleep(pause)
            }
        }
    }

    private mutating func attempt(_ unit: any PendingUnit) -> Outcome {
        let terms = unit.terms
        let connection: PostgresConnection
        do throws(DatabaseError) {
            connection = try connected(until: terms.deadline)
        } catch {
            return .again(.lost("\(error)"))
        }
        do throws(PostgresFailure) { try connection.forgetManyTexts(within: terms.limit) } catch {
            self.connection = nil
            return .again(error)
        }
        guard unit.begin(connection.canceller) else { return .failed(CancellationError()) }
        let transaction = PostgresTransaction(
            on: connection, isReading: terms.kind == .read, locks: terms.locks, node: node, limit: terms.limit,
            isCancelled: { unit.isCancelled })
        let outcome = perform(unit, transaction)
        let isCancelled = unit.leave()
        // A cancellation may still be on its way to the connection; a standby does not become the primary.
        if isCancelled || connection.isLost || outcome.isLoss { self.connection = nil }
        if case .done = outcome { return outcome }
        if isCancelled { return .failed(CancellationError()) }
        if case .again(let failure) = outcome, failure.consequence == .stale, !connection.isLost {
            do throws(PostgresFailure) { try connection.forgetTexts(within: terms.limit) } catch { self.connection = nil }
        }
        return outcome
    }

    private func perform(_ unit: any PendingUnit, _ transaction: PostgresTransaction) -> Outcome {
        do {
            try unit.perform(transaction)
            // The engine has undone everything, so a body that goes on after a failed statement has not succeeded.
            if let failure = transaction.failure { throw failure.error }
        } catch {
            transaction.rollback()
            if let failure = transaction.failure { return outcome(of: failure, telling: error, unit) }
            if let error = error as? DatabaseError, case .retry = error {
                return .again(PostgresFailure(consequence: .conflict, error: error))
            }
            return .failed(error)
        }
        do throws(PostgresFailure) {
            try transaction.commit()
            return .done(told: transaction.told)
        } catch {
            guard error.consequence == .lost, unit.terms.kind != .read else {
                return outcome(of: error, telling: error.error, unit)
            }
            // Without a number nothing was changed, so there is nothing to lose or to double.
            return transaction.number.map { .unknown(number: $0, incarnation: transaction.incarnation, told: transaction.told) } ?? .again(error)
        }
    }

    /// - Parameter error: what the body threw; it may have made its own error of the engine's.
    private func outcome(of failure: PostgresFailure, telling error: any Error, _ unit: any PendingUnit) -> Outcome {
        switch failure.consequence {
        case .final: .failed(error)
        // Rows that do not depend on what is stored will not fit the next time either.
        case .duplicate where unit.terms.kind == .append: .failed(failure.error)
        case .conflict, .duplicate, .stale, .lost: .again(failure)
        }
    }

    /// Asks the engine, on a new connection, what became of a transaction.
    private mutating func resolve(
        _ number: String, _ incarnation: String?, _ told: [StoreChange], _ terms: UnitTerms
    ) -> Outcome {
        let unknown = Outcome.unknown(number: number, incarnation: incarnation, told: told)
        let deadline = ContinuousClock.now + terms.limit
        var pause = Duration.milliseconds(5)
        while ContinuousClock.now < deadline {
            if let connection = try? connected(until: deadline) {
                do throws(PostgresFailure) {
                    let answer = try connection.flight([(Statement(Self.status, [.text(number)]), .rows)], within: terms.limit)
                    switch answer[0].rows.first?.optionalText(0) {
                    // After a crash, the number may be another transaction's.
                    case "committed"? where incarnation != nil && connection.incarnation == incarnation: return .done(told: told)
                    case "aborted"?: return .again(.lost("the engine undid the transaction"))
                    case "in progress"?: break
                    default: return unknown
                    }
                } catch {
                    if !connection.isLost { return unknown }
                }
                if connection.isLost { self.connection = nil }
            }
            Self.sleep(pause)
            pause = min(Self.longestPause, pause * 2)
        }
        return unknown
    }

    private mutating func connected(until deadline: ContinuousClock.Instant) throws(DatabaseError) -> PostgresConnection {
        if let connection { return connection }
        let new = try PostgresConnection(address, library: library, within: max(.seconds(1), deadline - .now))
        connection = new
        counter.opened()
        return new
    }

    private static func sleep(_ pause: Duration) { if pause > .zero { Thread.sleep(forTimeInterval: pause / .seconds(1)) } }

    private static let status = "SELECT pg_xact_status(CAST(CAST($1 AS TEXT) AS xid8))"
}
