// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("A snapshot", .timeLimit(.minutes(1)))
struct SnapshotTests {
    private func snapshot(_ addition: String = "") throws -> Snapshot {
        Snapshot(try Sample.configuration(addition), revision: 7)
    }

    @Test("opens the app to active keys only, up to the instant at which they expire")
    func keys() throws {
        let yaml = Sample.base.replacing(
            "  - sdk: pk_sample",
            with: """
                  - sdk: pk_sample
                  - { sdk: pk_day, environment: development, expires: 2030-01-31 }
                  - { sdk: pk_instant, expires: "2030-01-31T12:00:00+01:00" }
                """)
        let snapshot = Snapshot(try Configuration(yaml: yaml), revision: 1)
        let day: Int64 = 1_896_048_000_000
        let instant = day + 11 * 3_600_000

        #expect(snapshot.app(ofKey: "pk_sample", nowMs: .max) == AppID("sample"))
        #expect(snapshot.app(ofKey: "pk_day", nowMs: day - 1) == AppID("sample"))
        #expect(snapshot.app(ofKey: "pk_day", nowMs: day) == nil)
        #expect(snapshot.app(ofKey: "pk_instant", nowMs: instant - 1) == AppID("sample"))
        #expect(snapshot.app(ofKey: "pk_instant", nowMs: instant) == nil)
        #expect(snapshot.app(ofKey: "pk_other", nowMs: 0) == nil)
        #expect(snapshot.app(ofKey: "", nowMs: 0) == nil)
    }

    @Test("knows whether an audience of a placement compares the last visit", arguments: [
        ("install.lastSeen: { within: 7d }", true), ("install.date: { within: 7d }", false),
    ])
    func lastSeen(condition: String, isCompared: Bool) throws {
        let entries = "[{ audience: recent, paywall: default }, { audience: everyone, paywall: default }]"
        let yaml = Sample.base.replacing("[{ audience: everyone, paywall: default }]", with: entries)
        let snapshot = Snapshot(try Configuration(yaml: yaml + "audiences:\n  recent: { \(condition) }\n"), revision: 1)

        #expect(snapshot.comparesLastSeen == isCompared)
    }

    @Test("knows its placements")
    func placements() throws {
        let snapshot = try snapshot()

        #expect(snapshot.decide("away", facts: .sample()) == nil)
        #expect(snapshot.defaultDecision(placement: "away", locale: nil) == nil)
        #expect(snapshot.defaultDecision(placement: "home", locale: nil)?.paywallID == PaywallID("default"))
        #expect(snapshot.revision == 7)
    }

    @Test(
        "refuses attributes of another type than the declared one, and accepts undeclared attributes",
        arguments: [
            ("plan", .string("pro"), true), ("plan", .number(1), false), ("plan", .bool(true), false), ("plan", nil, true),
            ("age", .number(1), true), ("age", .string("1"), false), ("paid", .bool(false), true), ("paid", .number(0), false),
            ("other", .number(1), true), ("other", .string("x"), true),
        ] as [(String, AttributeValue?, Bool)])
    func attributes(name: String, value: AttributeValue?, isTaken: Bool) throws {
        let snapshot = try snapshot("attributes: { plan: string, age: number, paid: boolean }\n")

        if isTaken {
            try snapshot.check([name: value])
        } else {
            let refusal = #expect(throws: AttributeRefusal.self) { try snapshot.check(["fine": .bool(true), name: value]) }
            #expect(refusal?.code == .invalidAttribute)
        }
    }

    @Test("asks Apple unless the configuration says otherwise")
    func appleAds() throws {
        #expect(try snapshot().asksAppleAds)
        #expect(try !snapshot("appleAds: { enabled: false }\n").asksAppleAds)
    }
}
