// SPDX-License-Identifier: Apache-2.0
import Crypto
import LandfallWire

/// One ad token on its way to Apple, and what became of it. There is one per token, bound to the install that sent it first.
struct AppleAdsExchange: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// Apple has not answered for good; not asked again before this instant (Unix milliseconds).
        case waiting(dueAtMs: Int64)
        case attributed
        case organic
        case unavailable(UnavailableReason)
    }

    let tokenHash: TokenHash
    let state: State
    let receivedAtMs: Int64

    var isOpen: Bool { if case .waiting = state { true } else { false } }
}

/// SHA-256 of an ad token in lower-case hexadecimal: knows a token again after its text was erased.
struct TokenHash: Hashable, Sendable, RawRepresentable {
    let rawValue: String
    init(rawValue: String) { self.rawValue = rawValue }

    init(of token: String) {
        rawValue = SHA256.hash(data: Array(token.utf8)).hexadecimal
    }
}

extension Sequence<UInt8> {
    /// Two lower-case digits a byte.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
