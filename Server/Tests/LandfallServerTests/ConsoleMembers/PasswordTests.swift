// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import LandfallConsole

@Suite("Passwords", .timeLimit(.minutes(1)))
struct PasswordTests {
    @Test("A stored password is read back and matches itself only, also where Unicode spells it differently")
    func hash() throws {
        let stored = try PasswordHash.make("caf\u{e9} at the harbour", cost: .quick).text
        let hash = try #require(PasswordHash(stored))

        #expect(stored.hasPrefix("scrypt$4$8$1$"))
        #expect(try hash.matches("cafe\u{301} at the harbour"))
        #expect(try !hash.matches("cafe at the harbour"))
        #expect(try PasswordHash.make("caf\u{e9} at the harbour", cost: .quick).text != stored)
    }

    @Test("A text that is not a hash is refused", arguments: ["", "scrypt", "scrypt$15$8$3$a$b", "scrypt$99$8$3$AAAA$AAAA", "plain"])
    func noHash(text: String) { #expect(PasswordHash(text) == nil) }

    @Test(
        "A sign-in derives once: for a member, for an unknown address and for text that is not an address",
        arguments: ["maya@example.com", "nobody@example.com", "not an address", ""])
    func unknown(address: String) async throws {
        let count = Count()
        let hashing = PasswordHasher(cost: .quick) { password, salt, cost in
            count.increment()
            return try PasswordHash.scrypt(password, salt, cost)
        }
        try await TestServer.run(passwords: hashing) { server in
            try await server.addMember("maya@example.com", .owner)

            let answer = try await ConsoleBrowser(server).signIn(address, "a wrong password")

            #expect(answer.status == .unprocessableContent)
            #expect(count.value == 1)
        }
    }

    @Test(
        "Rules: length, no list of usual words, not the member's own names; a sentence is fine",
        arguments: [
            ("fourteen chars", .short), ("fifteen chars ok", nil), (String(repeating: "ab", count: 501), .long),
            ("password12345678", .common), ("maya@example.commaya@example.com", .common), ("111111111111111111", .common),
            ("正しい馬の電池とホチキスを使う朝", nil),
        ] as [(String, PasswordRules.Refusal?)])
    func rules(password: String, refusal: PasswordRules.Refusal?) {
        #expect(PasswordRules.refusal(of: password, knowing: ["maya@example.com", "Maya"]) == refusal)
    }

    @Test(
        "Most of a password is not in rows of keys, not repeated, and not in order",
        arguments: [
            ("qwertzuiopasdfgh", .common), ("azertyuiopqsdfghjklm", .common), ("poiuztrewqlkjhgf", .common), ("abcdefghijklmnop", .common),
            ("zyxwvutsrqponmlk", .common), ("aaaabbbbccccddddeeee", .common), ("9876543210abcdefg", .common), ("QWERTZ-asdf-yxcv", .common),
            ("いいいいううううええええおおおお", .common), ("hut asdf boat mill", nil), ("we were near 4567 trees", nil),
            ("river 2222 stone oak", nil), ("six grey herons at noon", nil), ("property owners meet", nil),
        ] as [(String, PasswordRules.Refusal?)])
    func runs(password: String, refusal: PasswordRules.Refusal?) {
        #expect(PasswordRules.refusal(of: password, knowing: []) == refusal)
    }

    @Test(
        "Characters in runs of four or more are counted, each once",
        arguments: [("", 0), ("a", 0), ("aaa", 0), ("aaaa", 4), ("abcd", 4), ("dcba", 4), ("asdf", 4), ("fdsa", 4), ("x1234x", 4), ("aaaabcd", 7), ("abcxyz", 0)])
    func runLengths(password: String, count: Int) {
        #expect(PasswordRules.scalarsInRuns(of: password) == count)
    }
}
