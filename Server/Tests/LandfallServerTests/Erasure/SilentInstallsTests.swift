// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("The walk over old installs", .timeLimit(.minutes(1)))
struct SilentInstallsTests {
    private static let limitMs = TestStore.noon

    private static func id(_ number: Int) -> String { "0199b0a0-0000-7000-8000-\(100_000_000_000 + number)" }

    /// An install with its two times, counted from the limit.
    private static func add(_ id: String, opened: Int64, seen: Int64, to store: TestStore) async throws {
        try await store.engine.write(.bulk, locking: []) { connection in
            try connection.run(
                """
                INSERT INTO install (app_id, install_id, secret_hash, profile_id, epoch, version, attribution_version, is_reinstall,
                  created_at_ms, installed_at_ms)
                VALUES ($1, $2, $3, $4, 1, 1, 0, 0, $5, $5)
                """,
                [.text(TestStore.app.rawValue), .text(id), .blob([1]), .text("i_\(id)"), .integer(limitMs + opened)])
            // As the server does: an install that was not seen again has no such row.
            if seen > opened { try connection.run(InstallSeen.keeping(limitMs + seen, of: InstallID(id), in: TestStore.app)) }
        }
    }

    private static func retention(_ store: TestStore, mostSeen: Int64) -> InstallRetention {
        let app = TestStore.app
        return InstallRetention(
            database: store.engine, app: app, time: ServerTime(nowMs: { limitMs }, sleep: { _ in }), counts: RollupErasure(),
            walk: SilentInstalls(app: app, mostSeen: mostSeen))
    }

    private static func installs(in store: TestStore) async throws -> Set<String> {
        let rows = try await store.engine.read { try $0.rows("SELECT install_id FROM install") }
        return Set(try rows.map { try $0.text("install_id") })
    }

    @Test(
        "finds every silent install and no other, in slices of any size, also where installs are seen meanwhile",
        arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func all(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let store = try await TestStore(), count = 60
        var kept: Set<String> = []
        for number in 0..<count {
            // Many first opens at the same time, and some after the limit.
            let opened = Int64.random(in: -6...2, using: &random), seen = opened + Int64.random(in: 0...6, using: &random)
            try await Self.add(Self.id(number), opened: opened, seen: seen, to: store)
            if seen >= 0 { kept.insert(Self.id(number)) }
        }
        let retention = Self.retention(store, mostSeen: Int64.random(in: 1...70, using: &random)), before = kept.count

        var lots = 1
        while try await retention.forgetInstalls(before: Self.limitMs).isMore, lots < 200 {
            lots += 1
            let id = Self.id(Int.random(in: 0..<count, using: &random))
            guard try await Self.installs(in: store).contains(id) else { continue }
            try await store.engine.write(.bulk, locking: []) { connection in
                _ = try connection.run(InstallSeen.keeping(Self.limitMs, of: InstallID(id), in: TestStore.app))
            }
            kept.insert(id)
        }

        #expect(lots < 200)
        #expect(before > 0 && before < count)
        #expect(try await Self.installs(in: store) == kept)
        #expect(try await store.count(of: "install_seen WHERE install_id NOT IN (SELECT install_id FROM install)") == 0)
    }

    @Test("begins at the start again after half a day, because another node may have looked meanwhile")
    func rested() async throws {
        let store = try await TestStore(), halfDay = Retention.dayMs / 2
        try await Self.add(Self.id(1), opened: -9, seen: 1, to: store)
        try await Self.add(Self.id(2), opened: -8, seen: 2 * halfDay, to: store)
        let retention = Self.retention(store, mostSeen: 1)

        let first = try await retention.forgetInstalls(before: Self.limitMs)
        let behind = try await retention.forgetInstalls(before: Self.limitMs + halfDay - 1)
        let anew = try await retention.forgetInstalls(before: Self.limitMs + 2 * halfDay - 1)

        #expect((first.rows["install"], behind.rows["install"], anew.rows["install"]) == (nil, nil, 1))
        #expect(try await Self.installs(in: store) == [Self.id(2)])
    }

    @Test("reads the installs of its slice alone, in the order of an index", .sqlitePlans)
    func plan() async throws {
        let plan = try await TestStore().sqlitePlan(of: RetentionTexts.oldInstalls)

        #expect(plan.contains("INDEX install_by_creation (app_id=? AND (created_at_ms,install_id)>(?,?) AND created_at_ms<?)"), "\(plan)")
        #expect(plan.contains("INDEX sqlite_autoindex_install_seen_1 (app_id=? AND install_id=?)"), "\(plan)")
        #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
    }
}
