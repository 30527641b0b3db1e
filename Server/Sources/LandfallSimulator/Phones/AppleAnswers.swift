// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Records when Apple answered about each user.
public final class AppleAnswers: Sendable {
    private let instants = Mutex<[String: ContinuousClock.Instant]>([:])

    public init() {}

    /// The handler for ``AppleAdsSimulator``'s answers.
    public func answered(token: String, status: Int) {
        guard status == 200 else { return }
        let now = ContinuousClock.now
        instants.withLock { if $0[token] == nil { $0[token] = now } }
    }

    func instant(of token: String) -> ContinuousClock.Instant? { instants.withLock { $0[token] } }
}
