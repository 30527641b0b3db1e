// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@Suite("Patterns of paths")
struct PathPatternTests {
    @Test(
        "A pattern matches as in Apple's association file",
        arguments: [
            ("/beach", "/beach", true), ("/beach", "/Beach", false), ("/beach", "/beach/", false), ("/beach", "/", false),
            ("*", "", true), ("*", "/any/thing", true), ("/*", "/", true), ("/summer/*", "/summer/", true),
            ("/summer/*", "/summer/a/b", true), ("/summer/*", "/summer", false), ("/a?c", "/abc", true), ("/a?c", "/ac", false),
            ("/a?*", "/a", false), ("/a?*", "/abcd", true), ("/*/items/*", "/shop/items/7", true),
            ("/*/items/*", "/shop/item/7", false), ("/*a*b", "/aab", true), ("/*a*b", "/aabc", false),
            ("/größe", "/größe", true), ("/größe", "/gr%C3%B6%c3%9Fe", true), ("/gr%C3%B6*", "/größe", true),
            ("/%2A", "/*", true), ("/%2A", "/a", false), ("/%3f", "/%3F", true), ("/a%2Fb", "/a/b", false),
            ("/%62", "/b", true),
            ("/100%", "/100%25", true),
            ("", "", true), ("", "/", false),
        ])
    func matching(pattern: String, path: String, isMatch: Bool) {
        #expect(PathPattern(pattern).matches(path) == isMatch)
    }

    @Test("Many stars against a path that nearly matches end soon")
    func manyStars() {
        let pattern = PathPattern(String(repeating: "*a", count: 120) + "b")

        #expect(!pattern.matches("/" + String(repeating: "a", count: 4000)))
    }

    @Test(
        "A text that is not a path pattern is invalid",
        arguments: ["", "beach", "/a b", "/a#b", "/a\\b", "/" + String(repeating: "a", count: 256)])
    func invalid(text: String) {
        #expect(!PathPattern(text).isValid)
    }
}
