// SPDX-License-Identifier: Apache-2.0
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallServer

@Suite("Held answers", .timeLimit(.minutes(1)))
struct HoldsTests {
    private let clock = ManualClock()
    private let app = AppID("example")
    private let install = InstallID(Phone().id)
    private var time: ServerTime {
        ServerTime(nowMs: { 0 }, sleep: { [clock] in try await clock.sleep(until: clock.now.advanced(by: $0)) })
    }

    @Test("A change between the look and the wait is not missed")
    func missedChange() async throws {
        let holds = Holds()
        let hold = try #require(holds.take(.plain, app: app, install: install))

        holds.changed(app: app, install: install)

        #expect(await hold.wait(for: .seconds(30), time: time) == .changed)
    }

    @Test("A change wakes only what is held for that install")
    func others() async throws {
        let holds = Holds()
        let hold = try #require(holds.take(.plain, app: app, install: install))
        async let wake = hold.wait(for: .seconds(30), time: time)
        await clock.waitForSleeper()

        holds.changed(app: app, install: InstallID(Phone(2).id))
        holds.changed(app: AppID("other"), install: install)
        clock.advance(by: .seconds(30))

        #expect(await wake == .time)
    }

    @Test("An end outranks a change that came before it")
    func rank() async throws {
        let holds = Holds()
        let hold = try #require(holds.take(.stream, app: app, install: install))

        holds.changed(app: app, install: install)
        holds.endOlder(than: try #require(holds.take(.stream, app: app, install: install)))
        holds.changed(app: app, install: install)

        #expect(await hold.wait(for: .seconds(30), time: time) == .replaced)
    }

    @Test("A stream that was there before ends none that came after it")
    func endsOlderOnly() async throws {
        let holds = Holds()
        let older = try #require(holds.take(.stream, app: app, install: install))
        let newer = try #require(holds.take(.stream, app: app, install: install))

        holds.endOlder(than: older)
        holds.changed(app: app, install: install)

        #expect(await newer.wait(for: .seconds(30), time: time) == .changed)
    }

    @Test("A place whose answer nobody ever writes is given back")
    func unwritten() throws {
        let holds = Holds(limit: 1)
        var place = HeldPlace(.stream, app, install, in: holds)
        #expect(place != nil && holds.count == 1)

        place = nil

        #expect(holds.count == 0)
    }

    @Test("A plain wait does not end a stream, and many are held at once")
    func plain() throws {
        let holds = Holds()
        _ = holds.take(.stream, app: app, install: install)
        for _ in 0..<10 { _ = holds.take(.plain, app: app, install: install) }

        #expect(holds.count == 11)
    }

    @Test("The limit is a limit, and a released place is free again")
    func limit() throws {
        let holds = Holds(limit: 1)
        let hold = try #require(holds.take(.plain, app: app, install: install))
        #expect(holds.take(.plain, app: app, install: install) == nil)

        holds.release(hold)
        holds.release(hold)

        #expect(holds.count == 0)
        #expect(holds.take(.plain, app: app, install: install) != nil)
    }

    @Test("A cancelled wait ends at once")
    func cancelled() async throws {
        let hold = try #require(Holds().take(.plain, app: app, install: install))
        let waiting = Task { [time] in await hold.wait(for: .seconds(30), time: time) }
        await clock.waitForSleeper()

        waiting.cancel()

        #expect(await waiting.value == .time)
    }
}
