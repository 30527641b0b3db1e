// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire
import Synchronization

/// A password that somebody gives for an account.
struct PasswordTry: Sendable {
    let email: MemberEmail
    /// Nil if the address tells nobody apart.
    let network: ClientNetwork?
    /// Written if the password is wrong.
    let line: AuditLine
}

/// Limits how often a password may be wrong: ten times within 15 minutes for an account, and for a network. All nodes count together, in
/// the store, so a restart ends no pause.
///
/// No address is stored: an HMAC chooses one of 16,384 counters, so that the table never grows. Its key is the store's own id, which no
/// answer contains. Accounts that do not exist count like others.
///
/// A failure that cannot be stored, because the disk takes no writes, counts in this node's memory until its window ends. Its caller gets
/// the store's error, whether the password was right or wrong.
struct SignInLimits: Sendable {
    static let windowMs: Int64 = 15 * 60_000
    static let most: Int64 = 10
    /// The failures of a window that the audit log tells one by one: many networks together cannot fill the store.
    static let mostLogged: Int64 = 500
    private static let places: UInt64 = 16_384
    /// The counter of the failures that were logged.
    private static let logged: Int64 = -1
    /// A counter that ends later is left from a clock that was ahead.
    fileprivate static let latestMs = windowMs + 10_000

    enum Verdict: Hashable, Sendable {
        case right, wrong
        /// There were too many wrong ones: this one is answered as wrong, whatever it is.
        case paused(seconds: Int)
    }

    let database: any Database
    let app: AppID
    private let unstored = UnstoredFailures()

    init(database: any Database, app: AppID) { (self.database, self.app) = (database, app) }

    /// - Parameter isRight: compares the password. It is not called in a pause, and if it throws, nothing is counted.
    func judge(_ password: PasswordTry, nowMs: Int64, isRight: () async throws -> Bool) async throws -> Verdict {
        let unstored = unstored.counters(nowMs: nowMs)
        let before = try await database.read { [self] in try counters(password, unstored, nowMs: nowMs, $0) }
        if let endMs = before.endMs { return .paused(seconds: LimitReached.seconds(from: nowMs, to: endMs)) }
        let isRight = try await isRight()
        do { return try await counted(password, isRight: isRight, nowMs: nowMs) } catch {
            if !isRight { self.unstored.count(before.places, nowMs: nowMs) }
            throw error
        }
    }

    /// Looks again, because others were compared meanwhile: of many at once, only those count as compared that come before the last one
    /// that may be wrong. A right one is looked at in the same way, so that it takes as long and fails as often.
    private func counted(_ password: PasswordTry, isRight: Bool, nowMs: Int64) async throws -> Verdict {
        let entry = password.line.insertion(into: app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)
        let lock = RowLock("sign_in_failure", ["app_id": .text(app.rawValue)]), unstored = unstored.counters(nowMs: nowMs)
        return try await database.write(.interactive, locking: [lock]) { [self] connection in
            let counters = try counters(password, unstored, nowMs: nowMs, connection)
            if let endMs = counters.endMs { return .paused(seconds: LimitReached.seconds(from: nowMs, to: endMs)) }
            guard !isRight else { return .right }
            let isLogged = (counters.found[Self.logged]?.failures ?? 0) < Self.mostLogged
            let places = counters.places.sorted() + (isLogged ? [Self.logged] : [])
            let rows = places.map { counters.found[$0, default: Counter(nowMs: nowMs)].next.row($0, of: app) }
            try connection.batch(rows + (isLogged ? [entry] : []))
            return .wrong
        }
    }

    private struct Counters {
        /// Of the account and of the network.
        let places: Set<Int64>
        /// Those that have not ended, by place.
        let found: [Int64: Counter]
        let unstored: [Int64: Counter]

        /// When another password may be compared; nil: now.
        var endMs: Int64? {
            places.compactMap { place in
                let all = [found[place], unstored[place]].compactMap(\.self)
                return all.reduce(0) { $0 + $1.failures } >= SignInLimits.most ? all.map(\.endsAtMs).max() : nil
            }.max()
        }
    }

    fileprivate struct Counter {
        var failures: Int64
        let endsAtMs: Int64

        init(failures: Int64, endsAtMs: Int64) { (self.failures, self.endsAtMs) = (failures, endsAtMs) }
        /// Begins with the first failure.
        init(nowMs: Int64) { self.init(failures: 0, endsAtMs: nowMs + SignInLimits.windowMs) }

        var next: Counter { Counter(failures: failures + 1, endsAtMs: endsAtMs) }

        func row(_ place: Int64, of app: AppID) -> Statement {
            Statement(
                """
                INSERT INTO sign_in_failure (app_id, place, failures, ends_at_ms) VALUES ($1, $2, $3, $4)
                ON CONFLICT (app_id, place) DO UPDATE SET failures = excluded.failures, ends_at_ms = excluded.ends_at_ms
                """, [.text(app.rawValue), .integer(place), .integer(failures), .integer(endsAtMs)])
        }
    }

    private func counters(
        _ password: PasswordTry, _ unstored: [Int64: Counter], nowMs: Int64, _ connection: any ReadConnection
    ) throws -> Counters {
        let store = try connection.row("SELECT store_id FROM store WHERE name = $1", [.text("self")])?.text("store_id") ?? ""
        let account = Self.place(of: [1] + Array(password.email.text.utf8), store)
        let network = password.network.map { Self.place(of: [2] + $0.bytes, store) } ?? account
        let found = try connection.rows(
            """
            SELECT place, failures, ends_at_ms FROM sign_in_failure
            WHERE app_id = $1 AND place IN ($2, $3, $4) AND ends_at_ms > $5 AND ends_at_ms <= $6
            """,
            [
                .text(app.rawValue), .integer(account), .integer(network), .integer(Self.logged), .integer(nowMs),
                .integer(nowMs + Self.latestMs),
            ]
        ).map { (try $0.integer(0), Counter(failures: try $0.integer(1), endsAtMs: try $0.integer(2))) }
        return Counters(places: [account, network], found: Dictionary(found) { first, _ in first }, unstored: unstored)
    }

    private static func place(of key: [UInt8], _ store: String) -> Int64 {
        var code = KeyedCode(key: Array(store.utf8.prefix(64)))
        code.add(key)
        return Int64(UInt64(bitPattern: code.number) % places)
    }
}

/// Failures that the store did not take. One counter for each place at most, so the memory is bounded.
private final class UnstoredFailures: Sendable {
    private let state = Mutex<[Int64: SignInLimits.Counter]>([:])

    /// Those that have not ended.
    func counters(nowMs: Int64) -> [Int64: SignInLimits.Counter] {
        state.withLock { state in
            if !state.isEmpty { state = state.filter { (nowMs + 1...nowMs + SignInLimits.latestMs).contains($0.value.endsAtMs) } }
            return state
        }
    }

    func count(_ places: Set<Int64>, nowMs: Int64) {
        state.withLock { for place in places { $0[place] = $0[place, default: SignInLimits.Counter(nowMs: nowMs)].next } }
    }
}
