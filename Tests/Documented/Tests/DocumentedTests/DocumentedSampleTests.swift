// SPDX-License-Identifier: Apache-2.0
@testable import DocumentedSample
import Testing

/// The sample, letter for letter, in its own app against the built server. The sample's own timer decides, so these tests take
/// real seconds; a busy machine may add one second to the timer.
@Suite(
    "The documented sample behaves as its text says", .serialized, .timeLimit(.minutes(1)),
    .enabled(if: sampleIsAbsentBecause == nil, Comment(rawValue: sampleIsAbsentBecause ?? "")),
    .enabled(if: Checkout.hasLandfall, "No built server. Run 'swift build --package-path Server', or set LANDFALL_BINARY.")
)
struct DocumentedSampleTests {
    /// How the sample is compiled: nonisolated, or with the main actor as default isolation.
    static let compilations: [[String]] = [[], ["--main-actor"]]

    @Test("Attribution in time: the targeted paywall, as soon as Apple has answered", arguments: compilations)
    func inTime(flags: [String]) async throws {
        try await SelfHosted.run { host in
            let seen = try await host.launch("phone", token: "sim.attribution=true&delay=1200", timeout: 5, flags: flags)

            #expect(seen.paywall == "apple-ads")
            #expect(seen.sources == ["apple_search_ads"])
            #expect((1.2..<5).contains(seen.seconds ?? 0), "\(seen)")
            // The first open, a plain question for each audience beside its stream, and events.
            let requests = try await host.requests()
            #expect((1...4).contains(requests), "\(requests)")
        }
    }

    @Test("Attribution never: the default paywall at the timeout", arguments: compilations)
    func never(flags: [String]) async throws {
        try await SelfHosted.run { host in
            let seen = try await host.launch("phone", token: "sim.attribution=true&hang=1", timeout: 2, flags: flags)

            #expect(seen.paywall == "default")
            #expect(seen.audience == "everyone")
            #expect(seen.sources == [])
            #expect((2..<3).contains(seen.seconds ?? 0), "\(seen)")
            let requests = try await host.requests()
            #expect((1...4).contains(requests), "\(requests)")
        }
    }

    @Test("Attribution never: sample and steps show the default paywall when their timer of 3, 4 or 5 seconds ends", arguments: ["loader", "timer"])
    func timers(flow: String) async throws {
        try await SelfHosted.run { host in
            try await withThrowingTaskGroup(of: (Double, LaunchSeen).self) { launches in
                for timer in [3.0, 4, 5] {
                    launches.addTask {
                        let token = "sim.attribution=true&hang=1&id=\(timer)"
                        return (timer, try await host.launch("phone-\(timer)", token: token, timeout: timer, flags: ["--flow", flow]))
                    }
                }
                for try await (timer, seen) in launches {
                    #expect(seen.paywall == "default")
                    #expect((timer..<timer + 1).contains(seen.seconds ?? 0), "\(timer) \(seen)")
                }
            }
        }
    }

    @Test("Organic: an empty list gives the sample no answer, so it waits for its timeout and shows the default paywall")
    func organic() async throws {
        try await SelfHosted.run { host in
            let seen = try await host.launch("phone", token: "sim.attribution=false", timeout: 2)

            #expect(seen.paywall == "default")
            #expect((2..<3).contains(seen.seconds ?? 0), "\(seen)")
        }
    }

    @Test("Second launch, attributed: the targeted paywall at once", arguments: compilations)
    func secondLaunch(flags: [String]) async throws {
        try await SelfHosted.run { host in
            let first = try await host.launch("phone", token: "sim.attribution=true&id=1", timeout: 5, flags: flags)
            let second = try await host.launch("phone", token: "sim.attribution=true&hang=1&id=2", timeout: 5, flags: flags)

            #expect(first.paywall == "apple-ads")
            #expect(second.paywall == "apple-ads")
            #expect((second.seconds ?? 5) < 1, "\(second)")
        }
    }

    @Test("Second launch, attributed, offline: the targeted paywall at once")
    func secondLaunchOffline() async throws {
        try await SelfHosted.run { host in
            let first = try await host.launch("phone", token: "sim.attribution=true", timeout: 5)
            host.stop()
            let second = try await host.launch("phone", token: "sim.attribution=true", timeout: 5)

            #expect(first.paywall == "apple-ads")
            #expect(second.paywall == "apple-ads")
            #expect((second.seconds ?? 5) < 1, "\(second)")
        }
    }

    @Test("No server on the first launch: the fallback paywall, and without one an error; the sample is never stuck")
    func unreachable() async throws {
        try await SelfHosted.run { host in
            host.stop()
            let token = "sim.attribution=true"
            async let bundled = host.launch("a", token: token, timeout: 1, flags: ["--fallback", host.fallback])
            async let nothing = host.launch("b", token: token, timeout: 1)
            let (withFile, without) = try await (bundled, nothing)

            #expect(withFile.paywall == "bundled")
            #expect(without.paywall == nil)
            #expect(without.error != nil)
            #expect([withFile, without].allSatisfy { ($0.seconds ?? 9) < 6 }, "\(withFile) \(without)")
        }
    }

    @Test("Apple answers after the timeout: default now, targeted from the next launch on")
    func late() async throws {
        try await SelfHosted.run { host in
            let first = try await host.launch("phone", token: "sim.attribution=true&delay=2500", timeout: 1)
            try await Task.sleep(for: .seconds(2))
            let second = try await host.launch("phone", token: "sim.attribution=true&hang=1&id=2", timeout: 5)

            #expect(first.paywall == "default")
            #expect(second.paywall == "apple-ads")
        }
    }

    @Test("The delegate line and the splash screen's call of the document show the targeted paywall", arguments: compilations)
    func splash(flags: [String]) async throws {
        try await SelfHosted.run(placement: "YOUR_PLACEMENT_ID") { host in
            let seen = try await host.launch(
                "phone", token: "sim.attribution=true&delay=1200", timeout: 5, flags: flags + ["--flow", "splash"])

            #expect(seen.paywall == "apple-ads")
            #expect((1.2..<5).contains(seen.seconds ?? 0), "\(seen)")
        }
    }

    @Test("The splash screen's call handles an error: no placement of that name")
    func splashWithoutPlacement() async throws {
        try await SelfHosted.run { host in
            let seen = try await host.launch("phone", token: "sim.attribution=true", timeout: 5, flags: ["--flow", "splash"])

            #expect(seen.paywall == nil)
            #expect(seen.error?.contains("2003") == true, "\(seen)")
        }
    }

    @Test("The delegate of step 3, which nothing else holds, asks once Apple has answered", arguments: compilations)
    func delegate(flags: [String]) async throws {
        try await SelfHosted.run { host in
            let seen = try await host.launch(
                "phone", token: "sim.attribution=true&delay=1200", timeout: 5, flags: flags + ["--flow", "delegate"])

            #expect(seen.paywall == "apple-ads")
            #expect((1.2..<5).contains(seen.seconds ?? 0), "\(seen)")
        }
    }
}
