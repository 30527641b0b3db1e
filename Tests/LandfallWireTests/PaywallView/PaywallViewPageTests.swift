// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallWire

@Suite("The page of the ready paywall", .timeLimit(.minutes(1)))
struct PaywallViewPageTests {
    private func page() throws -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return try String(contentsOf: folder.appendingPathComponent("../../../docs/features/paywall-view.md").standardizedFileURL, encoding: .utf8)
    }

    @Test("Every key of remote config is documented", arguments: PaywallContent.keys)
    func keys(key: String) throws {
        let page = try page()
        #expect(page.contains("`\(key)`") || page.contains("`\(key)."), "\(key)")
    }

    @Test("Every word is documented with its English text, where it has placeholders too", arguments: PaywallWord.allCases)
    func words(word: PaywallWord) throws {
        let page = try page()
        let text = try #require(PaywallWords.english[word])
        #expect(page.contains("`\(word)`"))
        // Of words that differ in their unit alone, the page has the first.
        if !["per", "day", "week", "month", "year"].contains(where: "\(word)".hasPrefix) { #expect(page.contains(text), "\(text)") }
    }
}
