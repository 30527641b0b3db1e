// SPDX-License-Identifier: Apache-2.0
import Crypto
import LandfallWire

/// What a link's page hands to a person, and the app's first open shows again. The store keeps its hash only.
struct DeferredToken: Hashable, Sendable {
    enum Kind: String, Sendable { case pasteboard, code }

    static let parameter = "lf_token"
    static let pasteboardLifeMs: Int64 = 7 * 86_400_000
    /// People type it at once, so that a short one is safe enough.
    static let codeLifeMs: Int64 = 3_600_000

    let text: String
    let kind: Kind

    /// 128 random bits and a little more, in base58.
    static func pasteboard() -> DeferredToken {
        DeferredToken(text: RandomText.draw(22, of: RandomText.base58), kind: .pasteboard)
    }

    /// 60 random bits, in letters and digits that nobody confuses.
    static func code() -> DeferredToken { DeferredToken(text: RandomText.draw(12, of: RandomText.typed), kind: .code) }

    private init(text: String, kind: Kind) {
        self.text = text
        self.kind = kind
    }

    /// Reads what an app found or a person typed: the link with its token, the bare token, or the code however it is
    /// grouped. Nil where it can be none of them.
    init?(presented: String) {
        var bare = presented
        if let link = try? LinkAddress(presented) {
            // The page writes its own behind everything else.
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
    var hash: [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }

    /// As people read it: a code in groups of four.
    var shown: String {
        guard kind == .code else { return text }
        return [text.prefix(4), text.dropFirst(4).prefix(4), text.dropFirst(8)].joined(separator: "-")
    }

    var lifeMs: Int64 { kind == .code ? Self.codeLifeMs : Self.pasteboardLifeMs }

    /// The link with the token: what lies on the pasteboard. A link that the app would find too long goes without its tail.
    /// One that the followed link brought itself is left out: it would lead to somebody else's click.
    func link(_ address: LinkAddress) -> String {
        var base = String(address.text.prefix { $0 != "#" })
        var mark = address.query == nil ? "?" : "&"
        let items = (try? address.queryItems()) ?? []
        let kept = items.filter { $0.name != Self.parameter }
        if kept.count < items.count {
            base = base.prefix { $0 != "?" } + (kept.isEmpty ? "" : "?" + FollowedLink.text(of: kept))
            mark = kept.isEmpty ? "?" : "&"
        }
        let tail = address.fragment.map { "#\($0)" } ?? ""
        let whole = "\(base)\(mark)\(Self.parameter)=\(text)\(tail)"
        guard whole.utf8.count > DeferredLinkRequest.longestToken else { return whole }
        return "https://\(address.host ?? "")/?\(Self.parameter)=\(text)"
    }
}
