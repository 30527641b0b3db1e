// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSimulator

@Suite("A run of real phones", .timeLimit(.minutes(1)))
struct PhoneRunTests {
    @Test("On an undisturbed network every phone gets the paywall of Apple's answer")
    func fast() async throws {
        try await Site.run { site in
            let results = try await run(6, in: .fast, at: site)

            let side = try #require(results.report(seed: 1, scenario: "fast").landfall)
            #expect(side.targeted == 1, "\(side)")
            #expect(side.withoutPaywall == 0)
            #expect(side.requestsPerOpen < 2)
        }
    }

    @Test("Without a network the files of an earlier launch answer at once, and the bundle at a first launch's deadline")
    func offline() async throws {
        try await Site.run { site in
            var world = Scenario.offline
            (world.cached, world.organic) = (1, 0)
            let cached = try await run(2, in: world, at: site, files: "cached")
            world.cached = 0
            let bundled = try await run(2, in: world, at: site, files: "bundled")

            #expect(cached.report(seed: 1, scenario: "offline").landfall?.targeted == 1)
            #expect(bundled.report(seed: 1, scenario: "offline").landfall?.targeted == 0)
            #expect(bundled.report(seed: 1, scenario: "offline").landfall?.withoutPaywall == 0)
            #expect(cached.landfall.allSatisfy { $0 < 4 })
            // A person may just be being asked whether the app may use the network.
            #expect(bundled.landfall.allSatisfy { $0 >= 4.9 && $0 < 6 })
        }
    }

    private func run(_ phones: Int, in world: Scenario, at site: Site, files: String = "phones") async throws -> PhoneResults {
        let run = PhoneRun(phones: phones, seed: 1, world: world, isComparison: false, startsPerSecond: 10)
        let port = try #require(site.server.port)
        let lives = ServerLives()
        return try await run.run(
            server: { port }, directory: site.folder.appending(path: files),
            bundle: try await DemoBundle.fetch(from: site.server), apple: AppleAnswers(to: lives),
            lives: lives
        ) { _ in }
    }
}
