// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire
import Synchronization

/// Counts deferred-link tokens that led nowhere, for each install, so that codes cannot be tried out. One node's memory, and
/// its share of what an install may do: a restart resets the counts, but there are too many tokens to guess one in that time.
package final class WrongTokens: Sendable {
    /// At all nodes together.
    static let most = 10
    static let windowMs: Int64 = 3_600_000
    /// The most installs that are counted; above it those whose last wrong token is oldest are dropped.
    private static let mostInstalls = 10_000

    private let share: NodeShare
    private let state = Mutex([HeldAnswers.Key: [Int64]]())

    package init(share: NodeShare = .whole) { self.share = share }

    /// - Throws: an error if the install sent too many wrong tokens, with the seconds until it may try again.
    func check(_ app: AppID, _ install: InstallID, nowMs: Int64) throws(LimitReached) {
        let times = state.withLock { $0[HeldAnswers.Key(app: app, install: install)] ?? [] }.filter { nowMs - $0 < Self.windowMs }
        let most = share.of(Self.most)
        guard let first = times.suffix(most).first, times.count >= most else { return }
        throw .rate(
            .codesByInstall, "This install has shown \(most) codes that lead nowhere within an hour. Try again later.",
            from: nowMs, to: first + Self.windowMs)
    }

    func wrong(_ app: AppID, _ install: InstallID, nowMs: Int64) {
        state.withLock { state in
            let key = HeldAnswers.Key(app: app, install: install)
            let recent = (state[key] ?? []).filter { nowMs - $0 < Self.windowMs }
            state[key] = (recent + [nowMs]).suffix(Self.most)
            guard state.count > Self.mostInstalls else { return }
            // Half of them at once, so that this work is rare.
            let newest = state.sorted { ($0.value.last ?? 0) > ($1.value.last ?? 0) }.prefix(Self.mostInstalls / 2)
            state = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
        }
    }
}
