// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Ends many waits of equal length with one timer: the oldest wait always ends next. With a timer for each wait, the thread
/// that keeps the timers took 6 % of the cost of a first open.
///
/// The timer goes on when nothing waits any more, and ends if nothing waits when it rings: so it rings a few times a second however many
/// waits begin and end in between. At half of what a node can answer hardly two first opens wait at the same time, and a timer that
/// ended with the last of them would be one for each.
final class SharedTimeout: Sendable {
    typealias Place = Int

    fileprivate struct Waiting {
        let endsAtMs: Int64
        let onEnd: @Sendable () -> Void
    }

    fileprivate struct State {
        /// Places are numbered upwards: the lowest is the oldest.
        var waiting: [Place: Waiting] = [:]
        var oldest = 0
        var next = 0
        /// True from the first wait until the timer rings and nothing waits.
        var isTiming = false
    }

    private let patience: Duration
    private let state = Mutex(State())

    init(_ patience: Duration) { self.patience = patience }

    /// - Parameters:
    ///   - time: the same for all waits. If the clock is set, one wait becomes longer or shorter, at most twice as long.
    ///   - onEnd: called once, after the time, unless `leave` came first. It must return at once.
    func wait(by time: ServerTime, onEnd: @escaping @Sendable () -> Void) -> Place {
        state.withLock { state in
            let place = state.next
            let endsAtMs = time.nowMs() + patience.wholeMilliseconds
            state.waiting[place] = Waiting(endsAtMs: endsAtMs, onEnd: onEnd)
            state.next += 1
            if !state.isTiming {
                state.isTiming = true
                state.oldest = place
                Task { await self.run(endsAtMs, time) }
            }
            return place
        }
    }

    func leave(_ place: Place) { state.withLock { $0.waiting[place] = nil } }

    private func run(_ endsAtMs: Int64, _ time: ServerTime) async {
        var (endsAtMs, left) = (endsAtMs, patience)
        while true {
            do { try await time.sleep(left) } catch {
                // Nothing cancels this task: the clock has ended. The next wait tries again.
                return state.withLock { $0.isTiming = false }
            }
            // The sleep has ended, whatever the clock says.
            let reachedMs = max(endsAtMs, time.nowMs())
            let (due, next) = state.withLock { $0.take(until: reachedMs) }
            for one in due { one.onEnd() }
            guard let next else { return }
            endsAtMs = next
            left = min(max(.zero, .milliseconds(next - time.nowMs())), patience)
        }
    }
}

extension SharedTimeout.State {
    /// - Returns: the waits that are over, and when the next one ends; nil if nothing waits any more.
    fileprivate mutating func take(until nowMs: Int64) -> (due: [SharedTimeout.Waiting], next: Int64?) {
        var due: [SharedTimeout.Waiting] = []
        while oldest < next {
            if let one = waiting[oldest] {
                guard one.endsAtMs <= nowMs else { return (due, one.endsAtMs) }
                due.append(one)
                waiting[oldest] = nil
            }
            oldest += 1
        }
        isTiming = false
        return (due, nil)
    }
}
