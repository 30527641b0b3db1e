// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// So many calls of Apple's paths an hour are answered, counted from the first one.
final class CallLimit: Sendable {
    private static let hour: Int64 = 3_600_000

    private let most: Int
    private let state = Mutex<(count: Int, endsAt: Int64)>((0, 0))

    init(_ most: Int) { self.most = most }

    /// Takes a call.
    /// - Returns: when the next one is answered, in Unix milliseconds; nil if this one is.
    func refusal(at now: Int64) -> Int64? {
        state.withLock { state in
            if now >= state.endsAt { state = (0, now + Self.hour) }
            guard state.count < most else { return state.endsAt }
            state.count += 1
            return nil
        }
    }
}
