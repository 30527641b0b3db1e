// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallPurchases
import LandfallTesting
import LandfallWire
import NIOCore
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Who would see another paywall", .timeLimit(.minutes(2)))
struct ImpactTests {
    private static let app = AppID("sample")

    /// Stores installs with these ids; every tenth is German.
    private static func store(_ ids: [String], in database: any Database) async throws {
        for start in stride(from: 0, to: ids.count, by: 1_000) {
            let lot = ids[start..<min(start + 1_000, ids.count)]
            _ = try await database.write(.bulk, locking: [RowLock("install", [:])]) { connection in
                for (index, id) in lot.enumerated() {
                    try connection.run(
                        """
                        INSERT INTO install (app_id, install_id, secret_hash, profile_id, epoch, version, attribution_version, locale,
                          is_reinstall, created_at_ms, installed_at_ms)
                        VALUES ($1, $2, $3, $2, 1, 1, 0, $4, 0, 0, 0)
                        """,
                        [.text(app.rawValue), .text(id), .blob([1]), .text((start + index) % 10 == 0 ? "de-DE" : "en-US")])
                }
            }
        }
    }

    private static func id(_ milliseconds: Int64, _ number: Int) -> String {
        let digits = String(number, radix: 16)
        return UUIDv7.earliest(atMs: milliseconds) + "7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    /// For a key that may see people, unless another is named.
    private func impact(
        _ text: String, _ query: String = "", of publisher: PublishingServer, key: String = PublishingServer.fullKey
    ) async throws -> ConfigurationImpact {
        try await publisher.send(.post, "/impact" + query, text, key: key).decoded()
    }

    @Test(
        "hides, from a key that may not see people, numbers below 10 and numbers that leave fewer than 10 other installs",
        arguments: [(0, false), (1, false), (9, false), (10, true), (50, true), (90, true), (91, false), (99, false), (100, false)])
    func few(count: Int, isTold: Bool) async throws {
        try await PublishingServer.run { publisher in
            let database = publisher.server.services.database
            try await Self.store((0..<100).map { Self.id(1_700_000_000_000, $0) }, in: database)
            try await database.write(.bulk, locking: [RowLock("install", [:])]) { connection in
                _ = try connection.run("UPDATE install SET locale = 'en-US'")
                for number in 0..<count {
                    try connection.run(
                        "UPDATE install SET locale = 'de-DE' WHERE install_id = $1", [.text(Self.id(1_700_000_000_000, number))])
                }
                // Those with no country lack it.
                for number in count..<100 {
                    try connection.run("UPDATE install SET locale = 'en' WHERE install_id = $1", [.text(Self.id(1_700_000_000_000, number))])
                }
            }
            let text = PublishingServer.yaml().replacing("audience: spring, paywall: special", with: "audience: spring, paywall: default")
                .replacing("spring: { country: { is: DE } }", with: "spring: { country: { is: DE } }\n  abroad: { country: { isNot: DE } }")

            let weak = try await impact(text, of: publisher, key: PublishingServer.key), full = try await impact(text, of: publisher)
            let dry = try await publisher.publish(text, "?dryRun=true").answer

            #expect(full.placements.map(\.changed) == [count] && full.warnings.compactMap(\.lacking?.installs) == [100 - count])
            #expect(weak.placements.map(\.changed) == [isTold ? count : nil])
            #expect(weak.placements.map(\.share) == [isTold ? Double(count) / 100 : nil])
            let interval = try #require(weak.placements.first?.interval)
            #expect(interval[0] <= Double(count) / 100 && interval[1] >= Double(count) / 100)
            #expect(isTold || interval == (count < 10 ? [0, WilsonInterval.bounds(9, of: 100)[1]] : [WilsonInterval.bounds(91, of: 100)[0], 1]))
            for warnings in [weak.warnings, dry.warnings] {
                let warning = try #require(warnings.first { $0.path.hasSuffix("isNot") })
                #expect(warning.lacking?.installs == (isTold ? 100 - count : nil))
                #expect(isTold || !warning.message.contains(" \(100 - count) ") || count == 0)
            }
        }
    }

    @Test("is counted for each placement, with a range, and nothing is published")
    func counted() async throws {
        try await PublishingServer.run { publisher in
            try await Self.store((0..<200).map { Self.id(1_700_000_000_000, $0) }, in: publisher.server.services.database)
            let text = PublishingServer.yaml().replacing("audience: spring, paywall: special", with: "audience: spring, paywall: default")
                .replacing("placements:", with: "placements:\n  other: [{ audience: everyone, paywall: default }]")

            let impact = try await impact(text, of: publisher)

            #expect(impact.sampled == 200)
            #expect(impact.placements.map(\.placement) == ["other", "home"])
            #expect(impact.placements.map(\.changed) == [200, 20])
            #expect(impact.placements[1].share == 0.1)
            #expect(impact.placements[1].interval == WilsonInterval.bounds(20, of: 200))
            #expect(try await publisher.versions().count == 1)
        }
    }

    @Test("is answered with the file's warnings, and with the number of installs that lack a value")
    func warned() async throws {
        try await PublishingServer.run { publisher in
            try await Self.store((0..<20).map { Self.id(1_700_000_000_000, $0) }, in: publisher.server.services.database)
            let text = PublishingServer.yaml().replacing(
                "spring: { country: { is: DE } }", with: "spring: { country: { isNot: DE }, device.model: { notIn: [iPhone1] } }")

            let impact = try await impact(text, of: publisher)

            #expect(impact.warnings.map(\.lacking?.installs) == [0, 20])
            #expect(impact.warnings.map(\.lacking?.sampled) == [20, 20])
        }
    }

    @Test("knows what the old version knew of an access level that the new one no longer has")
    func level() async throws {
        try await PublishingServer.run { publisher in
            let ids = (0..<50).map { Self.id(1_700_000_000_000, $0) }, spring = "spring: { country: { is: DE } }"
            try await Self.store(ids, in: publisher.server.services.database)
            for id in ids.prefix(7) {
                let grant = ProfileAccess.Grant(id: id, level: AccessLevel(rawValue: "premium"), startsAtMs: 0, endsAtMs: nil)
                try await publisher.server.grant(grant, to: ProfileID(id))
            }
            let old = PublishingServer.yaml(more: "accessLevels: [premium]")
                .replacing(spring, with: "spring: { access.premium: { is: true } }")
            #expect(try await publisher.publish(old).status == .ok)

            let impact = try await impact(PublishingServer.yaml().replacing(spring, with: "spring: { country: { is: JP } }"), of: publisher)

            #expect(impact.placements.map(\.changed) == [7])
        }
    }

    @Test("is zero for a file that changes no decision, and unknown for an empty store")
    func none() async throws {
        try await PublishingServer.run { publisher in
            let empty = try await impact(PublishingServer.yaml("special"), of: publisher)
            #expect(empty.sampled == 0)
            #expect(empty.placements.map(\.interval) == [[0, 1]] && empty.placements.map(\.changed) == [0])

            try await Self.store((0..<50).map { Self.id(0, $0) }, in: publisher.server.services.database)
            let impact = try await impact(PublishingServer.yaml(title: "Open"), of: publisher)
            #expect(impact.sampled == 50)
            #expect(impact.placements.map(\.changed) == [0])
        }
    }

    /// Everyone is in an experiment with two variations.
    private static func yaml(_ weights: [Int]) -> String {
        let variations = "{ A: { weight: \(weights[0]), paywall: default }, B: { weight: \(weights[1]), paywall: special } }"
        return PublishingServer.yaml(more: "experiments: { price: { state: live, variations: \(variations) } }")
            .replacing("{ audience: everyone, paywall: default }", with: "{ audience: everyone, experiment: price }")
    }

    @Test("is zero for an unchanged file whose experiment is past its first epoch")
    func laterEpoch() async throws {
        try await PublishingServer.run { publisher in
            try await Self.store((0..<200).map { Self.id(1_700_000_000_000, $0) }, in: publisher.server.services.database)
            for weights in [[50, 50], [40, 60]] { #expect(try await publisher.publish(Self.yaml(weights)).status == .ok) }

            let impact = try await impact(Self.yaml([40, 60]), of: publisher)

            #expect(publisher.server.services.snapshot.epochs == [2])
            #expect(impact.sampled == 200 && impact.placements.map(\.changed) == [0])
        }
    }

    @Test("of other weights is that of the epoch which they open: everyone is drawn anew")
    func otherWeights() async throws {
        try await PublishingServer.run { publisher in
            try await Self.store((0..<200).map { Self.id(1_700_000_000_000, $0) }, in: publisher.server.services.database)
            #expect(try await publisher.publish(Self.yaml([50, 50])).status == .ok)

            let draft = try await impact(Self.yaml([51, 49]), of: publisher)

            // In the same epoch only one in a hundred would change.
            #expect(draft.placements.allSatisfy { (60...140).contains($0.changed ?? -1) })
            #expect(try await publisher.publish(Self.yaml([51, 49])).status == .ok)
            #expect(try await impact(Self.yaml([51, 49]), of: publisher).placements.map(\.changed) == [0])
        }
    }

    @Test("is refused for a file that cannot be served, and for an invalid sample", arguments: ["?sample=0", "?sample=100001", "?sample=x"])
    func refused(query: String) async throws {
        try await PublishingServer.run { publisher in
            let sample = try await publisher.send(.post, "/impact" + query, PublishingServer.yaml())
            let file = try await publisher.send(.post, "/impact", "app: {}")
            #expect(sample.problem?.code == .invalidValue)
            #expect(file.problem?.code == .configurationInvalid)
        }
    }

    /// The order in which installs arrived.
    enum Arrival: CaseIterable, Sendable {
        case evenly, almostAllOnOneDay, withSomeWrongClocks

        var ids: [String] {
            (0..<20_000).map { number in
                let count = Int64(number)
                let milliseconds: Int64 =
                    switch self {
                    case .evenly: 1_700_000_000_000 + count * 10_000
                    case .almostAllOnOneDay:
                        number % 20 == 0 ? 1_700_000_000_000 + count * 1_000_000 : 1_710_000_000_000 + count * 100
                    case .withSomeWrongClocks:
                        number < 20 ? count : number < 30 ? 4_000_000_000_000 + count : 1_700_000_000_000 + count * 1_000
                    }
                return ImpactTests.id(milliseconds, number)
            }
        }
    }

    @Test("uses a fair sample, however unevenly installs arrived", arguments: Arrival.allCases)
    func fair(arrival: Arrival) async throws {
        try await PublishingServer.run { publisher in
            let ids = arrival.ids
            let database = publisher.server.services.database
            try await Self.store(ids, in: database)
            // Compares the first half by time with the second: a sample from busy days only would fail here.
            let middle = ids.sorted()[ids.count / 2]

            var numbers = SeededRandom(seed: 7)
            let drawn = try await database.read { [numbers] connection in
                var sampling = InstallSampler(app: Self.app, numbers: numbers)
                return try sampling.draw(2_000, from: connection)
            }
            _ = numbers.next()

            #expect(drawn.count == 2_000)
            #expect(Set(drawn).count == 2_000)
            #expect(drawn == drawn.sorted { $0.rawValue < $1.rawValue })
            let early = Double(drawn.count { $0.rawValue < middle }) / 2_000
            #expect(abs(early - 0.5) < 0.05, "\(early)")
        }
    }
}
