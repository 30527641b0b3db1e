// SPDX-License-Identifier: Apache-2.0
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("Held answers", .timeLimit(.minutes(1)))
struct HeldAnswersTests {
    private let clock = ManualClock()
    private let app = AppID("example")
    private let install = InstallID(Phone().id)
    private var time: ServerTime {
        ServerTime(nowMs: { 0 }, sleep: { [clock] in try await clock.sleep(until: clock.now.advanced(by: $0)) })
    }

    @Test("A change between the look and the wait is not missed")
    func missedChange() async throws {
        let holds = HeldAnswers()
        let hold = try #require(holds.take(.plain, app: app, install: install))

        holds.changed(app: app, install: install)

        #expect(await hold.wait(for: .seconds(30), time: time).name == "changed")
    }

    @Test("A wait whose time is over before it begins ends at once")
    func timeIsUpEarly() async throws {
        let noTime = ServerTime(nowMs: { 0 }, sleep: { _ in })
        let hold = try #require(HeldAnswers().take(.plain, app: app, install: install))

        // The timer may be there before the waiter or after it: many times, so that both happen.
        for _ in 0..<2_000 { #expect(await hold.wait(for: .zero, time: noTime).name == "time") }
    }

    @Test("A change wakes only the holds of that install")
    func others() async throws {
        let holds = HeldAnswers()
        let hold = try #require(holds.take(.plain, app: app, install: install))
        async let wake = hold.wait(for: .seconds(30), time: time)
        await clock.waitForSleeper()

        holds.changed(app: app, install: InstallID(Phone(2).id))
        holds.changed(app: AppID("other"), install: install)
        clock.advance(by: .seconds(30))

        #expect(await wake.name == "time")
    }

    @Test("An end takes precedence over an earlier change")
    func rank() async throws {
        let holds = HeldAnswers()
        let hold = try #require(holds.take(.stream, app: app, install: install))

        holds.changed(app: app, install: install)
        #expect(holds.admit(try #require(holds.take(.stream, app: app, install: install))))
        holds.changed(app: app, install: install)

        #expect(await hold.wait(for: .seconds(30), time: time).name == "replaced")
    }

    @Test("An older stream never ends a newer one")
    func endsOlderOnly() async throws {
        let holds = HeldAnswers()
        let older = try #require(holds.take(.stream, app: app, install: install))
        let newer = try #require(holds.take(.stream, app: app, install: install))

        #expect(holds.admit(older))
        holds.changed(app: app, install: install)

        #expect(await newer.wait(for: .seconds(30), time: time).name == "changed")
    }

    @Test("The slot of an answer that is never written is given back")
    func unwritten() throws {
        let holds = HeldAnswers(HeldLimits(node: 1))
        var place = HeldPlace(.stream, app, install, in: holds)
        #expect(place != nil && holds.count == 1)

        place = nil

        #expect(holds.count == 0)
    }

    @Test("A plain wait does not end a stream, and several are held at once, counted by kind")
    func plain() async throws {
        let holds = HeldAnswers()
        let stream = try #require(holds.take(.stream, app: app, install: install))
        #expect(holds.admit(stream))
        for _ in 0..<8 { #expect(holds.admit(try #require(holds.take(.plain, app: app, install: install)))) }

        holds.changed(app: app, install: install)

        #expect((holds.count(of: .stream), holds.count(of: .plain), holds.count) == (1, 8, 9))
        #expect(await stream.wait(for: .seconds(30), time: time).name == "changed")
    }

    @Test("The limit holds, and a released slot is free again")
    func limit() throws {
        let holds = HeldAnswers(HeldLimits(node: 1))
        let hold = try #require(holds.take(.plain, app: app, install: install))
        #expect(holds.take(.plain, app: app, install: install) == nil)

        holds.release(hold)
        holds.release(hold)

        #expect(holds.count == 0)
        #expect(holds.take(.plain, app: app, install: install) != nil)
    }

    @Test("A cancelled wait ends at once")
    func cancelled() async throws {
        let hold = try #require(HeldAnswers().take(.plain, app: app, install: install))
        let waiting = Task { [time] in await hold.wait(for: .seconds(30), time: time) }
        await clock.waitForSleeper()

        waiting.cancel()

        #expect(await waiting.value.name == "time")
    }
}

extension HeldAnswer.Wake {
    var name: String {
        switch self {
        case .changed: "changed"
        case .time: "time"
        case .replaced: "replaced"
        case .stopping: "stopping"
        }
    }
}
