// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Synchronization

/// Counts tokens of deferred links that led nowhere, by install, so that nobody tries codes out. One node's memory: a
/// restart forgives, and tokens are too many to be guessed in that time.
final class WrongTokens: Sendable {
    static let most = 10
    static let windowMs: Int64 = 3_600_000
    /// Installs that are remembered; beyond that those that were wrong longest ago are forgotten.
    private static let mostInstalls = 10_000

    private let state = Mutex([Holds.Key: [Int64]]())

    /// - Throws: `rate_limited` where the install has been wrong too often, with the seconds until it may try again.
    func check(_ app: AppID, _ install: InstallID, nowMs: Int64) throws(RequestError) {
        let times = state.withLock { $0[Holds.Key(app: app, install: install)] ?? [] }.filter { nowMs - $0 < Self.windowMs }
        guard times.count >= Self.most, let first = times.first else { return }
        throw RequestError(
            .rateLimited, "This install has shown \(Self.most) codes that lead nowhere within an hour. Try again later.",
            retryAfter: RequestError.seconds(from: nowMs, to: first + Self.windowMs), bound: .codesByInstall
        )
    }

    func wrong(_ app: AppID, _ install: InstallID, nowMs: Int64) {
        state.withLock { state in
            let key = Holds.Key(app: app, install: install)
            let recent = (state[key] ?? []).filter { nowMs - $0 < Self.windowMs }
            state[key] = (recent + [nowMs]).suffix(Self.most)
            guard state.count > Self.mostInstalls else { return }
            // Half at once, so that the work is rare.
            let newest = state.sorted { ($0.value.last ?? 0) > ($1.value.last ?? 0) }.prefix(Self.mostInstalls / 2)
            state = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
        }
    }
}
