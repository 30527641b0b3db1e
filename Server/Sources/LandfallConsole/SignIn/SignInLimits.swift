// SPDX-License-Identifier: Apache-2.0
import Crypto
import LandfallServer
import LandfallWire
import Synchronization

/// Limits how often a password may be wrong: ten times within 15 minutes for an account, and for a network.
///
/// No address is stored: an HMAC under a random key chooses one of 16,384 counters, so that the table never grows. Accounts that
/// do not exist count like others.
final class SignInLimits: Sendable {
    static let windowMs: Int64 = 15 * 60_000
    static let most: UInt8 = 10
    /// The failures of a window that the audit log tells one by one: many networks together cannot fill the store.
    static let mostLogged = 500
    private static let places = 16_384

    private struct Window {
        let endsAtMs: Int64
        let code = KeyedCode(key: SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) })
        var counts = [UInt8](repeating: 0, count: SignInLimits.places)
        var logged = 0

        func place(of key: [UInt8]) -> Int {
            var code = code
            code.add(key)
            return Int(UInt64(bitPattern: code.number) % UInt64(counts.count))
        }
    }

    private let state = Mutex<Window?>(nil)

    /// Counts a try before it is checked, so that many at once are no more than the limit.
    /// - Returns: the seconds until the window ends, if there were too many before.
    func take(_ email: MemberEmail, from network: ClientNetwork?, nowMs: Int64) -> Int? {
        state.withLock { state in
            var window = state.flatMap { (nowMs..<nowMs + Self.windowMs + 1_000).contains($0.endsAtMs - 1) ? $0 : nil }
                ?? Window(endsAtMs: nowMs + Self.windowMs)
            state = nil
            let places = Self.keys(email, network).map { window.place(of: $0) }
            let isFull = places.contains { window.counts[$0] >= Self.most }
            if !isFull { for place in places { window.counts[place] += 1 } }
            state = window
            return isFull ? LimitReached.seconds(from: nowMs, to: window.endsAtMs) : nil
        }
    }

    /// The try was right: it does not count.
    func giveBack(_ email: MemberEmail, from network: ClientNetwork?) {
        state.withLock { state in
            guard var window = state else { return }
            state = nil
            for place in Self.keys(email, network).map({ window.place(of: $0) }) where window.counts[place] > 0 {
                window.counts[place] -= 1
            }
            state = window
        }
    }

    /// Counts a failure that is to be logged.
    /// - Returns: false above ``mostLogged``; the same for every account, so that nothing tells which exist.
    func mayLog() -> Bool {
        state.withLock { state in
            guard var window = state, window.logged < Self.mostLogged else { return state == nil }
            state = nil
            window.logged += 1
            state = window
            return true
        }
    }

    private static func keys(_ email: MemberEmail, _ network: ClientNetwork?) -> [[UInt8]] {
        [[1] + Array(email.text.utf8)] + (network.map { [[2] + $0.bytes] } ?? [])
    }
}
