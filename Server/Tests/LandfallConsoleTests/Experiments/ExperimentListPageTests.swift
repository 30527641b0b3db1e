// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole
@testable import LandfallResults

@Suite("The list of experiments", .timeLimit(.minutes(1)))
struct ExperimentListPageTests {
    private func entry(_ name: String, _ state: ExperimentState, matured: Double? = nil) -> ExperimentEntry {
        ExperimentEntry(name: name, state: state, placements: ["home"], units: 12_345, planned: 20_000, matured: matured)
    }

    @Test("Live experiments are first, then drafts, promoted and stopped ones, each by name")
    func order() {
        let page = ExperimentListPage(
            frame: .sample(),
            entries: [
                entry("e", .stopped), entry("d", .promoted("B")), entry("c", .draft), entry("b", .live), entry("a", .live, matured: 0.52),
            ])

        #expect(page.entries.map(\.name) == ["a", "b", "c", "d", "e"])
        let markup = page.html.markup
        #expect(markup.contains("href=\"/console/experiments/a\">a</a>") && markup.contains("12,345") && markup.contains("52 %"))
        #expect(markup.contains("Promoted: B") && !markup.contains("higher"))
    }

    @Test("Without experiments the page says where one begins and shows a whole one; it names no file of the repository", arguments: Language.allCases)
    func empty(language: Language) {
        let markup = ExperimentListPage(frame: .sample(.viewer, language), entries: []).html.markup

        #expect(markup.contains(Words(language).experiments.noExperiments) && !markup.contains("<table"))
        #expect(markup.contains("<pre><code>events:\n") && markup.contains("experiment: spring-price</code></pre>") && !markup.contains("docs/"))
    }

    @Test("A store without a version has no way to a new experiment, which would be a page that is not there")
    func adding() {
        var page = ExperimentListPage(frame: .sample(.owner), entries: [])
        let words = Words(.english).experiments
        #expect(!page.html.markup.contains("/console/new/") && page.html.markup.contains(words.noExperimentsText))

        page.version = 3

        #expect(page.html.markup.contains("/console/new/") && page.html.markup.contains(words.firstExperiment))
    }

    @Test("Rates have two decimals, lifts a sign, and intervals both ends")
    func numerals() {
        let english = Language.english

        #expect([0.0473, 0, 1, -0.000_04].map { english.rate($0) } == ["4.73 %", "0.00 %", "100.00 %", "0.00 %"])
        #expect([0.167, -0.0039, 0, 12.5].map { english.lift($0) } == ["+16.7 %", "−0.4 %", "±0.0 %", "+1,250.0 %"])
        #expect(Language.japanese.lift(Interval(-0.039, 0.421)) == "−3.9 … +42.1%")
        #expect([0.91, 0.00256, 0.000_01].map { english.probability($0) } == ["p 0.91", "p 0.0026", "p < 0.0001"])
        #expect(english.decimal(.infinity, 2) == "–" && english.signed(.nan, 1) == "–")
    }
}
