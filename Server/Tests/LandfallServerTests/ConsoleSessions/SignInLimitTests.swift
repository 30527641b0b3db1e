// SPDX-License-Identifier: Apache-2.0
import LandfallTesting
import Testing

@testable import LandfallConsole
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Wrong passwords", .timeLimit(.minutes(1)))
struct SignInLimitTests {
    private static let now = TestStore.noon
    private static let home = ClientAddress("192.0.2.7").map { ClientNetwork(of: $0) }

    /// With an id that gives each name of these tests a counter of its own.
    private static func store() async throws -> TestStore {
        let store = try await TestStore()
        try await store.database.write { _ = try $0.run("UPDATE store SET store_id = 'store'") }
        return store
    }

    private static func limits(_ store: TestStore) -> SignInLimits { SignInLimits(database: store.database, app: TestStore.app) }

    private static func password(_ email: String, from network: ClientNetwork? = nil) -> PasswordTry {
        PasswordTry(
            email: MemberEmail(stored: email), network: network,
            line: AuditLine(action: .signInFailed, member: nil, subject: email, network: nil))
    }

    /// - Returns: how many of these were compared.
    @discardableResult
    private static func fail(
        _ count: Int, _ email: String, from network: ClientNetwork? = nil, _ limits: SignInLimits, nowMs: Int64 = now
    ) async throws -> Int {
        var compared = 0
        for _ in 0..<count {
            if try await limits.judge(password(email, from: network), nowMs: nowMs, isRight: { false }) == .wrong { compared += 1 }
        }
        return compared
    }

