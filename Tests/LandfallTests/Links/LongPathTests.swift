// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@testable import Landfall

@Suite("Long paths", .timeLimit(.minutes(1)))
struct LongPathTests {
    /// The table that the server's tests read too.
    private static let table = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Tables/path-patterns.txt").standardizedFileURL

    @Test("match like the server's paths")
    func table() throws {
        let lines = try String(contentsOf: Self.table, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines.count > 30)
        for line in lines {
            let words = line.split(separator: " ").map(String.init)
            try #require(words.count == 3 && ["yes", "no"].contains(words[2]), "\(line)")
            let rules = LinkRules(domains: LinkDomains(brand: ["go.example.com"]), longPaths: [PathPattern(words[0])])

            let route = rules.route(of: try LinkAddress("https://go.example.com" + words[1]))

            #expect(route == (words[2] == "yes" ? .direct : .ask), "\(line)")
        }
    }
}
