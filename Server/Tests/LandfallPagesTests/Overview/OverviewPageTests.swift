// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallPages

@Suite("The overview", .timeLimit(.minutes(1)))
struct OverviewPageTests {
    private func page(_ figures: [OverviewPage.Figure], _ checklist: Checklist? = nil, days: [DayChart.Day] = []) -> String {
        OverviewPage(
            frame: .sample(), from: "2026-11-01", to: "2026-11-28", length: 28, completeToMilliseconds: 0, checklist: checklist,
            figures: figures, days: days, origins: [], campaigns: [.init("<b>", [7, nil])], links: []
        ).html.markup
    }

    @Test("A figure shows its share and its change; what cannot be known is a dash, not zero")
    func figures() {
        let markup = page([
            .init(.attributed, 50, before: 40, of: 200, definition: ""), .init(.clicks, nil, before: 3, definition: ""),
        ])

        #expect(markup.contains(">25 %<") && markup.contains("+25 %") && markup.contains("than 40 before"))
        #expect(markup.contains("<dd class=\"value\">–</dd>"))
        #expect(markup.contains("&lt;b&gt;") && markup.contains("<td class=\"number\">–</td>"))
    }

    @Test("The page says how complete its numbers are, and loads itself again without script while steps are open")
    func notes() {
        #expect(page([]).contains("Complete to 00:00 UTC") && !page([]).contains("http-equiv"))
        let open = page([], Checklist(done: [.firstOpen]))
        #expect(open.contains("http-equiv=\"refresh\"") && open.ranges(of: "class=\"done\"").count == 1)
        #expect(Checklist(done: Set(Checklist.Step.allCases)).isComplete)
    }
}
