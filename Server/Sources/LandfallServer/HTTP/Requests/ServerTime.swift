// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The server's only source of time. Rules use Unix milliseconds; waits are durations of a monotonic clock.
package struct ServerTime: Sendable {
    package let nowMs: @Sendable () -> Int64
    /// Returns after `for`, or throws `CancellationError`.
    package let sleep: @Sendable (_ for: Duration) async throws -> Void

    package init(nowMs: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (_ for: Duration) async throws -> Void) {
        (self.nowMs, self.sleep) = (nowMs, sleep)
    }

    package static let live = ServerTime(
        nowMs: { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) },
        sleep: { try await Task.sleep(for: $0) }
    )
}

extension Duration {
    /// Whole milliseconds, rounded towards zero.
    package var wholeMilliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
