// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallRules

@Suite("Suggestions", .timeLimit(.minutes(1)))
struct SuggestionTests {
    @Test(
        "The nearest word is suggested",
        arguments: [
            ("bundelId", "bundleId"), ("BUNDLEID", "bundleId"), ("bundle", "bundleId"), ("teamID", "teamId"), ("ap", "app"),
        ])
    func near(word: String, meant: String) {
        #expect(Suggestion.nearest(to: word, among: ["app", "bundleId", "name", "teamId"]) == meant)
    }

    @Test("A name that resembles no other gets the list of all names", arguments: ["zzz", "", String(repeating: "x", count: 5000)])
    func far(word: String) {
        #expect(Suggestion.sentence(for: word, among: ["b", "a"]) == " Known: 'a', 'b'.")
    }
}
