// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallRules

@Suite("Draws", .timeLimit(.minutes(1)))
struct DrawTests {
    /// Examples of FIPS 180-4 and of NIST: no byte, one block, two blocks, and a million bytes.
    static let vectors: [(message: String, digest: String)] = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ]

    @Test("hash as FIPS 180-4 says", arguments: vectors)
    func standard(message: String, digest: String) {
        let words = Array(message.utf8).withUnsafeBytes { DrawHash.digest(of: $0) }

        let written = (0..<8).map { place in
            let digits = String(words[place], radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }
        #expect(written.joined() == digest)
    }

    @Test(
        "are the published ones",
        arguments: [
            ("layer", "main", "0190a5c0-7e1b-7c3a-9f00-000000000001", "d0fa5d170f6a3510", 816_320),
            ("layer", "main", "0190a5c0-7e1b-7c3a-9f00-000000000002", "f8527ede4343951b", 970_008),
            ("experiment", "spring-price#1", "0190a5c0-7e1b-7c3a-9f00-000000000001", "6715c0877d0a903c", 402_675),
            ("experiment", "spring-price#1", "0190a5c0-7e1b-7c3a-9f00-000000000002", "c02944ce2f65c9d4", 750_629),
            ("experiment", "spring-price#2", "0190a5c0-7e1b-7c3a-9f00-000000000001", "22b3929a87b3d5a1", 135_552),
            ("holdout", "2026-h1", "0190a5c0-7e1b-7c3a-9f00-000000000001", "66878c0d85196efb", 400_505),
            ("experiment", "Größe", "ключ-🧪", "7f107d69714f8e27", 496_345),
        ])
    func published(namespace: String, salt: String, unit: String, u: String, bucket: Int) {
        let draw = Draw(namespace: namespace, salt: salt, unit: unit)

        #expect(draw.hexadecimal == u)
        #expect(draw.bucket == bucket)
    }

    @Test("fill ten parts equally for ids with the same beginning, and two salts are independent")
    func spread() {
        var counts = Array(repeating: 0, count: 10)
        var both = 0
        for number in 0..<20_000 {
            let unit = "0190a5c0-7e1b-7c3a-9f00-\(String(repeating: "0", count: 12 - String(number, radix: 16).count))\(String(number, radix: 16))"
            let first = Draw(namespace: "audience", salt: "one", unit: unit), second = Draw(namespace: "audience", salt: "two", unit: unit)
            counts[first.bucket / 100_000] += 1
            if first.bucket < 500_000, second.bucket < 500_000 { both += 1 }
        }

        // Five standard deviations: 42 for a part, 61 for both.
        #expect(counts.allSatisfy { abs($0 - 2000) < 215 })
        #expect(abs(both - 5000) < 310)
    }

    @Test(
        "Percentages are whole buckets",
        arguments: [
            ("0%", 0), ("100%", 1_000_000), ("100.0000%", 1_000_000), ("10%", 100_000), ("12.5%", 125_000), ("0.0001%", 1),
            ("99.9999%", 999_999), ("5 %", 50_000), ("007%", 70_000),
        ])
    func percentage(text: String, buckets: Int) throws {
        let percentage = try #require(Percentage(text))

        #expect(percentage.buckets == buckets)
        #expect(Percentage(percentage.description) == percentage)
    }

    @Test(
        "Any other text is not a percentage",
        arguments: ["", "%", "10", "-1%", "+1%", "100.0001%", "101%", "0.00001%", "1.%", ".5%", "1,5%", "1e1%", "１%", "1%%", " 1%"])
    func noPercentage(text: String) {
        #expect(Percentage(text) == nil)
    }
}
