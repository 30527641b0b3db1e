// SPDX-License-Identifier: Apache-2.0

/// Why a link must not be stored or sent: it contains a secret of the person.
public enum LinkCredential: Hashable, Sendable {
    /// The answer of a sign-in, which a sign-in library waits for.
    case signInAnswer
    /// A link that resets a password, confirms an address or signs a person in: it leads into the app.
    case secret
}

extension LinkAddress {
    /// The answer of a sign-in is recognised by its scheme (`fb…://authorize`, Google's) or by its parameters: one of
    /// ``signInNames``, or `state` beside `code` or `error`.
    ///
    /// A secret is a parameter with a value, in the query, in the fragment or in an address inside them, whose name ends with
    /// one of ``secretEndings`` or is one of ``secretNames``; upper and lower case, `_` and `-` make no difference. A `code` is
    /// a secret if its value is 4 to 10 digits or at least 20 bytes, or if a word of the path is one of ``accountWords``; the
    /// `code` of a promotion is not. Tracking parameters are never secrets. A secret in the path is not recognised.
    public var credential: LinkCredential? {
        if scheme.hasPrefix("com.googleusercontent.apps.") { return .signInAnswer }
        if scheme.hasPrefix("fb"), scheme.dropFirst(2).first?.isNumber == true, authority.lowercased() == "authorize" {
            return .signInAnswer
        }
        var names: Set<String> = []
        var isSecret = false
        for text in [query, fragment] {
            // Decoded as a whole, so that an address inside a parameter is checked like the link itself.
            let bytes = PercentEncoding.bytes(of: (text ?? "")[...])
            for part in bytes.split(whereSeparator: { "&?/#".utf8.contains($0) }) {
                let name = part.prefix { $0 != UInt8(ascii: "=") }
                guard !LinkQueryItem.isTracking(String(decoding: name, as: UTF8.self)) else { continue }
                let word = Self.plain(name)
                names.insert(word)
                let value = part.dropFirst(name.count + 1)
                if !value.isEmpty { isSecret = isSecret || Self.isSecret(word) || word == "code" && isOneTime(value) }
            }
        }
        if !names.isDisjoint(with: Self.signInNames) || names.contains("state") && !names.isDisjoint(with: ["code", "error"]) {
            return .signInAnswer
        }
        return isSecret ? .secret : nil
    }

    /// True for a link that must not be stored or sent, see ``credential``.
    public var carriesCredential: Bool { credential != nil }

    /// The names in the form in which they are compared: lower case, without `_` and `-`.
    static let signInNames: Set = [
        "accesstoken", "idtoken", "refreshtoken", "oauthtoken", "oauthverifier", "authtoken", "clientsecret", "samlresponse",
    ]
    static let secretEndings = ["token", "password", "passcode", "secret", "otp"]
    static let secretNames: Set = [
        "passwd", "pwd", "jwt", "tokenhash", "oobcode", "authcode", "logincode", "onetimecode", "resetcode", "recoverycode",
        "verificationcode", "confirmationcode", "ticket",
    ]
    static let accountWords: Set = [
        "2fa", "activate", "activation", "auth", "callback", "confirm", "confirmation", "login", "magic", "mfa", "oauth", "otp",
        "password", "recover", "recovery", "reset", "signin", "verification", "verify",
    ]

    private static func isSecret(_ name: String) -> Bool {
        secretNames.contains(name) || secretEndings.contains { name.utf8.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }

    private func isOneTime(_ value: ArraySlice<UInt8>) -> Bool {
        if value.count >= 20 || (4...10).contains(value.count) && value.allSatisfy({ (48...57).contains($0) }) { return true }
        return [isWeb ? "" : authority, path, fragment ?? ""].contains { text in
            text.utf8.split { "/-_.?".utf8.contains($0) }.contains { Self.accountWords.contains(Self.plain($0)) }
        }
    }

    private static func plain(_ name: some Sequence<UInt8>) -> String {
        let letters = name.lazy.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
        return String(decoding: letters.map { (65...90).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
