// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import LandfallServer
import LandfallStore

/// 256 random bits that a browser or a link carries. Only their hash is stored.
struct SessionToken: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// In base64url, 43 characters.
    let text: String

    static func drawn() -> SessionToken {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return SessionToken(text: Data(bytes).base64URL)
    }

    private init(text: String) { self.text = text }

    /// Nil for every text that is not a token.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count == 43,
            text.utf8.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45 || $0 == 95 })
        else { return nil }
        self.text = String(text)
    }

    var hash: [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }

    /// What the forms of a session that begins with this token carry: the token does not follow from it.
    var formToken: String {
        let code = HMAC<SHA256>.authenticationCode(for: Data("form".utf8), using: SymmetricKey(data: Data(text.utf8)))
        return code.prefix(16).hexadecimal
    }

    /// Never in a log.
    var description: String { "SessionToken" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A member's session in one browser.
struct ConsoleSession: Hashable, Sendable {
    /// It ends after so long without a request.
    static let idleMs: Int64 = 12 * 3_600_000
    /// It ends after so long in any case.
    static let longestMs: Int64 = 14 * 24 * 3_600_000
    /// What is dangerous asks for the password again after this time.
    static let provenMs: Int64 = 15 * 60_000
    /// A request renews the time at most so often: most requests write nothing.
    static let precisionMs: Int64 = 60_000
    /// The most sessions of a member: a further one ends the oldest.
    static let most = 20

    let id: String
    let agent: String
    let network: String?
    let createdAtMs: Int64
    let seenAtMs: Int64
    let provenAtMs: Int64
    /// What the session's forms carry. It survives a fresh token: a page that was open before stays good.
    let formToken: String?

    func isOpen(nowMs: Int64) -> Bool { nowMs < seenAtMs + Self.idleMs && nowMs < createdAtMs + Self.longestMs }
    func isProven(nowMs: Int64) -> Bool { nowMs < provenAtMs + Self.provenMs }
}

/// What a browser says about itself, in two words for the list of sessions.
enum BrowserName {
    static func of(_ agent: String?) -> String {
        let agent = agent ?? ""
        let browsers = [
            ("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome/", "Chrome"),
            ("Safari/", "Safari"), ("curl/", "curl"),
        ]
        let systems = [
            ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Mac OS X", "macOS"), ("Windows", "Windows"), ("Linux", "Linux"),
        ]
        let words = [browsers, systems].compactMap { list in list.first { agent.contains($0.0) }?.1 }
        return words.isEmpty ? "–" : words.joined(separator: " · ")
    }
}
