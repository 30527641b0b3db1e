// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallStore
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer

@Suite("Computed days after an erasure", .timeLimit(.minutes(1)))
struct RollupErasureTests {
    private static let later = TestStore.noon + 5_000

    private static func work(_ store: TestStore, testDevice: Credential? = nil) -> RollupWork {
        var configuration = Configuration.sample()
        configuration.app = App(id: TestStore.app, name: "", bundleID: "", teamID: nil, scheme: nil, appStoreID: nil)
        configuration.testDevices = testDevice.map { [TestDevice(name: "phone", install: $0.installID)] } ?? []
        return RollupWork(
            database: store.database, configuration: LiveConfiguration(Snapshot(configuration, revision: 1)),
            time: ServerTime(nowMs: { later }, sleep: { _ in }))
    }

    private static func show(_ store: TestStore, _ phone: Credential, nowMs: Int64) async throws {
        let shown = Event(id: UUIDv7.make(nowMs: nowMs), type: .paywallShown, ageMilliseconds: 0)
        _ = try await store.events.record(EventBatch(events: [shown]), TestStore.app, phone, nowMs: nowMs)
    }

    private static func erase(_ store: TestStore, _ phone: Credential) async throws {
        let time = ServerTime(nowMs: { later }, sleep: { _ in })
        _ = try await Eraser(database: store.database, app: TestStore.app, time: time, counts: RollupErasure()).erase(.install(phone.installID))
    }

    private static func recount(_ store: TestStore, _ work: RollupWork) async throws -> RollupRecount.Differences {
        let state = try #require(try await store.database.read { try RollupState.load(TestStore.app, $0) })
        let recount = RollupRecount(settling: work.settling(work.configuration.snapshot, state), generation: try #require(state.serving))
        return try await recount.recount(TestStore.noon / Retention.dayMs, nowMs: later)
    }

    /// First opens, reinstalls, installs that saw a paywall first, and exposures.
    private static func counts(_ store: TestStore, _ work: RollupWork) async throws -> [Int64?] {
        let snapshot = work.configuration.snapshot
        let state = try #require(try await store.database.read { try RollupState.load(TestStore.app, $0) })
        let days = try ReportDays(from: nil, to: nil, nowMs: later)
        let campaigns = try #require(
            try await CampaignReport(days: days, by: [], metrics: []).sheet(ReportStore(store.database), snapshot, state, nowMs: later))
        let paywalls = try await PaywallReport(days: days, by: [], metrics: []).sheet(store.database, snapshot, state, nowMs: later)
        return [campaigns.total(.firstOpens), campaigns.total(.reinstalls)]
            + [paywalls.total(.shown), paywalls.total(.exposures)]
    }

    @Test("still take the second install of a device for a reinstall when the first one is forgotten")
    func reinstall() async throws {
        let store = try await TestStore(), work = Self.work(store)
        var device = DeviceFacts()
        device.deviceId = "device"
        for phone in [Credential.mayasPhone, .mayasTablet] { try await store.open(phone, device: device) }
        while try await work.step() {}
        let before = try await Self.counts(store, work)

        try await Self.erase(store, .mayasPhone)
        try await Self.show(store, .mayasTablet, nowMs: Self.later)
        while try await work.step() {}

        #expect(before == [1, 1, 0, 0])
        #expect(try await Self.counts(store, work) == [1, 1, 1, 1])
        #expect(try await Self.recount(store, work) == RollupRecount.Differences())
    }

    @Test("have no exposures of the person any more, and a recount finds nothing")
    func exposures() async throws {
        let store = try await TestStore(), work = Self.work(store)
        for phone in [Credential.mayasPhone, .omarsPhone] {
            try await store.open(phone)
            try await Self.show(store, phone, nowMs: TestStore.noon + 1)
        }
        while try await work.step() {}
        let before = try await Self.counts(store, work)

        try await Self.erase(store, .mayasPhone)
        while try await work.step() {}

        #expect(before == [2, 0, 2, 2])
        #expect(try await Self.counts(store, work) == [2, 0, 1, 1])
        #expect(try await Self.recount(store, work) == RollupRecount.Differences())
    }

