// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallSimulator

@Suite("One direction of a connection", .timeLimit(.minutes(1)))
struct DelayLineTests {
    @Test("delivers a piece after half a round trip")
    func delay() {
        var line = DelayLine(plan(), opensAt: .zero, seed: 1)

        #expect(line.out(bytes: 10, now: .milliseconds(5)) == .milliseconds(55))
    }

    @Test("lets nothing in before the connection is set up")
    func setUp() {
        var line = DelayLine(plan(), opensAt: .milliseconds(100), seed: 1)

        #expect(line.out(bytes: 10, now: .zero) == .milliseconds(150))
    }

    @Test("delivers as many bytes a second as it is wide, one piece after the other")
    func width() {
        var plan = plan()
        plan.bytesPerSecond = 1_000
        var line = DelayLine(plan, opensAt: .zero, seed: 1)

        #expect(line.out(bytes: 500, now: .zero) == .milliseconds(550))
        #expect(line.out(bytes: 500, now: .milliseconds(10)) == .milliseconds(1_050))
    }

    @Test("delays everything behind a lost piece until that was sent again")
    func loss() {
        var plan = plan()
        plan.loss = 1
        var lossy = DelayLine(plan, opensAt: .zero, seed: 1)
        let lost = lossy.out(bytes: 1, now: .zero)

        plan.loss = 0.5
        var line = DelayLine(plan, opensAt: .zero, seed: 3)
        let out = (0..<100).map { line.out(bytes: 1, now: .milliseconds($0)) }

        #expect(lost == .milliseconds(350))
        #expect(out == out.sorted())
        #expect(Set(out).count < 100)
    }

    private func plan() -> ConnectionPlan { ConnectionPlan(roundTrip: .milliseconds(100), setUp: .zero) }
}
