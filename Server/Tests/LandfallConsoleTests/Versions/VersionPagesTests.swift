// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("The pages about versions", .timeLimit(.minutes(1)))
struct VersionPagesTests {
    private static let line = VersionLine(number: 2, publishedAtMs: 0, author: "maya", message: "<why>", isLive: false)
    private static let changes = ChangeList(sentences: ["a \"b\" changes"], leftOut: 3)
    private static let lines = LineChanges(
        hunks: [.init(oldStart: 1, newStart: 1, lines: [.init(.same, "a"), .init(.removed, "<b>"), .init(.added, "c")])], added: 1, removed: 1,
        leftOut: 2)
    private static let draft = DraftText(text: "\n<a>: b", base: 1, message: "m")

    private static func pages(_ frame: Frame) -> [String] {
        let scheduled = ScheduledLine(id: "s", atMs: 0, author: "o", message: "m", state: .waiting, reason: nil)
        var wrong = DraftPage(frame: frame, draft: draft, isFileOwned: true)
        wrong.remarks = [TextRemark(line: 2, column: 1, sentence: "No", excerpt: "<a>: b")]
        wrong.problems = [FieldProblem("message", "Long")]
        var review = ReviewPage(frame: frame, draft: draft, checked: "h", changes: changes, lineChanges: lines)
        review.impact = ImpactSample(sampled: 4, lines: [.init(placement: "<p>", changed: 1, share: 0.25, low: 0.05, high: 0.7)])
        review.warnings = wrong.remarks
        var refused = review
        (refused.refusal, refused.impact) = (.protected(["keys"]), nil)
        return [
            VersionsPage(frame: frame, lines: [line], scheduled: [scheduled], before: 2, isFileOwned: false).html,
            VersionsPage(frame: frame, lines: [], scheduled: [], before: nil, isFileOwned: true).html,
            VersionPage(
                frame: frame, line: line, newest: 3, against: nil, changes: changes, lineChanges: lines, text: "a", isFileOwned: false
            ).html,
            wrong.html, review.html, refused.html,
            ConflictPage(
                frame: frame, draft: draft, published: [line], newest: 2, theirs: .init(changes: changes, lineChanges: lines),
                own: .init(changes: ChangeList(sentences: [], leftOut: 0, isReadable: false), lineChanges: lines), merged: "x", conflicts: 1
            ).html,
        ].map(\.markup)
    }

    @Test("Nothing that people wrote is markup, and every form has the proof of its session")
    func safe() {
        for page in Self.pages(.sample()) {
            #expect(!page.contains("<why>") && !page.contains("<a>:") && !page.contains("<b>") && !page.contains("<p>p"))
            #expect(page.ranges(of: "method=\"post\"").count == page.ranges(of: "name=\"csrf\" value=\"proof\"").count)
        }
    }

    @Test("Each page differs in every language")
    func translated() {
        let pages = Language.allCases.map { Self.pages(.sample(.owner, $0)) }

        for index in pages[0].indices { #expect(Set(pages.map { $0[index] }).count == Language.allCases.count) }
    }

    @Test("Regions and fields of a page have names of their own")
    func names() {
        for page in Self.pages(.sample()) {
            let labels = page.matches(of: /role="region" aria-label="([^"]*)"/).map { String($0.output.1) }
            let fields = page.matches(of: /<(?:input|textarea)[^>]* id="([^"]*)"/).map { String($0.output.1) }
            #expect(Set(labels).count == labels.count && Set(fields).count == fields.count)
            for field in fields { #expect(page.contains("for=\"\(field)\"")) }
        }
    }

    @Test("A text keeps its first line break, and lines have their signs as text")
    func text() {
        let review = Self.pages(.sample())[4]

        #expect(review.contains(">\n\n&lt;a&gt;: b</textarea>"))
        #expect(review.contains("<del>- &lt;b&gt;\n</del>") && review.contains("<ins>+ c\n</ins>"))
        #expect(review.contains("25 %") && review.contains("5.0 % – 70 %"))
    }
}
