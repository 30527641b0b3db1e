// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSimulator

@Suite("A run of real phones", .timeLimit(.minutes(1)))
struct PhoneRunTests {
    @Test("Every phone gets the paywall that Apple's answer gives, through a network that is not in the way")
    func fast() async throws {
        try await Site.run { site in
            let results = try await run(6, in: .fast, at: site)

            let side = try #require(results.report(seed: 1, scenario: "fast").landfall)
            #expect(side.targeted == 1, "\(side)")
            #expect(side.withoutPaywall == 0)
            #expect(side.requestsPerOpen < 2)
        }
    }

    private func run(_ phones: Int, in world: Scenario, at site: Site) async throws -> PhoneResults {
        let run = PhoneRun(phones: phones, seed: 1, world: world, isComparison: false, startsPerSecond: 10)
        let port = try #require(site.server.port)
        return try await run.run(
            server: { port }, directory: site.folder.appending(path: "phones"),
            bundle: try await DemoBundle.fetch(from: site.server), apple: AppleAnswers()
        ) { _ in }
    }
}
