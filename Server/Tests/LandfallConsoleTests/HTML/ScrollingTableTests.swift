// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("Tables that are cards on a phone", .timeLimit(.minutes(1)))
struct ScrollingTableTests {
    @Test("Each cell has the title of its column, and each part its role: a table that is laid out otherwise stays a table for screen readers")
    func marks() {
        let html = scrollingTable("Links", titles: ["Link", "To <a>"], numbers: ["Clicks"]) {
            tr { th(Attribute("scope", "row")) { "a" }; td { "b" }; td(.class("number")) { "1" } }
            tr { th(Attribute("scope", "row")) { "c" }; td {}; td(.class("number")) { "2" } }
        }

        #expect(html.markup.contains("<table role=\"table\"><thead role=\"rowgroup\"><tr role=\"row\">"))
        #expect(html.markup.contains("<th role=\"columnheader\" scope=\"col\">Link</th>"))
        #expect(
            html.markup.contains(
                "<tr role=\"row\"><th role=\"rowheader\" scope=\"row\">a</th><td role=\"cell\" data-label=\"To &lt;a&gt;\">b</td>"
                    + "<td role=\"cell\" data-label=\"Clicks\" class=\"number\">1</td></tr>"))
        #expect(html.markup.ranges(of: "data-label=\"Clicks\"").count == 2)
    }

    @Test("Nothing else changes: without the marks it is the table that it was", arguments: [true, false])
    func same(hasCards: Bool) {
        let html = scrollingTable("x", caption: "All", titles: ["A", "B"], hasCards: hasCards) {
            tr { th(Attribute("scope", "row")) { "<td>" }; td { "&lt;td" } }
        }

        #expect(
            html.markup.withoutCells.contains(
                "<table><caption>All</caption><thead><tr><th scope=\"col\">A</th><th scope=\"col\">B</th></tr></thead>"
                    + "<tbody><tr><th scope=\"row\">&lt;td&gt;</th><td>&amp;lt;td</td></tr></tbody></table>"))
        #expect((html.markup.withoutCells == html.markup) != hasCards)
    }

    @Test("A table in a cell has its own titles, and the cells behind it still have theirs")
    func nested() {
        let html = scrollingTable("x", titles: ["A", "B", "C"]) {
            tr {
                td { "1" }
                td { scrollingTable("y", titles: ["Inner"]) { tr { td { "2" } } } }
                td { "3" }
            }
        }

        for (title, content) in [("A", "1"), ("Inner", "2"), ("C", "3")] {
            #expect(html.markup.contains("<td role=\"cell\" data-label=\"\(title)\">\(content)</td>"))
        }
        #expect(html.markup.ranges(of: "<td ").count == 4)
    }

    @Test("A cell without a title is a cell; heads that sort say so on a phone")
    func untitled() {
        let rows = tr { td { "1" }; td { "2" } }
        let html = cardTable("x", titles: ["A"], sorting: "Sorted by", heads: th { "A" }, rows: rows, foot: tr { th { "Sum" } })

        #expect(html.markup.contains("<td role=\"cell\">2</td>") && html.markup.contains("<tr role=\"row\" data-label=\"Sorted by\">"))
        #expect(html.markup.contains("<tfoot role=\"rowgroup\"><tr role=\"row\"><th role=\"rowheader\">Sum</th></tr></tfoot>"))
    }

    @Test("Marking takes time in proportion to the rows")
    func linear() {
        func time(_ rows: Int) -> Duration {
            let row = tr { for number in 0..<10 { td(.class("number")) { "\(number)" } } }
            return ContinuousClock().measure {
                _ = scrollingTable("x", titles: (0..<10).map { "\($0)" }) { for _ in 0..<rows { row } }
            }
        }
        _ = time(1_000)

        #expect((0..<3).contains { _ in time(8_000) < time(2_000) * 12 })
    }
}

extension String {
    /// Markup without what cells of tables have for phones.
    var withoutCells: String {
        replacing(/\ (role="(table|rowgroup|row|columnheader|rowheader|cell)"|data-label="[^"]*")/, with: "")
    }
}
