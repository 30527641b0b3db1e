// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import Synchronization

/// Keeps the calls of this node as far apart as Apple's limits want, and none is made before the end of a rest that Apple asked for.
final class AppStorePacing: Sendable {
    private struct Lane: Hashable {
        let environment: AppStoreEnvironment
        let pace: AppStoreCall.Pace
    }

    private struct State {
        /// When the next call of a lane may leave.
        var next: [Lane: Int64] = [:]
        var rest: [AppStoreEnvironment: Int64] = [:]
    }

    /// Apple counts by the hour. A longer rest is not believed, and neither is a clock that says one.
    static let longestRestMs: Int64 = 3_900_000
    /// Where Apple does not say how long.
    static let usualRestMs: Int64 = 60_000

    private let state = Mutex(State())

    /// Takes the next place in the lane.
    /// - Returns: how many milliseconds to wait for it.
    /// - Throws: ``AppStoreAPIError/limited(untilMs:)``
    func place(of call: AppStoreCall, in environment: AppStoreEnvironment, nowMs: Int64) throws(AppStoreAPIError) -> Int64 {
        let lane = Lane(environment: environment, pace: call.pace)
        let spacing = 1_000 / call.pace.rawValue * (environment == .production ? 1 : 10)
        let (rest, waitMs) = state.withLock { state in
            if let rest = state.rest[environment], rest > nowMs, rest <= nowMs + Self.longestRestMs { return (rest as Int64?, Int64(0)) }
            // A clock that was set back makes nobody wait for it.
            let next = state.next[lane].flatMap { $0 <= nowMs + 60_000 ? $0 : nil } ?? nowMs
            let at = max(next, nowMs)
            state.next[lane] = at + spacing
            return (nil, at - nowMs)
        }
        if let rest { throw .limited(untilMs: rest) }
        return waitMs
    }

    /// Apple has answered 429.
    /// - Parameter retryAfter: unlike elsewhere it is an instant, in Unix milliseconds.
    /// - Returns: until when nothing is asked.
    func rest(_ environment: AppStoreEnvironment, retryAfter: String?, nowMs: Int64) -> Int64 {
        let said = retryAfter.flatMap { Int64($0) } ?? 0
        let untilMs = said > nowMs && said <= nowMs + Self.longestRestMs ? said : nowMs + Self.usualRestMs
        state.withLock { $0.rest[environment] = untilMs }
        return untilMs
    }
}
