// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("First opens by link", .timeLimit(.minutes(1)))
struct LinkDayTests {
    @Test("tell which link brought an install, beside the link's clicks: from days as from the rows")
    func links() async throws {
        let store = try await TestStore()
        var configuration = Configuration.sample()
        configuration.app = App(id: TestStore.app, name: "", bundleID: "", teamID: nil, scheme: nil, appStoreID: nil)
        let live = LiveConfiguration(Snapshot(configuration, revision: 1))
        var fact = AttributionFact(
            id: "c", source: .link, status: .nonOrganic, saidAtMs: TestStore.noon - 60_000, recordedAtMs: TestStore.noon)
        fact.link = ClickedLink(code: "go.example.com/beach", windows: AttributionWindows())
        fact.verified = true
        try await store.open(.mayasPhone, nowMs: TestStore.noon)
        try await store.open(.omarsPhone, nowMs: TestStore.noon)
        let unit = InstallUnit(
            TestStore.app, Credential.mayasPhone.installID, nil, storeEpoch: 0, nowMs: TestStore.noon)
        let claim = AttributionClaim(key: IdempotencyKey("c"), source: AttributionSource("tenjin"), status: .nonOrganic)
        _ = try await store.installs.record(TestStore.app, .omarsPhone, claim, nowMs: TestStore.noon)
        let statement = try fact.insertion(of: unit)
        let click = try ClickRow(
            id: UUIDv7.make(nowMs: TestStore.noon), atMs: TestStore.noon, kind: "person", platform: "ios", host: "go.example.com",
            path: "/beach", outcome: "store", visitor: 1, country: nil, labels: LinkLabels(), parameters: [:]
        ).insertion(into: TestStore.app)
        try await store.database.append([statement, click])

        let later = TestStore.noon + 1_000
        let work = RollupWork(database: store.database, configuration: live, time: ServerTime(nowMs: { later }, sleep: { _ in }))
        while try await work.step() {}
        let days = try ReportDays(from: nil, to: nil, nowMs: later)
        let report = CampaignReport(days: days, by: [.link], metrics: [])
        let raw = try await report.sheet(ReportStore(store.database), live.snapshot, nowMs: later)
        let state = try #require(try await store.database.read { try RollupState.load(TestStore.app, $0) })
        let computed = try #require(try await report.sheet(ReportStore(store.database), live.snapshot, state, nowMs: later))

        let beach = try #require(computed.rows[[Array("go.example.com/beach".utf8)]])
        #expect(beach[computed.layout[.firstOpens]] == 1 && beach.suffix(2) == [1, 1])
        #expect(computed.value(.firstOpens, of: [nil]) == 1)
        #expect(computed.rows == raw.rows)
        // A link's parts are read from days too, and only a source of its own has links.
        let parts = CampaignReport(days: days, by: [.source, .link], metrics: [])
        let found = try #require(try await parts.sheet(ReportStore(store.database), live.snapshot, state, nowMs: later))
        let rawParts = try await parts.sheet(ReportStore(store.database), live.snapshot, nowMs: later)
        #expect(found.rows == rawParts.rows)
        #expect(found.value(.unverified, of: [Array("link".utf8), Array("go.example.com/beach".utf8)]) == 0)
        #expect(found.value(.unverified, of: [Array("tenjin".utf8), nil]) == 1)
        #expect(found.total(.attributed) == 2 && found.total(.unverified) == 1)
    }
}
