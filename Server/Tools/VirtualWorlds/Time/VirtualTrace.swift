// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What happened in one world, in order, each with its time; and which guarantees did not hold.
final class VirtualTrace: Sendable {
    private struct State {
        var lines: [String] = []
        var broken: [String] = []
    }

    private let clock: VirtualClock
    private let keepsLines: Bool
    private let state = Mutex(State())

    /// - Parameter keepsLines: false keeps only broken guarantees: a run of many seeds repeats the world that fails.
    init(_ clock: VirtualClock, keepsLines: Bool) {
        self.clock = clock
        self.keepsLines = keepsLines
    }

    var lines: [String] { state.withLock { $0.lines } }
    var broken: [String] { state.withLock { $0.broken } }

    func say(_ text: @autoclosure () -> String) {
        guard keepsLines else { return }
        let line = "\(stamp)  \(text())"
        state.withLock { $0.lines.append(line) }
    }

    /// A guarantee that does not hold.
    /// - Parameter guarantee: its name in the design, for example `D1`.
    func broke(_ guarantee: String, _ text: String) {
        let line = "\(stamp)  ✘ \(guarantee): \(text)"
        state.withLock { state in
            state.lines.append(line)
            state.broken.append(line)
        }
    }

    private var stamp: String {
        let (seconds, attoseconds) = clock.elapsed.components
        let digits = String(attoseconds / 1_000_000_000_000)
        return "\(seconds).\(String(repeating: "0", count: max(0, 6 - digits.count)))\(digits)"
    }
}
