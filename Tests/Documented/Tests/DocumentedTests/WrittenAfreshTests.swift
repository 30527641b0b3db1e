// SPDX-License-Identifier: Apache-2.0
@testable import DocumentedSample
import Foundation
import Testing

/// `landfall simulate --compare` measures Landfall against the sample's logic, written afresh. Here both meet the same
/// situation: the sample itself in an app, and the rewritten logic on a phone of the simulator.
@Suite(
    "The rewritten logic does what the sample does", .timeLimit(.minutes(1)),
    .enabled(if: sampleIsAbsentBecause == nil, Comment(rawValue: sampleIsAbsentBecause ?? "")),
    .enabled(if: Checkout.hasLandfall, "No built server. Run 'swift build --package-path Server', or set LANDFALL_BINARY.")
)
struct WrittenAfreshTests {
    struct Situation: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// For the sample: what Apple does with the token.
        let token: String
        /// For the simulator: the same, as numbers of a scenario.
        let numbers: [String]
        /// The app was launched before, and Apple has answered then.
        var isSecondLaunch = false
    }

    /// Times of Apple and of the network are exact: median and 95 % are the same.
    static let situations = [
        Situation(
            testDescription: "Attribution in time", token: "sim.attribution=true&delay=1000",
            numbers: ["organic=0", "appleMedian=1000", "appleP95=1000"]
        ),
        Situation(
            testDescription: "Attribution never", token: "sim.attribution=true&hang=1", numbers: ["organic=0", "appleNever=1"]
        ),
        Situation(testDescription: "Organic", token: "sim.attribution=false", numbers: ["organic=1"]),
        Situation(
            testDescription: "Attribution too late", token: "sim.attribution=true&delay=6000",
            numbers: ["organic=0", "appleMedian=6000", "appleP95=6000"]
        ),
        Situation(
            testDescription: "Second launch, attributed", token: "sim.attribution=true&hang=1&id=2",
            numbers: ["organic=0", "cached=1", "appleNever=1"], isSecondLaunch: true
        ),
    ]

    @Test("The same paywall, at the same time except for the machine's own delay", arguments: situations)
    func same(situation: Situation) async throws {
        // Both run in real seconds, each with a server of its own. A machine that stands still for seconds may end one of them before its
        // timeout and the other one after it; another logic differs each time.
        var both = try await self.both(situation)
        for _ in 0..<2 where !both.isSame(situation) { both = try await self.both(situation) }

        #expect(both.isSame(situation), "\(both.sample) \(both.rewritten)")
    }

    private struct Both {
        let sample: LaunchSeen
        let rewritten: Figures

        func isSame(_ situation: Situation) -> Bool {
            (sample.paywall == "apple-ads") == rewritten.isAppleAds(situation) && abs((sample.seconds ?? 99) - rewritten.p50) < 1
        }
    }

    private func both(_ situation: Situation) async throws -> Both {
        try await SelfHosted.run { host in
            if situation.isSecondLaunch {
                _ = try await host.launch("phone", token: "sim.attribution=true&id=1", timeout: 5)
            }
            async let sample = host.launch("phone", token: situation.token, timeout: 5)
            async let rewritten = simulated(situation)
            return try await Both(sample: sample, rewritten: rewritten)
        }
    }

    private func simulated(_ situation: Situation) async throws -> Figures {
        let exact = ["roundTripMedian=2", "roundTripP95=2", "tokenFrom=0", "tokenTo=1", "appleNotFoundFirst=0", "offline=0"]
        let standard = ["appleNever=0", "appleMedian=1", "appleP95=1"]
        let settings = (exact + standard + situation.numbers).flatMap { ["--set", $0] }
        let log = FileManager.default.temporaryDirectory.appending(path: "landfall-simulate-\(UUID().uuidString).log")
        defer { try? FileManager.default.removeItem(at: log) }
        let command = try Command(
            Checkout.landfall,
            ["simulate", "--phones", "1", "--compare", "--json", "--config", Checkout.configuration.path] + settings, limit: 30,
            log: log
        )
        defer { command.stop() }
        return try await command.result(Report.self).documented
    }

    private struct Report: Decodable { let documented: Figures }

    private struct Figures: Decodable {
        let targeted: Double
        let p50: Double

        /// `targeted` is about the paywall that the user's origin asks for.
        func isAppleAds(_ situation: Situation) -> Bool {
            situation.numbers.contains("organic=1") ? targeted == 0 : targeted == 1
        }
    }
}
