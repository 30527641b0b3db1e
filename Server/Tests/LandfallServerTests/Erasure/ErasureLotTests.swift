// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallSQLite
@testable import LandfallServer
@testable import LandfallStore

@Suite("The transactions of an erasure", .timeLimit(.minutes(1)))
struct ErasureLotTests {
    /// Changed rows, with what is read and marked besides.
    private static let mostRows = 2 * Int(ErasureUnit.mostRows)
    private static let time = ServerTime(nowMs: { TestStore.noon }, sleep: { _ in })

    private static func erasing(_ database: any Database) -> Eraser {
        Eraser(database: database, app: TestStore.app, time: time, counts: RollupErasure())
    }

    /// Installs of a device that had the app before.
    private static func reinstall(_ count: Int, after first: Credential, in store: TestStore) async throws {
        try await store.engine.write(.bulk, locking: []) { connection in
            for number in 0..<count {
                try connection.run(
                    """
                    INSERT INTO install (app_id, install_id, secret_hash, profile_id, epoch, version, attribution_version, is_reinstall,
                      first_install_id, created_at_ms, installed_at_ms)
                    VALUES ($1, $2, $3, $4, 1, 1, 0, 1, $5, $6, $6)
                    """,
                    [
                        .text(TestStore.app.rawValue), .text("0199b0a0-0000-7000-8000-\(100_000_000_000 + number)"), .blob([1]),
                        .text("p\(number)"), .text(first.installID.rawValue), .integer(TestStore.noon + 1),
                    ])
            }
        }
    }

