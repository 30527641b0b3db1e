// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// When the server of a run lived: it is killed and started again while phones wait.
package final class ServerLives: Sendable {
    /// From the first connection that is accepted until the kill; nil: it lives.
    package struct Life: Hashable, Sendable {
        package var from: ContinuousClock.Instant
        var until: ContinuousClock.Instant?

        package init(from: ContinuousClock.Instant, until: ContinuousClock.Instant? = nil) {
            (self.from, self.until) = (from, until)
        }
    }

    private let lives = Mutex<[Life]>([])

    package init() {}

    /// It accepts connections.
    package func begins() { lives.withLock { $0.append(Life(from: .now)) } }

    /// It is killed now. Said again of the same life, or before the first, it changes nothing.
    package func ends() {
        lives.withLock { lives in
            guard let last = lives.indices.last, lives[last].until == nil else { return }
            lives[last].until = .now
        }
    }

    /// True where the same life lasted from then until now.
    func hasLived(since instant: ContinuousClock.Instant) -> Bool {
        lives.withLock { $0.allSatisfy { $0.until.map { $0 < instant } ?? true } }
    }

    /// The lives as a phone saw them that began at that instant.
    func seen(from begun: ContinuousClock.Instant) -> [PerfectClient.ServerLife] {
        lives.withLock { lives in
            lives.map { .init(from: begun.duration(to: $0.from), until: $0.until.map { begun.duration(to: $0) }) }
        }
    }
}
