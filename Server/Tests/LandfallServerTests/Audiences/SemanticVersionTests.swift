// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallRules

@Suite("Versions", .timeLimit(.minutes(1)))
struct SemanticVersionTests {
    @Test("are ordered by number, not by text")
    func order() throws {
        let ascending = [
            "0", "0.0.1", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11",
            "1.0.0-rc.1", "1.0.0", "1.0.0.1", "1.9", "1.10-beta", "1.10", "1.10.1", "2", "10", "4294967295",
        ]
        let versions = try ascending.map { try #require(SemanticVersion($0)) }

        for (index, version) in versions.enumerated() {
            for (other, later) in versions.enumerated() {
                #expect((version < later) == (index < other), "\(ascending[index]) and \(ascending[other])")
                #expect((version == later) == (index == other), "\(ascending[index]) and \(ascending[other])")
            }
        }
    }

    @Test(
        "are equal where only missing parts, leading zeros or the build differ",
        arguments: [
            ("1", "1.0.0"), ("1.2", "1.2.0.0"), ("1.2.0+build.7", "1.2"), ("1.02", "1.2"), ("1-beta+7", "1.0-beta"),
        ])
    func equal(left: String, right: String) throws {
        let version = try #require(SemanticVersion(left))

        #expect(version == SemanticVersion(right))
    }

    @Test(
        "are missing if the text is not a version",
        arguments: [
            "", " 1", "1 ", "v1", "1.", ".1", "1..2", "1.2.3.4.5", "1.x", "latest", "-1", "1-", "1-a..b", "1-a b", "1,2",
            "4294967296",
            "１.２", String(repeating: "1", count: 65),
        ])
    func junk(text: String) {
        #expect(SemanticVersion(text) == nil)
    }
}
