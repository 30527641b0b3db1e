// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallServer

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

    @Test("Text that is no hash is none", arguments: ["", "scrypt", "scrypt$15$8$3$a$b", "scrypt$99$8$3$AAAA$AAAA", "plain"])
    func noHash(text: String) { #expect(PasswordHash(text) == nil) }

    @Test("An unknown member costs the same hash as a known one")
    func unknown() async throws {
        let hashing = PasswordHashing(cost: .quick)

        #expect(try await !hashing.matches("whatever it is", nil))
        #expect(try await hashing.matches("whatever it is", try await hashing.hash("whatever it is")))
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
}
