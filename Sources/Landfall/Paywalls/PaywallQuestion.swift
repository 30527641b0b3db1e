// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// What a call asks for.
struct PaywallQuestion: Hashable, Sendable {
    var placement: PlacementID
    var kind: PaywallAnswer.AudienceKind
    var locale: String?
    var cache: CachePolicy
}

/// One answer of the server: everything in which two calls must agree to share one request.
struct PaywallKey: Hashable, Sendable, Codable {
    let placement: PlacementID
    let kind: PaywallAnswer.AudienceKind
    /// As ``normalised(locale:)`` returns it; empty if neither the call nor the device names one.
    let locale: String

    init(_ placement: PlacementID, _ kind: PaywallAnswer.AudienceKind, locale: String?) {
        self.placement = placement
        self.kind = kind
        self.locale = Self.normalised(locale: locale ?? "")
    }

    func with(_ kind: PaywallAnswer.AudienceKind) -> PaywallKey { PaywallKey(placement, kind, locale: locale) }

    /// Case is ignored, `_` and `-` are the same, and POSIX suffixes after a dot or an at sign are dropped.
    static func normalised(locale: String) -> String {
        let plain = locale.prefix { $0 != "." && $0 != "@" }
        return String(plain.map { $0 == "_" ? "-" : $0 }).lowercased()
    }
}
