// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The rule for what may be a token at all, before anyone asks Apple.
enum AppleAdsToken {
    /// 1…4,096 visible ASCII characters: Apple's are base64 text of a few hundred.
    static func isPlausible(_ token: String) -> Bool {
        (1...4096).contains(token.utf8.count) && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension AdToken {
    var isValue: Bool { if case .value = self { true } else { false } }
}

extension Snapshot {
    /// The token as this configuration takes it: an app that does not use Apple Ads waits for nothing.
    func accepted(_ token: AdToken) -> AdToken {
        guard asksAppleAds else { return .none(.collectionOff) }
        guard case .none(let reason) = token else { return token }
        return .none(UnavailableReason(reason.rawValue.cut(toBytes: Limits.reason)))
    }
}
