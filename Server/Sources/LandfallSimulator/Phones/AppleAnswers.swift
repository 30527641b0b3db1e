// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Remembers when a running server received Apple's answer about each user.
package final class AppleAnswers: Sendable {
    private let instants = Mutex<[String: ContinuousClock.Instant]>([:])
    private let lives: ServerLives

    package init(to lives: ServerLives) { self.lives = lives }

    /// What ``AppleAdsSimulator`` reports. Broken JSON does not count as an answer, and a server that was killed while it waited gets
    /// none.
    package func answered(token: String, status: Int) {
        let now = ContinuousClock.now
        guard status == 200, let order = SimulatedToken(token), case .answer = order.ending,
            lives.hasLived(since: now - order.delay)
        else { return }
        instants.withLock { if $0[token] == nil { $0[token] = now } }
    }

    func instant(of token: String) -> ContinuousClock.Instant? { instants.withLock { $0[token] } }
}
