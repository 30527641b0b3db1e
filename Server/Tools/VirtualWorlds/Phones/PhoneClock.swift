// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Time as one phone has it: nothing happens in a suspended app until it goes on, and the calendar may be set.
final class PhoneClock: Clock, Sendable {
    typealias Instant = VirtualClock.Instant

    private struct State {
        var suspendedUntil = Duration.zero
        var calendarIsAhead = Duration.zero
    }

    let world: VirtualClock
    private let state = Mutex(State())

    init(_ world: VirtualClock) { self.world = world }

    var elapsed: Duration { world.elapsed }
    var now: Instant { world.now }
    var minimumResolution: Duration { world.minimumResolution }

    /// What the person's calendar shows.
    var date: Date {
        let ahead = state.withLock { $0.calendarIsAhead }
        let milliseconds = VirtualServer.epochMs + (world.elapsed + ahead).exactMilliseconds
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    func setCalendar(aheadBy duration: Duration) { state.withLock { $0.calendarIsAhead = duration } }

    /// The app does not run until then.
    func suspend(until time: Duration) { state.withLock { $0.suspendedUntil = max(time, $0.suspendedUntil) } }

    var isSuspended: Bool { runs(at: elapsed) > elapsed }

    /// When the app does what is due at that time.
    func runs(at time: Duration) -> Duration { state.withLock { max(time, $0.suspendedUntil) } }

    /// Does something in the app at that time, or when it goes on.
    func at(_ time: Duration, _ action: @escaping @Sendable () -> Void) {
        world.at(time) { [self] in
            let runsAt = runs(at: elapsed)
            if runsAt > elapsed { at(runsAt, action) } else { action() }
        }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await world.sleep(until: deadline, tolerance: nil)
        while case let runsAt = runs(at: elapsed), runsAt > elapsed {
            try await world.sleep(until: Instant(offset: runsAt), tolerance: nil)
        }
    }
}
