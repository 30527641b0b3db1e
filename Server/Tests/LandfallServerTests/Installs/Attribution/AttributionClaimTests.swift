// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("An app's claims about other providers", .timeLimit(.minutes(1)))
struct AttributionClaimTests {
    private func record(_ store: TestStore, _ claim: AttributionClaim, nowMs: Int64 = TestStore.noon) async throws -> Install {
        try await store.installs.record(TestStore.app, .mayasPhone, claim, nowMs: nowMs)
    }

    @Test("A claim is stored with its fields, as unverified")
    func fields() async throws {
        let store = try await TestStore()
        var claim = AttributionClaim(key: "k", source: "tenjin", status: .nonOrganic, ageMilliseconds: 1_000)
        claim.channel = "video"
        claim.campaign = "autumn"
        claim.adGroup = "g"
        claim.adSet = "s"
        claim.creative = "c"

        let install = try await record(store, claim)

        guard case .attributed(let details) = install.attribution(nowMs: TestStore.noon) else {
            Issue.record("not attributed: \(install.attribution(nowMs: TestStore.noon))")
            return
        }
        #expect(!details.verified)
        #expect(
            [details.channel, details.campaign, details.adGroup, details.adSet, details.creative] == [
                "video", "autumn", "g", "s", "c",
            ])
        #expect(details.attributedAtMilliseconds == TestStore.noon)
        #expect(install.facts.first?.saidAtMs == TestStore.noon - 1_000)
        #expect(install.appliedSources == ["tenjin"])
        #expect(install.attributionVersion == 1)
    }

    @Test("The first non-organic source stays, by the time of the statement, not of its arrival")
    func firstStays() async throws {
        let store = try await TestStore()
        _ = try await record(store, AttributionClaim(key: "1", source: "adjust", status: .nonOrganic))

        let install = try await record(
            store, AttributionClaim(key: "2", source: "tenjin", status: .nonOrganic, ageMilliseconds: 5_000))

        #expect(install.appliedSources == ["tenjin", "adjust"])
    }

    @Test(
        "Organic and unknown claims attribute nothing",
        arguments: [
            (.organic, .notAttributed), (.unknown, .unavailable(.noToken)),
        ] as [(AttributionClaim.Status, Attribution)])
    func organic(status: AttributionClaim.Status, expected: Attribution) async throws {
        let store = try await TestStore()

        let install = try await record(store, AttributionClaim(key: "1", source: "tenjin", status: status))

        #expect(install.attribution(nowMs: TestStore.noon) == expected)
        #expect(install.appliedSources.isEmpty)
    }

    @Test("The same claim at every launch is one fact, and a retry with a grown age is the same request")
    func repeated() async throws {
        let store = try await TestStore()
        let first = try await record(store, AttributionClaim(key: "1", source: "tenjin", status: .nonOrganic))

        let retried = try await record(
            store, AttributionClaim(key: "1", source: "tenjin", status: .nonOrganic, ageMilliseconds: 60_000))
        let relaunched = try await record(store, AttributionClaim(key: "2", source: "tenjin", status: .nonOrganic))

        #expect(retried == first)
        #expect(relaunched == first)
        await #expect(throws: InstallError.keyReused("1")) {
            try await record(store, AttributionClaim(key: "1", source: "tenjin", status: .organic))
        }
    }

    @Test("The server's own sources are refused", arguments: AttributionSource.reserved)
    func reserved(source: AttributionSource) async throws {
        let store = try await TestStore()

        await #expect(throws: InstallError.reservedSource(source)) {
            try await record(store, AttributionClaim(key: "1", source: source, status: .nonOrganic))
        }
    }

    @Test("A source is the same in any spelling")
    func spelling() async throws {
        let store = try await TestStore()
        _ = try await record(store, AttributionClaim(key: "1", source: "tenjin", status: .nonOrganic))

        let retried = try await record(store, AttributionClaim(key: "1", source: "Tenjin", status: .nonOrganic))

        #expect(retried.facts.map(\.source) == ["tenjin"])
    }

    @Test("Sources and fields have limits")
    func limits() async throws {
        let store = try await TestStore()
        for source in ["", "sp ace", "ü", String(repeating: "s", count: 65)] {
            let error = await #expect(throws: InstallError.self) {
                try await record(store, AttributionClaim(key: "1", source: AttributionSource(source), status: .organic))
            }
            #expect(error?.code == .invalidValue)
        }
        var claim = AttributionClaim(key: "1", source: "tenjin", status: .nonOrganic)
        claim.creative = String(repeating: "ü", count: 101)
        let tooLong = claim
        await #expect(throws: InstallError.self) { try await record(store, tooLong) }
        claim.creative = String(repeating: "ü", count: 100)
        #expect(try await record(store, claim).facts.count == 1)
    }

    @Test("An install accepts 64 facts and no more")
    func mostFacts() async throws {
        let store = try await TestStore()
        for number in 1...64 {
            _ = try await record(
                store,
                AttributionClaim(key: IdempotencyKey("\(number)"), source: AttributionSource("s\(number)"), status: .organic))
        }

        let error = await #expect(throws: InstallError.self) {
            try await record(store, AttributionClaim(key: "65", source: "s65", status: .organic))
        }

        #expect(error?.code == .rateLimited)
    }
}
