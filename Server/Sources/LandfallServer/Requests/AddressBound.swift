// SPDX-License-Identifier: Apache-2.0
import Crypto
import HTTPTypes
import Hummingbird
import LandfallWire
import Synchronization

/// How often one network address may do something within ten minutes.
///
/// Carriers and offices put thousands of phones behind one address, so bounds are far above what phones do, and a caller
/// beyond them is to come back, not to give up.
///
/// No address is kept: an HMAC under a random key chooses one of 65,536 counters, which many addresses share. Key and
/// counters are this node's memory alone, and the first call after the ten minutes replaces both.
final class AddressBound: Sendable {
    static let windowMs: Int64 = 600_000
    fileprivate static let places = 65_536

    fileprivate struct Window {
        let endsAtMs: Int64
        let code = KeyedCode(key: SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) })
        var counts = [UInt16](repeating: 0, count: AddressBound.places)
    }

    let bound: Bound
    /// In one window.
    let most: Int
    /// What is bounded, for the sentence of the refusal.
    private let what: String
    private let state = Mutex<Window?>(nil)

    /// - Parameter most: 1…65,535.
    init(_ bound: Bound, most: Int, of what: String) {
        precondition((1...Int(UInt16.max)).contains(most), "A counter holds 1 to 65,535.")
        self.bound = bound
        self.most = most
        self.what = what
    }

    /// Counts one more.
    /// - Parameter address: nil is not bounded.
    /// - Throws: `rate_limited` where there were `most` before it, with the seconds until the window ends.
    func take(_ address: ClientAddress?, nowMs: Int64) throws(RequestError) {
        try check(address, nowMs: nowMs)
        count(address, nowMs: nowMs)
    }

    /// - Throws: `rate_limited` where there were `most` already.
    func check(_ address: ClientAddress?, nowMs: Int64) throws(RequestError) {
        guard let address else { return }
        let endsAtMs: Int64? = state.withLock { window in
            guard let window, window.isOpen(nowMs: nowMs), window.counts[window.place(of: address)] >= most else { return nil }
            return window.endsAtMs
        }
        guard let endsAtMs else { return }
        throw RequestError(
            .rateLimited, "This network has sent \(most) \(what) within ten minutes. Try again later.",
            retryAfter: RequestError.seconds(from: nowMs, to: endsAtMs), bound: bound
        )
    }

    /// Counts one more, for those who are not refused but treated otherwise.
    /// - Returns: false where there were `most` before it.
    func admits(_ address: ClientAddress?, nowMs: Int64) -> Bool { counted(address, nowMs: nowMs) <= most }

    func count(_ address: ClientAddress?, nowMs: Int64) { _ = counted(address, nowMs: nowMs) }

    /// - Returns: how many there are now; 0 for what is not bounded.
    private func counted(_ address: ClientAddress?, nowMs: Int64) -> Int {
        guard let address else { return 0 }
        return state.withLock { state in
            var window = state ?? Window(endsAtMs: nowMs + Self.windowMs)
            // One owner of the counters, so that they are changed where they are.
            state = nil
            if !window.isOpen(nowMs: nowMs) { window = Window(endsAtMs: nowMs + Self.windowMs) }
            let place = window.place(of: address)
            if window.counts[place] < .max { window.counts[place] += 1 }
            defer { state = window }
            return Int(window.counts[place])
        }
    }
}

extension AddressBound.Window {
    /// False too for a clock that was set back. Calls of one instant come a little out of order, which is no such clock.
    func isOpen(nowMs: Int64) -> Bool { (endsAtMs - AddressBound.windowMs - 1_000..<endsAtMs).contains(nowMs) }

    func place(of address: ClientAddress) -> Int {
        var code = code
        code.add(ClientNetwork(of: address).bytes)
        return Int(UInt64(bitPattern: code.number) >> 48)
    }
}
