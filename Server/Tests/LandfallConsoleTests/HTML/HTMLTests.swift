// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("HTML that escapes by construction", .timeLimit(.minutes(1)))
struct HTMLTests {
    static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)", "&lt;b&gt;", "</title><svg onload=alert(1)>",
        "javascript:alert(1)", "\u{0}\u{1}<\u{7F}b>", "]]><!--", "${7*7}{{7*7}}", "<\u{200B}script>",
    ]

    @Test("No text and no attribute's value becomes markup", arguments: hostile)
    func escaping(text: String) {
        let html = div(.id(text), .value(text)) { text; strong { text } }.markup

        let inner = html.dropFirst("<div id=\"".count)
        #expect(inner.count { $0 == "<" } == 3 && inner.count { $0 == "\"" } == 3)
        #expect(!html.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
    }

    @Test("The builder lists, repeats, chooses and leaves out")
    func builder() {
        let absent: String? = nil
        let html = ul {
            for number in 1...2 { li { "\(number)" } }
            if let absent { li { absent } } else { li { "none" } }
        }

        #expect(html.markup == "<ul><li>1</li><li>2</li><li>none</li></ul>")
    }

    @Test("A place is a path with everything encoded, or https; a wish to go on stays in the console")
    func places() {
        #expect(Place("/console/x", ["a/b?"], query: [("q", "ü&"), ("n", nil)]).text == "/console/x/a%2Fb%3F?q=%C3%BC%26")
        #expect(Place(web: "https://example.com")?.text == "https://example.com")
        for text in ["javascript:alert(1)", "http://example.com", "https://", "//x"] { #expect(Place(web: text) == nil) }
        for text in ["/console", "/console/live?kind=tap", "/console?days=7"] { #expect(Place(next: text)?.text == text) }
        for text in ["", "/", "/consoles", "//x", "/console//x", "/console/\\x", "/console/ x", "https://x/console", "/console/../v1", "/console/%2E%2e/v1"] {
            #expect(Place(next: text) == nil, "\(text)")
        }
    }
}
