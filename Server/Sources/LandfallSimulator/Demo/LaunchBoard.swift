// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Phones and the simulated Apple record events here, and the drawing reads them. Callable from any thread.
package final class LaunchBoard: Sendable {
    private struct Entry {
        var launch: Launch
        let begun: ContinuousClock.Instant
        let token: String
    }

    private let entries = Mutex<[Entry]>([])

    package init() {}

    /// Begins a launch; its times count from now. Returns its place on the board.
    func begin(phone: String, number: Int, token: String, isOnline: Bool = true) -> Int {
        entries.withLock { entries in
            let launch = Launch(phone: phone, number: number, isOnline: isOnline)
            entries.append(Entry(launch: launch, begun: .now, token: token))
            return entries.count - 1
        }
    }

    func note(_ sight: Launch.Sight, at place: Int) {
        entries.withLock { $0[place].launch.note(sight, at: $0[place].begun.duration(to: .now)) }
    }

    func end(_ place: Int, with outcome: Launch.Outcome) {
        entries.withLock { $0[place].launch.end(with: outcome) }
    }

    /// Nothing more is expected of this launch.
    func close(_ place: Int) {
        entries.withLock { $0[place].launch.isOver = true }
    }

    /// Apple answered a token. Answers to unknown tokens are ignored.
    package func appleAnswered(token: String, status: Int) {
        entries.withLock { entries in
            guard let place = entries.firstIndex(where: { $0.token == token }), !entries[place].launch.isOver else { return }
            entries[place].launch.note(.answer(status: status), at: entries[place].begun.duration(to: .now))
        }
    }

    func launch(at place: Int) -> Launch { entries.withLock { $0[place].launch } }

    /// All launches with that number, in the order in which they began, and how long each has run.
    package func launches(number: Int) -> [(launch: Launch, age: Duration)] {
        entries.withLock { entries in
            entries.filter { $0.launch.number == number }.map { ($0.launch, $0.begun.duration(to: .now)) }
        }
    }
}
