// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallSimulator

@Suite("A line of time", .timeLimit(.minutes(1)))
struct TimelineTests {
    @Test("shows token, answer and paywall at their times")
    func inTime() {
        let launch = launch([(.token, 300), (.answer(status: 200), 2_400)], paywall: "apple-ads", targeted: true, at: 2_550)

        #expect(drawn(launch) == "──○────────────────◆●                   ┊     ")
    }

    @Test("ends on the deadline when the answer comes after it")
    func tooLate() {
        let launch = launch([(.token, 100), (.answer(status: 200), 5_400)], paywall: "default", at: 5_000)

        #expect(drawn(launch) == "○───────────────────────────────────────●··◆  ")
    }

    @Test("puts marks of one moment side by side, in their order")
    func oneMoment() {
        let launch = launch([(.token, 10), (.answer(status: 404), 20)], paywall: "default", at: 30)

        #expect(drawn(launch) == "○✕●                                     ┊     ")
    }

    @Test("never moves a mark in time across the deadline, or any mark across the edge")
    func crowded() {
        let launch = launch(
            [(.token, 4_980), (.answer(status: 200), 4_990), (.answer(status: 500), 60_000)], paywall: "a", at: 4_995
        )

        let text = drawn(launch)

        #expect(text.count == 46)
        #expect(Array(text)[40] == "●")
        #expect(text.last == "✕")
    }

    @Test("grows with time while the launch waits")
    func growing() {
        var launch = Launch(phone: "phone", number: 1)
        launch.note(.token, at: .milliseconds(260))

        #expect(drawn(launch, now: .milliseconds(500)).prefix(8) == "──○──   ")
        #expect(drawn(launch, now: .milliseconds(800)).prefix(8) == "──○──── ")
    }

    @Test("shows that there is no paywall")
    func none() {
        let launch = launch([], paywall: nil, at: 5_000)

        #expect(Array(drawn(launch))[40] == "!")
    }

    @Test("has a scale of the same width")
    func scale() {
        #expect(Timeline().scale() == "0 s     1       2       3       4       5 s   ")
    }

    private func drawn(_ launch: Launch, now: Duration? = nil) -> String {
        String(Timeline().cells(launch, now: now).map(\.character))
    }
}

func launch(
    _ moments: [(Launch.Sight, Int)], paywall: String?, targeted: Bool = false, at elapsed: Int,
    phone: String = "phone", origin: String = "matchingAudience", requests: Int = 1, isOnline: Bool = true
) -> Launch {
    var launch = Launch(phone: phone, number: 1, isOnline: isOnline)
    for (sight, at) in moments { launch.note(sight, at: .milliseconds(at)) }
    launch.end(
        with: Launch.Outcome(
            paywall: paywall, isTargeted: targeted, origin: origin, attribution: "pending",
            elapsed: .milliseconds(elapsed), requests: requests
        )
    )
    return launch
}
