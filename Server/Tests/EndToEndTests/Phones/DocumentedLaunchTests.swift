// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSimulator

/// The logic that `landfall simulate --compare` runs as the documented way, in every situation for which its original's
/// behaviour is described. The sample's own timer decides, so these tests take real seconds.
@Suite("The documented way, written afresh, behaves as documented", .timeLimit(.minutes(1)))
struct DocumentedLaunchTests {
    @Test("Attribution in time: the targeted paywall, as soon as Apple has answered")
    func inTime() async throws {
        try await Site.run { site in
            let seen = await launch(site, "sim.attribution=true&delay=600", timeout: 3)

            #expect(seen.isAppleAds == true)
            #expect((.milliseconds(600)..<(.seconds(3))).contains(seen.elapsed), "\(seen)")
        }
    }

    @Test(
        "Attribution never, or organic: the default paywall at the timeout",
        arguments: ["attribution=true&hang=1", "attribution=false"])
    func never(treatment: String) async throws {
        try await Site.run { site in
            let seen = await launch(site, "sim.\(treatment)", timeout: 1)

            #expect(seen.isAppleAds == false)
            #expect((.seconds(1)..<(.seconds(4))).contains(seen.elapsed), "\(seen)")
        }
    }

    @Test("Second launch, attributed: the targeted paywall at once, also without a network", arguments: [false, true])
    func secondLaunch(isOffline: Bool) async throws {
        try await Site.run { site in
            let memory = DocumentedLaunch.Memory()
            let first = await launch(site, "sim.attribution=true&id=1", memory, timeout: 3)
            let second = await launch(site, "sim.attribution=true&hang=1&id=2", memory, timeout: 3, isOffline: isOffline)

            #expect(first.isAppleAds == true)
            #expect(second.isAppleAds == true)
            #expect(second.elapsed < .seconds(3), "\(second)")
        }
    }

    @Test("No network on the first launch: the bundled paywall at the timeout; without a bundle no paywall")
    func offline() async throws {
        try await Site.run { site in
            let bundled = await launch(site, "sim.attribution=true&id=1", timeout: 1, isOffline: true)
            let nothing = await launch(site, "sim.attribution=true&id=2", timeout: 1, isOffline: true, hasBundle: false)

            #expect(bundled.isAppleAds == false)
            #expect(nothing.isAppleAds == nil)
            #expect(bundled.elapsed < .seconds(4) && nothing.elapsed < .seconds(4))
        }
    }

    @Test("It makes five kinds of calls: profile, token, default, matching, and the profile once a second")
    func requests() async throws {
        try await Site.run { site in
            let quick = await launch(site, "sim.attribution=true&delay=300", timeout: 3)
            let patient = await launch(site, "sim.attribution=false", timeout: 2.5)

            // A busy machine may add a second, and with it a question.
            #expect((4...4 + Int(quick.elapsed / .seconds(1))).contains(quick.requests), "\(quick)")
            #expect((4...max(5, 3 + Int(patient.elapsed / .seconds(1)))).contains(patient.requests), "\(patient)")
        }
    }

    private func launch(
        _ site: Site, _ token: String, _ memory: DocumentedLaunch.Memory = .init(), timeout: Double, isOffline: Bool = false,
        hasBundle: Bool = true
    ) async -> PhoneOutcome {
        let launch = DocumentedLaunch(
            server: site.server, memory: memory, timeout: .seconds(timeout), hasBundle: hasBundle
        )
        return await launch.run(token: token, after: .zero, isOffline: isOffline)
    }
}