    @Test("Ten for an account, ten for a network; right ones do not count, and others are free")
    func limits() async throws {
        let store = try await Self.store(), limits = Self.limits(store)
        for number in 0..<10 { #expect(try await Self.fail(1, "m\(number)@example.com", from: Self.home, limits) == 1) }

        for _ in 0..<20 {
            #expect(try await limits.judge(Self.password("maya@example.com"), nowMs: Self.now + 1, isRight: { true }) == .right)
        }
        let fromHome = Self.password("maya@example.com", from: Self.home)
        let paused = try await limits.judge(fromHome, nowMs: Self.now + 1) {
            Issue.record("compared in a pause")
            return true
        }
        #expect(paused == .paused(seconds: 900))
        #expect(try await Self.fail(11, "maya@example.com", limits) == 10)
        #expect(try await limits.judge(fromHome, nowMs: Self.now + SignInLimits.windowMs, isRight: { true }) == .right)
        #expect(try await store.count(of: "audit_entry") == 20)
    }

    @Test("count together on all nodes, and after a restart")
    func nodes() async throws {
        let store = try await Self.store()
        try await Self.fail(6, "maya@example.com", Self.limits(store))

        #expect(try await Self.fail(6, "maya@example.com", Self.limits(store)) == 4)
    }

    @Test("count on the node while the store takes no writes, with those that it took before", arguments: [0, 4])
    func refused(before: Int) async throws {
        let store = try await Self.store(), faults = StoreFaults(), compared = Count()
        let limits = SignInLimits(database: FaultyDatabase(store.database, faults), app: TestStore.app)
        try await Self.fail(before, "maya@example.com", from: Self.home, limits)
        faults.writes(.refuse(.diskLow))
        func judge(_ email: String = "maya@example.com", isRight: Bool, nowMs: Int64 = Self.now + 1) async throws -> SignInLimits.Verdict {
            try await limits.judge(Self.password(email), nowMs: nowMs) {
                compared.increment()
                return isRight
            }
        }

        for isRight in [false, true] {
            for _ in 0..<(9 - before) { await #expect(throws: DatabaseError.diskLow) { try await judge(isRight: isRight) } }
        }
        #expect(compared.value == 2 * (9 - before))
        await #expect(throws: DatabaseError.diskLow) { try await judge(isRight: false) }
        #expect(try await judge(isRight: true) == .paused(seconds: 900))
        #expect(compared.value == 2 * (9 - before) + 1)
        await #expect(throws: DatabaseError.diskLow) { try await judge("omar@example.com", isRight: false) }

        faults.heal()
        #expect(try await judge(isRight: true) == .paused(seconds: 900))
        #expect(try await judge(isRight: true, nowMs: Self.now + 1 + SignInLimits.windowMs) == .right)
    }

    @Test("that are compared at once: one takes the last place, and the others learn nothing")
    func atOnce() async throws {
        let store = try await Self.store(), limits = Self.limits(store)
        try await Self.fail(9, "maya@example.com", limits)
        let all = Meeting(of: 5)

        let verdicts = try await withThrowingTaskGroup(of: SignInLimits.Verdict.self) { group in
            for _ in 0..<5 {
                group.addTask {
                    try await limits.judge(Self.password("maya@example.com"), nowMs: Self.now) {
                        await all.arrive()
                        return false
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(verdicts.count { $0 == .wrong } == 1)
        #expect(verdicts.count { $0 == .paused(seconds: 900) } == 4)
        #expect(try await store.count(of: "audit_entry") == 10)
    }

    @Test("are counted one after the other on every node")
    func locked() async throws {
        let store = try await Self.store(), log = LockLog(store.database)

        try await Self.fail(2, "maya@example.com", SignInLimits(database: log, app: TestStore.app))

        let units = log.units(changing: "sign_in_failure")
        #expect(units.count == 2 && units.allSatisfy { $0.locks.map(\.table) == ["sign_in_failure"] })
        #expect(try await store.count(of: "sign_in_failure") == 2)
    }

    @Test("that took the last place while a right one was compared: that one is refused")
    func overtaken() async throws {
        let store = try await Self.store(), limits = Self.limits(store)
        try await Self.fail(9, "maya@example.com", limits)

        let verdict = try await limits.judge(Self.password("maya@example.com"), nowMs: Self.now) {
            try await Self.fail(1, "maya@example.com", limits)
            return true
        }

        #expect(verdict == .paused(seconds: 900))
        #expect(try await store.count(of: "audit_entry") == 10)
    }

    @Test("have at most 500 lines in the audit log within a window")
    func logged() async throws {
        let store = try await Self.store(), limits = Self.limits(store)
        try await store.database.write { connection in
            _ = try connection.run(
                "INSERT INTO sign_in_failure (app_id, place, failures, ends_at_ms) VALUES ($1, -1, $2, $3)",
                [.text(TestStore.app.rawValue), .integer(SignInLimits.mostLogged - 1), .integer(Self.now + 1)])
        }

        #expect(try await Self.fail(2, "maya@example.com", limits) == 2)
        #expect(try await store.count(of: "audit_entry") == 1)
        #expect(try await Self.fail(1, "maya@example.com", limits, nowMs: Self.now + 1) == 1)
        #expect(try await store.count(of: "audit_entry") == 2)
    }

    @Test("of a clock that was set back do not pause anybody for hours, and no address is stored")
    func clock() async throws {
        let store = try await Self.store(), limits = Self.limits(store)
        try await Self.fail(10, "maya@example.com", from: Self.home, limits)

        #expect(try await Self.fail(1, "maya@example.com", from: Self.home, limits, nowMs: Self.now - TestStore.hour) == 1)

        let rows = try await store.database.read { try $0.rows("SELECT * FROM sign_in_failure") }
        #expect(rows.count == 3)
        #expect(try rows.allSatisfy { try (-1..<16_384).contains($0.integer("place")) && $0.integer("failures") == 1 })
    }
}

/// Lets tasks go on once all of them have come.
private actor Meeting {
    private var missing: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(of count: Int) { missing = count }

    func arrive() async {
        missing -= 1
        guard missing > 0 else {
            for one in waiting { one.resume() }
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }
}
