// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallSimulator

@Suite("What counts as Apple's answer", .timeLimit(.minutes(1)))
struct AppleAnswersTests {
    private let lives = ServerLives()

    @Test("An attribution counts, with the time of its first answer; an error and broken JSON say nothing",
        arguments: [
            ("sim.attribution=true", 200, true), ("sim.attribution=false", 200, true), ("sim.notFound=1", 404, false),
            ("sim.status=500", 500, false), ("sim.garbage=1", 200, false),
        ])
    func says(token: String, status: Int, counts: Bool) {
        let apple = AppleAnswers(to: lives)
        lives.begins()

        apple.answered(token: token, status: status)

        let first = apple.instant(of: token)
        #expect((first != nil) == counts)
        apple.answered(token: token, status: status)
        #expect(apple.instant(of: token) == first)
    }

    @Test("A server that was killed while it waited has no answer; the next server's answer counts")
    func killed() {
        let apple = AppleAnswers(to: lives)
        lives.begins()
        lives.ends()
        lives.begins()

        apple.answered(token: "sim.delay=60000", status: 200)
        #expect(apple.instant(of: "sim.delay=60000") == nil)

        apple.answered(token: "sim.delay=0", status: 200)
        #expect(apple.instant(of: "sim.delay=0") != nil)
    }

    @Test("A life of the server has one end, and counts in the phone's own time")
    func lived() {
        lives.ends()
        #expect(lives.seen(from: .now).isEmpty)
        lives.begins()
        let phone = ContinuousClock.now
        #expect(lives.hasLived(since: phone))
        lives.ends()
        let seen = lives.seen(from: phone)
        lives.ends()

        #expect(lives.seen(from: phone) == seen)
        #expect(seen.count == 1)
        #expect(seen[0].from <= .zero)
        #expect((seen[0].until ?? .zero) >= .zero)
        #expect(!lives.hasLived(since: phone))
    }
}
