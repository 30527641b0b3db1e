// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// Who signed in, as a verified ID token says.
struct OpenIDPerson: Hashable, Sendable {
    /// Never given to somebody else by the same issuer.
    let subject: String
    /// Verified by the provider, and below an allowed domain.
    let email: MemberEmail
    let name: String
    /// Nil: groups say nothing here.
    let groups: [String]?
    /// When the person last proved who they are; nil: the provider does not say.
    let provenAtMs: Int64?
}

/// What an ID token has to say before its person is believed. Reads no clock.
struct IDClaims: Sendable {
    /// How far both clocks may differ.
    static let leewayMs: Int64 = 60_000
    /// A token is used within seconds; older ones are replayed, or the clock is wrong.
    static let oldestMs: Int64 = 10 * 60_000

    let rules: OpenIDRules
    let nonce: String
    let nowMs: Int64

    func person(of claims: [String: JSONValue]) throws(OpenIDRefusal) -> OpenIDPerson {
        try check(claims)
        guard let subject = claims.text("sub"), (1...255).contains(subject.utf8.count) else { throw .claims }
        guard claims.flag("email_verified") == true, let address = claims.text("email"), let email = MemberEmail(address) else {
            throw .unverified
        }
        let host = email.text.split(separator: "@").last.map(String.init) ?? ""
        guard rules.domains.contains(where: { $0.hasSameBytes(as: host) }) else { throw .foreign }
        let visible: [Unicode.Scalar] = (claims.text("name") ?? "").unicodeScalars.filter { $0.isVisible && !$0.turnsText }
        let name = String(String.UnicodeScalarView(visible)).cut(toBytes: 100)
        return OpenIDPerson(
            subject: subject, email: email, name: name.isEmpty ? email.text : name, groups: try groups(of: claims),
            provenAtMs: claims.milliseconds("auth_time"))
    }

    private func check(_ claims: [String: JSONValue]) throws(OpenIDRefusal) {
        guard claims.text("iss")?.hasSameBytes(as: rules.issuer) == true else { throw .claims }
        let audiences = claims.texts("aud")
        guard audiences.contains(where: { $0.hasSameBytes(as: rules.clientID) }) else { throw .claims }
        let party = claims.text("azp")
        // With several audiences the token says for whom it was made.
        guard audiences.count == 1 || party != nil, party?.hasSameBytes(as: rules.clientID) ?? true else { throw .claims }
        guard let expires = claims.milliseconds("exp"), let issued = claims.milliseconds("iat"), nowMs < expires + Self.leewayMs,
            issued <= nowMs + Self.leewayMs, nowMs - issued <= Self.oldestMs
        else { throw .claims }
        if let notBefore = claims.milliseconds("nbf"), notBefore > nowMs + Self.leewayMs { throw .claims }
        guard let given = claims.text("nonce"), OpenIDFlow.areEqual(given, nonce) else { throw .nonce }
    }

    /// - Throws: `manyGroups`, because a list that is elsewhere is not an empty list.
    private func groups(of claims: [String: JSONValue]) throws(OpenIDRefusal) -> [String]? {
        guard let claim = rules.groups?.claim else { return nil }
        if claims[claim] == nil, case .object(let others)? = claims["_claim_names"], others[claim] != nil { throw .manyGroups }
        return claims.texts(claim)
    }
}

extension [String: JSONValue] {
    fileprivate func text(_ name: String) -> String? {
        guard case .string(let text)? = self[name], !text.unicodeScalars.contains("\0") else { return nil }
        return text
    }

    /// One text, or a list of them.
    fileprivate func texts(_ name: String) -> [String] {
        switch self[name] {
        case .string(let text)?: [text]
        case .array(let values)?:
            values.compactMap { value in
                if case .string(let text) = value { text } else { nil }
            }
        default: []
        }
    }

    /// Some providers write it as a text.
    fileprivate func flag(_ name: String) -> Bool? {
        switch self[name] {
        case .bool(let flag)?: flag
        case .string(let text)?: Bool(text)
        default: nil
        }
    }

    /// Of a number of seconds since 1970.
    fileprivate func milliseconds(_ name: String) -> Int64? {
        let seconds: Double? =
            switch self[name] {
            case .integer(let value)?: Double(value)
            case .number(let value)?: value
            default: nil
            }
        return seconds.flatMap { (0...100_000_000_000).contains($0) ? Int64($0 * 1000) : nil }
    }
}
