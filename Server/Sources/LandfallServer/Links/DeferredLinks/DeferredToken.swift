// SPDX-License-Identifier: Apache-2.0
import Crypto
import LandfallRules
import LandfallWire

/// A token that a link's page gives to a visitor, and that the app's first open sends back. The store keeps only its hash.
package struct DeferredToken: Hashable, Sendable {
    enum Kind: String, Sendable { case pasteboard, code }

    static let parameter = "lf_token"
    static let pasteboardLifeMs: Int64 = 7 * 86_400_000
    /// People type it at once, so a short one is safe enough.
    static let codeLifeMs: Int64 = 3_600_000

    package let text: String
    let kind: Kind

    /// At least 128 random bits, in base58.
    static func pasteboard() -> DeferredToken {
        DeferredToken(text: RandomText.draw(22, of: RandomText.base58), kind: .pasteboard)
    }

    /// 60 random bits, in letters and digits that are hard to confuse.
    static func code() -> DeferredToken { DeferredToken(text: RandomText.draw(12, of: RandomText.typed), kind: .code) }

    private init(text: String, kind: Kind) {
        self.text = text
        self.kind = kind
    }

    /// Reads what an app found or a person typed: the link with its token, the bare token, or the code in any grouping. Nil for
    /// anything else.
    package init?(presented: String) {
        var bare = presented
        if let link = try? LinkAddress(presented) {
            // The page appends its own token after all other parameters.
            guard let token = try? link.queryItems().last(where: { $0.name == Self.parameter })?.value else { return nil }
            bare = token
        }
        guard let bare = DeferredLinkRequest.token(from: bare) else { return nil }
        if bare.utf8.count == 22, bare.utf8.allSatisfy(RandomText.base58.contains) {
            self.init(text: bare, kind: .pasteboard)
            return
        }
        let code = bare.uppercased()
        guard code.utf8.count == 12, code.utf8.allSatisfy(RandomText.typed.contains) else { return nil }
        self.init(text: code, kind: .code)
    }

    /// As it is stored.
    package var hash: [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }

    /// The form for people: a code in groups of four.
    var shown: String {
        guard kind == .code else { return text }
        return [text.prefix(4), text.dropFirst(4).prefix(4), text.dropFirst(8)].joined(separator: "-")
    }

    var lifeMs: Int64 { kind == .code ? Self.codeLifeMs : Self.pasteboardLifeMs }

    /// The link with the token, for the pasteboard. A link that would be too long for the app is reduced to its host and the
    /// token. A token that is already in the followed link is removed: it belongs to another click.
    func link(_ address: LinkAddress) -> String {
        let start = Substring(address.text.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        let query = address.query { $0 != Self.parameter }.map { "?\($0)" } ?? ""
        let fragment = address.fragment.map { "#\($0)" } ?? ""
        let whole = "\(start)\(query)\(fragment)".adding(parameters: "\(Self.parameter)=\(text)")
        guard whole.utf8.count > DeferredLinkRequest.longestToken else { return whole }
        return "https://\(address.host ?? "")/?\(Self.parameter)=\(text)"
    }
}
