// SPDX-License-Identifier: Apache-2.0
import LandfallStore
import Synchronization

/// The standbys of a database, for reads that may lag. Which of them answers does not matter: each read looks itself how old its
/// snapshot is, by this node's own beat. The primary has a new one each second, so an idle primary is no lag; a server that follows
/// another database, or none any more, has none.
final class PostgresReplica: Sendable {
    /// A node that has just begun, or begins again, may not be there yet.
    static let patience = Duration.seconds(10)
    /// A look that takes longer is none.
    private static let patienceOfLook = Duration.seconds(1)

    /// The snapshot is older than the answer that it would be a part of.
    private struct OlderSnapshot: Error {}

    private struct State {
        /// The database's clock, and when it was read.
        var beat: (databaseMs: Int64, at: ContinuousClock.Instant)?
        /// What the last look found: the beat that the replica has.
        var look: Result<Int64?, any Error>?
        var foundAt = ContinuousClock.now
        var isLooking = false
        var answers = 0, answersOfPrimary = 0, repeats = 0

        /// How old a snapshot with that beat is at most.
        func ageMs(of beatMs: Int64) -> Int64? {
            beat.map { max(0, $0.databaseMs - beatMs) + Int64((ContinuousClock.now - $0.at) / .milliseconds(1)) }
        }
    }

    private let pool: PostgresPool
    private let node: NodeName
    private let limits: PostgresLimits
    private let state = Mutex(State())

    init(_ address: PostgresAddress, _ library: Libpq, _ limits: PostgresLimits, _ node: NodeName) {
        (self.limits, self.node) = (limits, node)
        pool = PostgresPool(address.of(.standby), library, limits, node)
    }

    var condition: ReplicaCondition {
        state.withLock { state in
            var condition = condition(state)
            (condition.answers, condition.answersOfPrimary, condition.repeats) = (state.answers, state.answersOfPrimary, state.repeats)
            return condition
        }
    }

    private func condition(_ state: State) -> ReplicaCondition {
        switch state.look {
        case nil: ReplicaCondition(.unknown)
        case .failure(DatabaseError.retry(let text)): ReplicaCondition(.away, reason: text)
        case .failure(let error): ReplicaCondition(.away, reason: "\(error)")
        case .success(let beatMs?):
            state.ageMs(of: beatMs).map { ReplicaCondition(isTooOld($0) ? .behind : .ok, ageMs: $0) } ?? ReplicaCondition(.unknown)
        case .success(nil): ReplicaCondition(ContinuousClock.now - state.foundAt < Self.patience ? .unknown : .behind)
        }
    }

    private func isTooOld(_ ageMs: Int64) -> Bool { .milliseconds(ageMs) > limits.replicaLag }

    /// - Parameters:
    ///   - databaseMs: the database's clock after this node's beat; nil if it did not answer.
    ///   - sentAt: before the beat.
    func beaten(_ databaseMs: Int64?, sentAt: ContinuousClock.Instant) {
        let isFree = state.withLock { state in
            if let databaseMs { state.beat = (databaseMs, sentAt) }
            defer { state.isLooking = true }
            return !state.isLooking
        }
        guard isFree else { return }
        let unit = PostgresUnit(terms(Self.patienceOfLook)) { [node] in try NodeTables.beatMs(of: node, $0) }
        let looks = unit.wait { [weak self] found in
            self?.state.withLock { $0.isLooking = false }
            self?.found(found)
        }
        if looks { pool.enqueue(unit) }
    }

    private func found(_ look: Result<Int64?, any Error>) {
        state.withLock { state in
            state.look = look
            if case .success(.some) = look { state.foundAt = .now }
        }
    }

    /// - Returns: the beat that it has now, and how old its snapshot is at most; nil if it is not to be read.
    func begin() async -> (beatMs: Int64, ageMs: Int64)? {
        var begun: (beatMs: Int64, ageMs: Int64)?
        if condition.state == .ok {
            do {
                let beatMs = try await pool.run(terms(Self.patienceOfLook)) { [node] in try NodeTables.beatMs(of: node, $0) }
                found(.success(beatMs))
                begun = state.withLock { state in beatMs.flatMap { beatMs in state.ageMs(of: beatMs).map { (beatMs, $0) } } }
                    .flatMap { isTooOld($0.1) ? nil : $0 }
            } catch {
                if !Task.isCancelled { found(.failure(error)) }
            }
        }
        state.withLock { state in
            if begun == nil { state.answersOfPrimary += 1 } else { state.answers += 1 }
        }
        return begun
    }

    /// - Parameter leastMs: the beat that it must have at least.
    /// - Returns: the body's value, with the beat that its snapshot has; nil if the replica does not answer.
    func read<Value: Sendable>(
        from leastMs: Int64, _ body: @escaping @Sendable (any ReadConnection) throws -> Value
    ) async throws -> (value: Value, beatMs: Int64)? {
        do {
            return try await pool.run(terms(limits.interactive)) { [node] transaction in
                guard let beatMs = try NodeTables.beatMs(of: node, transaction), beatMs >= leastMs else { throw OlderSnapshot() }
                return (try body(transaction), beatMs)
            }
        } catch let error where error is DatabaseError || error is OlderSnapshot {
            state.withLock { $0.repeats += 1 }
            return nil
        }
    }

    func refuse() { pool.refuse() }

    func close() async { await pool.close() }

    /// A query that was in the way of the replay, a lost connection: the primary answers at once.
    private func terms(_ limit: Duration) -> UnitTerms {
        var terms = UnitTerms(kind: .read, urgency: .interactive, limit: limit)
        terms.isRepeated = false
        return terms
    }
}