    /// - Parameter isFirst: no days were computed before.
    @Test("count an install that is erased before it is computed", arguments: [false, true])
    func notComputed(isFirst: Bool) async throws {
        let store = try await TestStore(), work = Self.work(store)
        try await store.open(.omarsPhone)
        if !isFirst { while try await work.step() {} }
        try await store.open(.mayasPhone)
        try await Self.show(store, .mayasPhone, nowMs: TestStore.noon + 1)

        try await Self.erase(store, .mayasPhone)
        while try await work.step() {}

        #expect(try await Self.counts(store, work) == [2, 0, 0, 0])
        #expect(try await Self.recount(store, work) == RollupRecount.Differences())
        let cells = try await StoredCells(store.database)
        #expect(cells.places(of: [Credential.mayasPhone.installID.rawValue]) == [])
    }

    @Test("count an erased install by what was learned of it last")
    func learned() async throws {
        let store = try await TestStore(), work = Self.work(store)
        for phone in [Credential.mayasPhone, .omarsPhone] { try await store.open(phone) }
        while try await work.step() {}
        let claim = AttributionClaim(key: "c", source: "tenjin", status: .nonOrganic)
        _ = try await store.installs.record(TestStore.app, .mayasPhone, claim, nowMs: TestStore.noon + 1)

        try await Self.erase(store, .mayasPhone)
        while try await work.step() {}

        let state = try #require(try await store.database.read { try RollupState.load(TestStore.app, $0) })
        let report = CampaignReport(days: try ReportDays(from: nil, to: nil, nowMs: Self.later), by: [], metrics: [])
        let campaigns = try #require(
            try await report.sheet(ReportStore(store.database), work.configuration.snapshot, state, nowMs: Self.later))
        #expect([campaigns.total(.firstOpens), campaigns.total(.attributed)] == [2, 1])
        #expect(try await Self.recount(store, work) == RollupRecount.Differences())
    }

    @Test("do not count the reinstall of a test device that is erased before it is computed")
    func testDevice() async throws {
        let store = try await TestStore(), work = Self.work(store, testDevice: .mayasPhone)
        var device = DeviceFacts()
        device.deviceId = "device"
        try await store.open(.mayasPhone, device: device)
        try await store.open(.omarsPhone)
        while try await work.step() {}
        try await store.open(.mayasTablet, device: device)

        try await Self.erase(store, .mayasTablet)
        while try await work.step() {}

        #expect(try await Self.counts(store, work) == [1, 0, 0, 0])
    }

    /// - Parameter isSeenAgain: on later days, also after the erasure and before it is counted.
    @Test("count what another install keeps of its time with the person's profile", arguments: [false, true])
    func former(isSeenAgain: Bool) async throws {
        try await TestServer.runErasing { server in
            let phone = Phone()
            func shown(_ number: Int) -> String {
                #"{"events":[{"id":"0198f0c2-7b1a-7c3d-8e4f-00000000000\#(number)","type":"paywall_shown","ageMilliseconds":0,"placement":"onboarding","paywall":"default"}]}"#
            }
            func found() async throws -> [Double?] {
                let reports = server.services.reports, snapshot = server.services.snapshot
                let moment = try await reports.moment(snapshot)
                let request = ReportRequest(.paywalls(by: []), try moment.days(9, endingOn: moment.today))
                let document = try await reports.answer(request, snapshot, at: moment).document()
                return ["shown", "exposures"].map { document.totals[$0] ?? nil }
            }
            let rollups = server.services.rollups
            _ = try await server.firstOpen("{}", phone: phone)
            _ = try await server.send(.post, WirePath.events, shown(1), phone: phone)
            _ = try await server.send(.post, WirePath.logout, #"{"key":"out"}"#, phone: phone)
            if isSeenAgain { server.clock.advance(by: .seconds(100_000)) }
            _ = try await server.send(.post, WirePath.events, shown(2), phone: phone)
            while try await rollups.step() {}
            let before = try await found()

            _ = try await server.erase(#"{"profileId":"\#(ProfileID.first(of: InstallID(phone.id)))"}"#)
            if isSeenAgain {
                server.clock.advance(by: .seconds(100_000))
                _ = try await server.send(.post, WirePath.events, shown(3), phone: phone)
            }
            while try await rollups.step() {}
            let days = try ReportDays(from: nil, to: nil, nowMs: server.services.time.nowMs())
            let rebuilt = try await rollups.rebuild(days, mostDays: 400)

            #expect(before == [1, 2])
            #expect(try await found() == [1, isSeenAgain ? 2 : 1])
            #expect((rebuilt.installs, rebuilt.changedDays) == (0, 0))
        }
    }
}
