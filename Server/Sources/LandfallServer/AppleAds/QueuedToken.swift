// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// What the store knows of a token that an install sends.
struct TokenUse: Hashable, Sendable {
    /// The install that sent the token first.
    var owner: InstallID?
    /// The tokens that the sender has sent before.
    var sent: Set<TokenHash> = []
}

/// A token that is new to the queue, with its exchange: one per token, for the install that sent it first. The same token from
/// another install is answered at once: it would attribute one download twice.
struct QueuedToken: Hashable, Sendable {
    /// Further tokens of one install are not sent to Apple.
    static let mostPerInstall = 32

    let text: String
    let exchange: AppleAdsExchange
    /// With it this node has the job; nil: the job is stored as due.
    var lease: JobLease?

    var isOwn: Bool { exchange.isOpen }

    /// - Parameter hash: of the text.
    /// - Returns: nil if there is nothing to add: the install has sent the token before, or too many others.
    init?(_ text: String, _ hash: TokenHash, of install: Install, _ use: TokenUse, nowMs: Int64) {
        guard hash != install.exchange?.tokenHash, !use.sent.contains(hash), use.sent.count < Self.mostPerInstall else {
            return nil
        }
        self.text = text
        let isOwn = use.owner == nil || use.owner == install.id
        exchange = AppleAdsExchange(
            tokenHash: hash, state: isOwn ? .waiting(dueAtMs: nowMs) : .unavailable(.tokenReused), receivedAtMs: nowMs)
    }
}

extension AdToken {
    /// Checks the length only; ``AppleAdsToken`` has the rule for the form of a token.
    /// - Throws: ``InstallError/invalidValue(_:)``
    func checkLength() throws(InstallError) {
        switch self {
        case .coming: return
        case .none(let reason):
            guard (1...Limits.reason).contains(reason.rawValue.utf8.count) else {
                throw .invalidValue("The reason for having no ad token has 1 to \(Limits.reason) bytes.")
            }
        case .value(let text):
            guard (1...4096).contains(text.utf8.count) else { throw .invalidValue("An ad token has 1 to 4096 bytes.") }
        }
    }
}

extension AppleAdsExchange {
    /// Which of several exchanges of an install counts: the newest; of equal ones, the first in the store's order.
    func newer(than other: AppleAdsExchange?) -> AppleAdsExchange {
        guard let other else { return self }
        let isNewer = (-receivedAtMs, tokenHash.rawValue) < (-other.receivedAtMs, other.tokenHash.rawValue)
        return isNewer ? self : other
    }
}

/// Which texts can be a token, decided before Apple is asked.
enum AppleAdsToken {
    /// 1…4,096 visible ASCII characters: Apple's tokens are base64 text of a few hundred.
    static func isPlausible(_ token: String) -> Bool {
        (1...4096).contains(token.utf8.count) && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension AdToken {
    var isValue: Bool { if case .value = self { true } else { false } }
}

extension Snapshot {
    /// The token as this configuration accepts it: an app without Apple Ads does not wait for an answer.
    func accepted(_ token: AdToken) -> AdToken {
        guard asksAppleAds else { return .none(.collectionOff) }
        guard case .none(let reason) = token else { return token }
        return .none(UnavailableReason(reason.rawValue.cut(toBytes: Limits.reason)))
    }
}