    private static func expectBounded(_ database: MeasuredDatabase, count: Int) {
        #expect(database.writes.count >= count)
        for write in database.writes { #expect(write.statements <= mostRows && write.rows <= mostRows, "\(write)") }
    }

    @Test("are small also where a device has 2,000 reinstalls, and all of them forget the first one", arguments: [false, true])
    func reinstalls(isExpired: Bool) async throws {
        let store = try await TestStore(), database = MeasuredDatabase(store.engine)
        try await store.open(.mayasPhone)
        try await Self.reinstall(2_000, after: .mayasPhone, in: store)

        if isExpired {
            let later = ServerTime(nowMs: { TestStore.noon + 1 }, sleep: { _ in })
            let retention = InstallRetention(database: database, app: TestStore.app, time: later, counts: RollupErasure())
            while try await retention.forgetInstalls(before: TestStore.noon + 1).isMore {}
        } else {
            let answer = try await Self.erasing(database).erase(.install(Credential.mayasPhone.installID))
            #expect(answer.isGoingOn == nil && answer.installs == 1)
        }

        Self.expectBounded(database, count: 10)
        let left = "install WHERE first_install_id IS NOT NULL OR install_id = '\(Credential.mayasPhone.installID)'"
        #expect(try await store.count(of: left) == 0)
        #expect(try await store.count(of: "install") == 2_000)
        #expect(try await store.count(of: "install_seen") == 0)
        #expect(try await store.count(of: "report_dirty WHERE report = 'install'") == 2_000)
        #expect(try await store.count(of: "job") == 0)
    }

    @Test("are small also where many installs showed a person's profile, or have many rows")
    func installs() async throws {
        let store = try await TestStore(), database = MeasuredDatabase(store.engine)
        let person = Identification(key: "proven", customerID: "maya", isVerified: true)
        for number in 10..<60 {
            let phone = Credential.phone("0199b0a0-0000-7000-8000-0000000000\(number)", secret: 1)
            try await store.open(phone)
            _ = try await store.installs.identify(TestStore.app, phone, person, nowMs: TestStore.noon)
            let events = (0..<50).map { _ in Event(id: UUIDv7.make(nowMs: 1), type: .paywallShown, ageMilliseconds: 0) }
            _ = try await store.events.record(EventBatch(events: events), TestStore.app, phone, nowMs: TestStore.noon)
            // Half of them leave it again.
            if number.isMultiple(of: 2) { _ = try await store.installs.logOut(TestStore.app, phone, key: "out", nowMs: TestStore.noon) }
        }

        let answer = try await Self.erasing(database).erase(.customer("maya"))

        Self.expectBounded(database, count: 10)
        #expect((answer.installs, answer.rows["event"], answer.isGoingOn) == (25, 2_500, nil))
        for table in ["customer", "event", "job"] { #expect(try await store.count(of: table) == 0) }
        #expect(try await store.count(of: "install") == 25)
    }

    @Test("find every profile that an install has left, however many they are", arguments: [false, true])
    func leftProfiles(isExpired: Bool) async throws {
        let store = try await TestStore(), database = MeasuredDatabase(store.engine)
        try await store.open(.mayasPhone)
        for number in 0..<80 {
            let changes = AttributeChanges(key: IdempotencyKey("a\(number)"), attributes: ["of": .string("maya")])
            _ = try await store.installs.change(TestStore.app, .mayasPhone, changes, nowMs: TestStore.noon)
            _ = try await store.installs.logOut(TestStore.app, .mayasPhone, key: IdempotencyKey("o\(number)"), nowMs: TestStore.noon)
        }
        let before = try await store.count(of: "profile")

        if isExpired {
            let retention = InstallRetention(database: database, app: TestStore.app, time: Self.time, counts: RollupErasure())
            while try await retention.forgetInstalls(before: TestStore.noon + 1).isMore {}
        } else {
            _ = try await Self.erasing(database).erase(.install(Credential.mayasPhone.installID))
        }

        #expect(before == 80)
        for table in ["install", "profile", "former_profile", "job"] { #expect(try await store.count(of: table) == 0) }
        Self.expectBounded(database, count: 4)
    }

    @Test("reach an install that logs out between them: it is erased with the profile that it shows then")
    func logOutMeanwhile() async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone)
        let interrupted = InterruptedDatabase(base: store.engine, beforeWrite: 2) {
            _ = try await store.installs.logOut(TestStore.app, .mayasPhone, key: "out", nowMs: TestStore.noon)
        }

        _ = try await Self.erasing(interrupted).erase(.mayasPhone)

        for table in ["install", "profile", "former_profile", "job"] { #expect(try await store.count(of: table) == 0) }
        await #expect(throws: InstallError.profileErased) { try await store.open(.mayasPhone) }
    }

    @Test("are bulk work after the first one, which cuts the install off; if the store has too much bulk work, a job does the rest")
    func busy() async throws {
        let store = try await TestStore(), database = MeasuredDatabase(store.engine)
        try await store.open(.mayasPhone)
        for _ in 0..<3 {
            let events = (0..<400).map { _ in Event(id: UUIDv7.make(nowMs: 1), type: .paywallShown, ageMilliseconds: 0) }
            _ = try await store.events.record(EventBatch(events: events), TestStore.app, .mayasPhone, nowMs: TestStore.noon)
        }
        let erasing = Self.erasing(database), install = Credential.mayasPhone.installID

        database.refuseBulk(true)
        let answer = try await erasing.erase(.install(install))
        let left = try await (store.count(of: "event"), store.count(of: "install"), store.count(of: "erased_install"))
        database.refuseBulk(false)
        let job = Job(
            name: JobName(app: TestStore.app, kind: .erasure, key: ErasureSubject.install(install).key), install: nil, payload: "",
            attempts: 1, createdAtMs: 0, leaseUntilMs: 0)
        let step = try await erasing.work.attempt(job)

        #expect(answer.isGoingOn == true && answer.installs == 1)
        #expect(left.0 > 0 && left.1 == 0 && left.2 == 1)
        #expect(database.writes.map(\.urgency).prefix(2) == [.interactive, .bulk])
        #expect(step == .done)
        #expect(try await store.count(of: "event") == 0)
    }
}
