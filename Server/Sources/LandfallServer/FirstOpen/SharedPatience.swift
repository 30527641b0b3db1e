// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Says of each of many that it has waited for long enough. All wait equally long, so that the oldest is the next, and one timer
/// is enough: with a timer for each, the thread that keeps them took 6 % of what a first open costs.
final class SharedPatience: Sendable {
    typealias Place = Int

    fileprivate struct Waiting {
        let endsAtMs: Int64
        let onEnd: @Sendable () -> Void
    }

    fileprivate struct State {
        /// Places are counted up: the lowest is the oldest.
        var waiting: [Place: Waiting] = [:]
        var oldest = 0
        var next = 0
        /// There as long as anybody waits.
        var timer: Task<Void, Never>?
        /// Which timer it is; an earlier one has no say any more.
        var timers = 0
    }

    private let patience: Duration
    private let state = Mutex(State())

    init(_ patience: Duration) { self.patience = patience }

    /// - Parameters:
    ///   - time: the same for all; a clock that is set anew makes a wait longer or shorter once, never longer than two.
    ///   - onEnd: called once, after the time, unless the place was left before. It returns at once.
    func wait(by time: ServerTime, onEnd: @escaping @Sendable () -> Void) -> Place {
        state.withLock { state in
            let place = state.next
            let endsAtMs = time.nowMs() + patience.wholeMilliseconds
            state.waiting[place] = Waiting(endsAtMs: endsAtMs, onEnd: onEnd)
            state.next += 1
            if state.timer == nil {
                state.oldest = place
                state.timers += 1
                state.timer = Task { [number = state.timers] in await self.run(number, endsAtMs, time) }
            }
            return place
        }
    }

    func leave(_ place: Place) {
        let timer: Task<Void, Never>? = state.withLock { state in
            state.waiting[place] = nil
            guard state.waiting.isEmpty else { return nil }
            defer { state.timer = nil }
            return state.timer
        }
        timer?.cancel()
    }

    private func run(_ number: Int, _ endsAtMs: Int64, _ time: ServerTime) async {
        var (endsAtMs, left) = (endsAtMs, patience)
        while true {
            do { try await time.sleep(left) } catch { return }
            // The sleeper's own end has come, whatever the clock says.
            let reachedMs = max(endsAtMs, time.nowMs())
            let (due, next): ([Waiting], Int64?) = state.withLock { state in
                guard state.timers == number, state.timer != nil else { return ([], nil) }
                return state.take(until: reachedMs)
            }
            for one in due { one.onEnd() }
            guard let next else { return }
            endsAtMs = next
            left = min(max(.zero, .milliseconds(next - time.nowMs())), patience)
        }
    }
}

extension SharedPatience.State {
    /// - Returns: those whose time has come, and when that of the next comes; nil where nobody waits any more.
    fileprivate mutating func take(until nowMs: Int64) -> (due: [SharedPatience.Waiting], next: Int64?) {
        var due: [SharedPatience.Waiting] = []
        while oldest < next {
            if let one = waiting[oldest] {
                guard one.endsAtMs <= nowMs else { return (due, one.endsAtMs) }
                due.append(one)
                waiting[oldest] = nil
            }
            oldest += 1
        }
        timer = nil
        return (due, nil)
    }
}
