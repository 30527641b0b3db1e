// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// On an engine with several writers another unit may commit in the middle of one. InterleavingTests has the locks themselves.
@Suite(
    "A unit that another one overtakes", .embedded("the other unit's statements are put into this one's transaction"), .timeLimit(.minutes(1)))
struct OvertakenUnitTests {
    private static let app = TestStore.app, now = TestStore.noon

    private static func erasing(_ subject: ErasureSubject) -> @Sendable (any WriteConnection) throws -> Void {
        { connection in
            var unit = ErasureUnit(app: app, nowMs: now, reportStamp: 1, counts: RollupErasure(), connection: connection)
            _ = try unit.step(subject)
        }
    }

    private static func installs(_ store: TestStore, _ database: any Database) -> SQLInstallStore {
        SQLInstallStore(database, store.mark)
    }

    private static func device(_ id: String) -> DeviceFacts {
        var device = DeviceFacts()
        device.deviceId = id
        return device
    }

    @Test("does not join a profile that was erased while it waited for its lock")
    func joins() async throws {
        let store = try await TestStore()
        let person = Identification(key: "i", customerID: "maya", isVerified: true)
        let profile = try await store.installs.identify(Self.app, .mayasPhone, person, nowMs: Self.now).profileID
        let database = OvertakenDatabase(
            base: store.engine, at: .lock(.profile(profile, in: Self.app)), Self.erasing(.profile(profile)))

        let tablet = try await Self.installs(store, database).identify(Self.app, .mayasTablet, person, nowMs: Self.now)

        #expect(database.isOvertaken)
        #expect(tablet.profileID == .first(of: tablet.id) && tablet.customerID == "maya")
        #expect(try await store.count(of: "profile WHERE profile_id = '\(profile.rawValue)'") == 0)
        #expect(try await store.count(of: "customer WHERE profile_id = '\(tablet.profileID.rawValue)'") == 1)
    }

    @Test("does not make an erased profile again")
    func attributes() async throws {
        let store = try await TestStore()
        let profile = try await store.open(.mayasPhone, attributes: ["plan": .string("gold")]).profileID
        let database = OvertakenDatabase(base: store.engine, at: .change(of: "profile"), Self.erasing(.profile(profile)))
        let changes = AttributeChanges(key: "a", attributes: ["plan": .string("silver")])

        await #expect(throws: InstallError.profileErased) {
            _ = try await Self.installs(store, database).change(Self.app, .mayasPhone, changes, nowMs: Self.now)
        }

        #expect(database.isOvertaken)
        #expect(try await store.count(of: "profile") == 0)
        #expect(try await store.count(of: "install") == 0)
    }

    @Test("releases a reinstall also if a call of that one was in the way")
    func releases() async throws {
        let store = try await TestStore(), first = Credential.mayasPhone.installID
        try await store.open(.mayasPhone, device: Self.device("d"))
        let before = try await store.open(.mayasTablet, device: Self.device("d"))
        let unit = InstallUnit(
            Self.app, Credential.mayasTablet.installID, .mayasTablet, storeEpoch: store.mark.epoch, nowMs: Self.now)
        let database = OvertakenDatabase(base: store.engine, at: .lock(.install(unit.id, in: Self.app))) { connection in
            var record = try InstallRecord(unit, asking: InstallQuestions(), from: connection)
            record.install.device.appVersion = "2.0"
            try record.write(to: connection)
        }

        try await database.write(.bulk, locking: ErasureSubject.install(first).locks(in: Self.app), Self.erasing(.install(first)))

        let after = try await store.install(.mayasTablet)
        #expect(database.isOvertaken && before.firstInstallID == first)
        #expect(after.device.appVersion == "2.0" && after.firstInstallID == nil && after.isReinstall)
    }

    @Test("names no first install of its device that was erased while it waited for its lock")
    func reinstalls() async throws {
        let store = try await TestStore(), first = Credential.mayasPhone.installID
        try await store.open(.mayasPhone, device: Self.device("d"))
        let database = OvertakenDatabase(base: store.engine, at: .lock(.install(first, in: Self.app)), Self.erasing(.install(first)))

        let tablet = try await Self.installs(store, database)
            .open(Self.app, .mayasTablet, Opening(device: Self.device("d"), adToken: .none(.noToken)), nowMs: Self.now).install

        #expect(database.isOvertaken)
        #expect(tablet.firstInstallID == nil && !tablet.isReinstall)
    }

    @Test("answers a token at once that another install has sent meanwhile")
    func tokens() async throws {
        let store = try await TestStore()
        let job = JobName(app: Self.app, kind: .appleAds, key: TokenHash(of: "t").rawValue)
        let database = OvertakenDatabase(base: store.engine, at: .change(of: "job")) { connection in
            _ = try connection.run(job.insertion(install: Credential.mayasPhone.installID, dueAtMs: Self.now))
        }

        let install = try await Self.installs(store, database).report(Self.app, .omarsPhone, .value("t"), nowMs: Self.now)

        #expect(database.isOvertaken)
        #expect(install.exchange?.state == .unavailable(.tokenReused))
        #expect(try await store.count(of: "job") == 1)
    }

    @Test("adds its exposure to an assignment that another install of the device has stored meanwhile")
    func exposures() async throws {
        let store = try await TestStore(), experiment = ExperimentID("spring-price")
        let yaml = ExperimentServer.yaml().replacing("id: example,", with: "id: com.example.app,")
        let snapshot = Snapshot(try Configuration(yaml: yaml), revision: 1)
        try await store.open(.mayasPhone, device: Self.device("d"))
        try await store.open(.mayasTablet, device: Self.device("d"))
        let stored = UnitAssignment(
            unit: Credential.mayasPhone.installID, experiment: experiment, epoch: 1, variation: "B", bucket: 7, step: .echoed, revision: 1)
        let database = OvertakenDatabase(base: store.engine, at: .change(of: "experiment_unit")) { connection in
            _ = try connection.run(stored.insertion(in: Self.app, nowMs: Self.now))
        }
        var event = Event(id: UUIDv7.make(nowMs: Self.now), type: .paywallShown, ageMilliseconds: 5)
        event.assignment = Assignment(experiment: experiment, epoch: 1, variation: "B", bucket: 7)

        _ = try await EventStore(database, store.mark)
            .record(EventBatch(events: [event]), Self.app, .mayasTablet, by: snapshot, nowMs: Self.now)

        #expect(database.isOvertaken)
        #expect(try await store.count(of: "experiment_unit") == 1)
        #expect(try await store.count(of: "experiment_unit WHERE shown_at_ms = \(Self.now - 5)") == 1)
        #expect(try await store.count(of: "event") == 1)
    }
}
