// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Any first call creates its install", .timeLimit(.minutes(1)))
struct InstallStoreTests {
    @Test("The first open creates the install and its profile")
    func create() async throws {
        let store = try await TestStore()
        var device = DeviceFacts()
        device.appVersion = "1.2.0"
        device.storeCountry = "JP"

        let install = try await store.open(.mayasPhone, device: device, attributes: ["age": .number(31)])

        #expect(install.profileID == ProfileID("i_" + install.id.rawValue))
        #expect(install.epoch == store.mark.epoch)
        #expect(install.device.appVersion == "1.2.0")
        #expect(install.device.storeCountry == "JP")
        #expect(install.attributes == ["age": .number(31)])
        #expect(install.createdAtMs == TestStore.noon)
        #expect(install.installedAtMs == TestStore.noon)
        #expect(!install.isReinstall)
        #expect(install.attribution(nowMs: TestStore.noon) == .unavailable(.noToken))
        #expect(try await store.installs.install(TestStore.app, install.id) == install)
    }

    @Test("Another secret for a known id is refused by every call, and changes nothing")
    func mismatch() async throws {
        let store = try await TestStore()
        let install = try await store.open(.mayasPhone)
        let impostor = Credential.mayasPhone.impostor, app = TestStore.app, now = TestStore.noon + 9 * TestStore.hour

        await #expect(throws: InstallError.profileMismatch) { try await store.open(impostor, token: .value("t"), nowMs: now) }
        await #expect(throws: InstallError.profileMismatch) { try await store.install(impostor) }
        await #expect(throws: InstallError.profileMismatch) {
            try await store.installs.report(app, impostor, .value("t"), nowMs: now)
        }
        await #expect(throws: InstallError.profileMismatch) {
            try await store.installs.record(
                app, impostor, AttributionClaim(key: "k", source: "x", status: .organic), nowMs: now)
        }
        await #expect(throws: InstallError.profileMismatch) {
            try await store.installs.change(app, impostor, AttributeChanges(key: "k", attributes: [:]), nowMs: now)
        }
        await #expect(throws: InstallError.profileMismatch) {
            try await store.installs.identify(
                app, impostor, Identification(key: "k", customerID: "c", isVerified: true), nowMs: now)
        }
        await #expect(throws: InstallError.profileMismatch) {
            try await store.installs.logOut(app, impostor, key: "k", nowMs: now)
        }
        await #expect(throws: InstallError.profileMismatch) {
            try await store.events.record(EventBatch(events: []), app, impostor, nowMs: now)
        }
        #expect(try await store.install(.mayasPhone) == install)
    }

    @Test("An install is read with each of its facts once, however many tokens it has sent", arguments: [0, 1, 5])
    func facts(count: Int) async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone, token: .value("t1"), attributes: ["plan": .string("gold")])
        try await store.open(.mayasPhone, token: .value("t2"), nowMs: TestStore.noon + 1)
        let sources = (0..<count).map { AttributionSource("source-\($0)") }
        for source in sources {
            _ = try await store.installs.record(
                TestStore.app, .mayasPhone,
                AttributionClaim(key: IdempotencyKey(source.rawValue), source: source, status: .organic), nowMs: TestStore.noon + 2)
        }

        let install = try await store.install(.mayasPhone)

        #expect(Set(install.facts.map(\.source)) == Set(sources) && install.facts.count == count)
        #expect(install.attributes == ["plan": .string("gold")])
        #expect(install.exchange?.tokenHash == TokenHash(of: "t2"))
    }

    @Test("The same id in another app is a different install")
    func apps() async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone, attributes: ["plan": .string("gold")])

        let other = try await store.installs.install(AppID("com.example.other"), .mayasPhone.impostor, nowMs: TestStore.noon)

        #expect(other.attributes.isEmpty)
    }

    @Test("A wiped server heals itself, and its newer epoch wins")
    func heal() async throws {
        let old = try await TestStore(createdAtMs: TestStore.noon)
        let before = try await old.installs.logOut(TestStore.app, .mayasPhone, key: "k", nowMs: TestStore.noon)
        let new = try await TestStore(createdAtMs: TestStore.noon + TestStore.hour)

        let after = try await new.install(.mayasPhone)

        #expect(after.epoch > before.epoch)
        #expect(after.id == before.id)
    }

    @Test("An open that changes nothing is not written before an hour has passed", .embedded("commits are counted"))
    func quietOpen() async throws {
        let store = try await TestStore()
        var device = DeviceFacts()
        device.locale = "ja-JP"
        device.installedAgeMilliseconds = 5_000
        try await store.open(.mayasPhone, token: .value("t"), device: device, attributes: ["a": .bool(true)])
        let commits = store.commitCount

        for later in [1, 1_000, TestStore.hour - 1] {
            try await store.open(
                .mayasPhone, token: .value("t"), device: device, attributes: ["a": .bool(true)], nowMs: TestStore.noon + later
            )
        }
        #expect(store.commitCount == commits)

        let seen = try await store.open(.mayasPhone, token: .coming, nowMs: TestStore.noon + TestStore.hour)
        #expect(store.commitCount == commits + 1)
        #expect(seen.lastSeenAtMs == TestStore.noon + TestStore.hour)
        #expect(seen.device.locale == "ja-JP")
    }

    @Test("A visit that is stored writes one narrow row, and not the install's")
    func visit() async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone)
        let before = store.database.recorded.count

        try await store.open(.mayasPhone, nowMs: TestStore.noon + TestStore.hour)

        let writes = store.database.recorded.dropFirst(before).map(\.statement.text).filter { !$0.hasPrefix("SELECT") }
        #expect(writes.count == 1)
        #expect(writes.first?.hasPrefix("INSERT INTO install_seen") == true)
        #expect(try await store.install(.mayasPhone).lastSeenAtMs == TestStore.noon + TestStore.hour)
    }

    @Test("Reading never writes if the install is known", .embedded("commits are counted"))
    func reading() async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone)
        let commits = store.commitCount

        _ = try await store.installs.install(TestStore.app, .mayasPhone, nowMs: TestStore.noon + 99 * TestStore.hour)

        #expect(store.commitCount == commits)
    }

    @Test("A thousand opens of one phone at once make one install")
    func concurrentOpens() async throws {
        let store = try await TestStore()

        let installs = try await withThrowingTaskGroup(of: Install.self) { group in
            for _ in 0..<1_000 { group.addTask { try await store.open(.mayasPhone, token: .value("t")) } }
            return try await group.reduce(into: Set<Install>()) { $0.insert($1) }
        }

        #expect(Set(installs.map(\.profileID)).count == 1)
        #expect(try await store.count(of: "install") == 1)
        #expect(try await store.count(of: "job") == 1)
    }

    @Test("A device that had the app before is a reinstall, linked to its first install")
    func reinstall() async throws {
        let store = try await TestStore()
        var device = DeviceFacts()
        device.deviceId = "device-1"
        let first = try await store.open(.mayasPhone, device: device)

        let second = try await store.open(.mayasTablet, device: device)

        #expect(!first.isReinstall)
        #expect(second.isReinstall)
        #expect(second.firstInstallID == first.id)
        #expect(second.isReinstall)
        #expect(try await !store.open(.mayasPhone, device: device, nowMs: TestStore.noon + 2 * TestStore.hour).isReinstall)
    }

    @Test(
        "The app may be older than its first launch with Landfall",
        arguments: [
            (nil, 0), (0, 0), (59_999, 0), (60_000, 60_000), (86_400_000, 86_400_000), (-5, 0), (Int64.max, 20 * 366 * 86_400_000),
        ] as [(Int64?, Int64)])
    func installedAge(said: Int64?, counted: Int64) async throws {
        let store = try await TestStore()
        var device = DeviceFacts()
        device.installedAgeMilliseconds = said

        let install = try await store.open(.mayasPhone, device: device)

        #expect(install.installedAtMs == TestStore.noon - counted)
        #expect(install.firstOpenAtMs == TestStore.noon - counted)
    }

    @Test("A phone's report about the time before Landfall counts from its first call, however often it is repeated")
    func installedAgeAgain() async throws {
        let store = try await TestStore()
        var device = DeviceFacts()
        device.installedAgeMilliseconds = 86_400_000
        try await store.open(.mayasPhone, device: device)

        let later = try await store.open(.mayasPhone, device: device, nowMs: TestStore.noon + 48 * TestStore.hour)

        #expect(later.installedAtMs == TestStore.noon - 86_400_000)
    }

    @Test("A field that the phone leaves out keeps its value, a long one is cut")
    func deviceFacts() async throws {
        let store = try await TestStore()
        var device = DeviceFacts()
        device.storeCountry = "FR"
        device.osVersion = "18.1"
        try await store.open(.mayasPhone, device: device)
        var news = DeviceFacts()
        news.osVersion = String(repeating: "9", count: 500)

        let install = try await store.open(.mayasPhone, device: news)

        #expect(install.device.storeCountry == "FR")
        #expect(install.device.osVersion?.utf8.count == Limits.deviceText)
        #expect(try await store.open(.mayasPhone, device: news) == install)
    }
}
