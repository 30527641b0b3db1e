// SPDX-License-Identifier: Apache-2.0
import LandfallSimulator
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("The doctor about Apple Ads", .timeLimit(.minutes(1)))
struct AppleAdsDoctorTests {
    private func findings(_ bench: AdsBench) async -> [DoctorFinding] {
        await StoreDoctor(bench.store.database, knowsSecrets: true).appleAds(bench.live.snapshot.configuration)
    }

    /// An install that this campaign of this organisation brought.
    private func attribute(_ campaign: Int64, _ organisation: Int64, in bench: AdsBench) async throws {
        var answer = AppleAdsAnswer(attribution: true)
        (answer.orgId, answer.campaignId, answer.adGroupId) = (organisation, campaign, campaign)
        let app = SQLValue.text(bench.app.rawValue), name = SQLValue.text("\(campaign)-\(organisation)")
        let rows = [
            Statement(
                """
                INSERT INTO apple_ads_exchange (app_id, install_id, token_hash, state, received_at_ms, finished_at_ms)
                VALUES ($1, $2, $2, 'attributed', 5, 5)
                """, [app, name]),
            Statement(
                """
                INSERT INTO attribution_fact (app_id, install_id, fact_id, source, status, is_verified, is_test, said_at_ms, recorded_at_ms, apple_ads)
                VALUES ($1, $2, 'apple:' || $2, 'apple_search_ads', 'non_organic', 1, 0, 5, 5, $3)
                """, [app, name, .text(String(decoding: try WireCoding.encode(answer), as: UTF8.self))]),
        ]
        _ = try await bench.store.engine.write(.bulk, locking: []) { try $0.batch(rows) }
    }

    @Test("lists the ad accounts with the oldest day that was read")
    func good() async throws {
        try await AdsBench.run { bench in
            let before = await findings(bench)
            try await bench.work.look()
            try await attribute(AdsBench.campaign, 40_669_820, in: bench)

            #expect(before.map(\.ok) == [true])
            let day = Instant.text(ofDay: bench.today - 89)
            #expect(
                await findings(bench) == [
                    .good("appleAds", "Names and spend of Apple Ads are read: Sample Ads (123456789, spend since \(day))."),
                    .good("appleAdsNames", "Each of the 1 campaigns of the newest installs has a name."),
                ])
        }
    }

    @Test("says nothing without an access in the file")
    func without() async throws {
        try await AdsBench.run { bench in
            _ = bench.live.serve(AdsBench.snapshot(nil, revision: 2))

            #expect(await findings(bench) == [])
        }
    }

    @Test("tells a key that never fitted from one that was revoked")
    func keys() async throws {
        try await AdsBench.run(access: { AdsBench.access($0, keyID: "other") }) { bench in
            try await bench.work.look()

            let never = try #require(await findings(bench).first)
            #expect(!never.ok && never.message.hasPrefix("Apple gives no token: the private key and the ids of 'appleAds' do not match."))
        }
        try await AdsBench.run { bench in
            try await bench.work.look()
            bench.platform.change { $0.isRevoked = true }
            bench.time.advance(.seconds(3_600))
            try await bench.work.look()

            let revoked = try #require(await findings(bench).first)
            #expect(!revoked.ok && revoked.message.hasPrefix("Apple gives no token any more; the last read was at \(Instant(milliseconds: TestStore.noon))"))
        }
    }

    @Test("names the role that is missing")
    func role() async throws {
        var behaviour = AppleAdsPlatform.Behaviour()
        behaviour.lacksRole = true
        try await AdsBench.run(behaviour: behaviour) { bench in
            try await bench.work.look()

            let finding = try #require(await findings(bench).first)
            #expect(!finding.ok && finding.message.contains("of the ad account 123456789"))
            #expect(finding.fix?.contains("API Account Read Only") == true)
        }
    }

    @Test("finds installs of another organisation, and campaigns without a name")
    func others() async throws {
        try await AdsBench.run { bench in
            try await bench.work.look()
            try await attribute(AdsBench.campaign, 40_669_820, in: bench)
            try await attribute(77, 5_000, in: bench)
            // Apple's fixed answer to developers is nobody's.
            try await attribute(1_234_567_890, 1_234_567_890, in: bench)

            let findings = await findings(bench)
            #expect(findings.map(\.check) == ["appleAds", "appleAdsOrganisation", "appleAdsNames"])
            #expect(findings.map(\.ok) == [true, false, false])
            #expect(findings[1].message.hasPrefix("1 of the newest 2 attributed installs came from the organisation 5000, but the key reads 40669820."))
            #expect(findings[2].message.hasPrefix("1 of the 2 campaigns of the newest installs have no name: 77."))
        }
    }
}
