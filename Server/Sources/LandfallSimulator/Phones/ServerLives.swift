// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// When the server of a run lived: it is killed and started again while phones wait.
package final class ServerLives: Sendable {
    /// From the first accepted connection until the kill; nil end: it lives.
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

    /// The server is killed now. A second call in the same life, or a call before the first life, changes nothing.
    package func ends() {
        lives.withLock { lives in
            guard let last = lives.indices.last, lives[last].until == nil else { return }
            lives[last].until = .now
        }
    }

    /// True if the same life lasted from then until now.
    func hasLived(since instant: ContinuousClock.Instant) -> Bool {
        lives.withLock { $0.allSatisfy { $0.until.map { $0 < instant } ?? true } }
    }

    /// The lives as seen by a phone that started at that instant.
    func seen(from begun: ContinuousClock.Instant) -> [PerfectClient.ServerLife] {
        lives.withLock { lives in
            lives.map { .init(from: begun.duration(to: $0.from), until: $0.until.map { begun.duration(to: $0) }) }
        }
    }
}
