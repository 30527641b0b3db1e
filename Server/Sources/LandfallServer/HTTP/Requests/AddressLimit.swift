// SPDX-License-Identifier: Apache-2.0
import Crypto
import HTTPTypes
import Hummingbird
import LandfallWire
import Synchronization

/// Limits how often one network address may do something within ten minutes.
///
/// Carriers and offices put thousands of phones behind one address, so the limits are far above what phones do, and the error
/// asks the caller to come back later.
///
/// No address is stored: an HMAC under a random key chooses one of 65,536 counters, and many addresses share a counter. Key and
/// counters are in this node's memory only; of what an address may do, a node allows its share. The first call after the ten minutes
/// replaces both.
package final class AddressLimit: Sendable {
    static let windowMs: Int64 = 600_000
    fileprivate static let places = 65_536

    fileprivate struct Window {
        let endsAtMs: Int64
        let code = KeyedCode(key: SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) })
        var counts = [UInt16](repeating: 0, count: AddressLimit.places)
    }

    let limit: Limit
    /// The most calls in one window, at all nodes together.
    let most: Int
    private let share: NodeShare
    /// What is limited, for the sentence of the error.
    private let what: String
    private let state = Mutex<Window?>(nil)

    /// - Parameter most: 1…65,534.
    package init(_ limit: Limit, most: Int, of what: String, share: NodeShare = .whole) {
        precondition((1..<Int(UInt16.max)).contains(most), "A counter holds at most 65,535, and one call more is counted.")
        self.limit = limit
        self.most = most
        self.what = what
        self.share = share
    }

    /// Counts one call.
    /// - Parameter address: nil has no limit.
    /// - Throws: an error if there were too many calls before it, with the seconds until the window ends.
    func take(_ address: ClientAddress?, nowMs: Int64) throws(LimitReached) {
        // Counted first: of two calls at the same time for one place, one is refused.
        guard counted(address, nowMs: nowMs) > share.of(most) else { return }
        try check(address, nowMs: nowMs)
    }

    /// - Throws: an error if there were too many calls already.
    func check(_ address: ClientAddress?, nowMs: Int64) throws(LimitReached) {
        guard let address else { return }
        let most = share.of(most)
        let endsAtMs: Int64? = state.withLock { window in
            guard let window, window.isOpen(nowMs: nowMs), window.counts[window.place(of: address)] >= most else { return nil }
            return window.endsAtMs
        }
        guard let endsAtMs else { return }
        throw .rate(
            limit, "This network has sent \(most) \(what) within ten minutes. Try again later.", from: nowMs, to: endsAtMs)
    }

    /// Counts one call, for callers that are not refused but handled differently.
    /// - Returns: false if there were too many calls before it.
    func admits(_ address: ClientAddress?, nowMs: Int64) -> Bool { counted(address, nowMs: nowMs) <= share.of(most) }

    func count(_ address: ClientAddress?, nowMs: Int64) { _ = counted(address, nowMs: nowMs) }

    /// - Returns: the calls so far; 0 for an address without a limit.
    private func counted(_ address: ClientAddress?, nowMs: Int64) -> Int {
        guard let address else { return 0 }
        return state.withLock { state in
            var window = state ?? Window(endsAtMs: nowMs + Self.windowMs)
            // The counters have a single owner here, so that they are changed in place.
            state = nil
            if !window.isOpen(nowMs: nowMs) { window = Window(endsAtMs: nowMs + Self.windowMs) }
            let place = window.place(of: address)
            if window.counts[place] < .max { window.counts[place] += 1 }
            defer { state = window }
            return Int(window.counts[place])
        }
    }
}

extension AddressLimit.Window {
    /// Also false if the clock was set back. Calls of one instant arrive slightly out of order; up to one second of that is
    /// accepted.
    func isOpen(nowMs: Int64) -> Bool { (endsAtMs - AddressLimit.windowMs - 1_000..<endsAtMs).contains(nowMs) }

    func place(of address: ClientAddress) -> Int {
        var code = code
        code.add(ClientNetwork(of: address).bytes)
        return Int(UInt64(bitPattern: code.number) >> 48)
    }
}
