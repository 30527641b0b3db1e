// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("The forms of the configuration's pages", .timeLimit(.minutes(1)))
struct ConfigurationFormsTests {
    private func placement(_ forms: ConfigurationForms?, _ language: Language = .english) -> String {
        var page = PlacementPage(
            frame: .sample(.owner, language), version: 3, name: "home",
            entries: ["a\"b", "c", "everyone"].map { PlacementEntry(audience: $0, showing: .paywall("p")) }, uses: [], yaml: "home:")
        page.forms = forms
        page.audiences = ["<new>"]
        page.paywalls = ["p"]
        return page.html.markup
    }

    @Test("The first entry does not move up, the last one before everyone not down, and everyone not at all", arguments: Language.allCases)
    func moves(language: Language) {
        let markup = placement(ConfigurationForms(base: 3), language)
        let values = markup.matches(of: /value="([a-z]+\.[0-9])"/).map { String($0.output.1) }.filter { !$0.hasPrefix("show.") }

        #expect(values == ["down.0", "remove.0", "up.1", "remove.1"])
        #expect(markup.contains("a&quot;b") && !markup.contains("a\"b") && !markup.contains("<new>"))
        #expect(markup.contains("name=\"csrf\" value=\"proof\""))
    }

    @Test("What an entry shows can be chosen in every line, unless the page would grow too large")
    func choices() {
        func markup(_ paywalls: Int) -> String {
            var page = PlacementPage(
                frame: .sample(), version: 3, name: "home",
                entries: ["spring", "everyone"].map { PlacementEntry(audience: $0, showing: .paywall("p1")) }, uses: [], yaml: "home: []")
            page.forms = ConfigurationForms(base: 3)
            page.paywalls = (0..<paywalls).map { "p\($0)" }
            return page.html.markup
        }
        let few = markup(3), many = markup(1_001)

        #expect(few.ranges(of: "<option value=\"paywall:p1\" selected>").count == 2)
        #expect(few.contains("Change what Everyone sees") && few.contains("id=\"yaml\""))
        #expect(!many.contains("value=\"show.") && many.contains("too long") && many.contains("id=\"yaml\""))
    }

    @Test("The time of a count is in the zone of the reports, which stands beside it")
    func countedAt() {
        var frame = Frame.sample(), entry = PlacementEntry(audience: "everyone", showing: .paywall("p"))
        let atMs: Int64 = 1_795_600_800_000
        var words = frame.words
        words.clock = PageClock(zone: "Asia/Tokyo", nowMs: atMs) { _ in 9 * 3_600_000 }
        frame = Frame(words: words, app: "Clothes", memberName: "Maya", role: .owner, formToken: "proof", address: "/console")
        entry.matches = MatchSample(count: MatchCount(yes: 20), sampled: 20, isEverything: true, interval: 0...1, atMs: atMs)

        let markup = PlacementPage(frame: frame, version: 3, name: "home", entries: [entry], uses: [], yaml: nil).html.markup

        let local = Language.calendar(atMs + 9 * 3_600_000).time
        #expect(markup.contains("Counted at \(local) Asia/Tokyo") && local != Language.calendar(atMs).time)
    }

    @Test("Without the right to publish there is no form but the one that signs out")
    func readOnly() {
        // The menu is there twice: for narrow and for wide windows.
        #expect(placement(nil).ranges(of: "method=\"post\"").count == 2)
        #expect(placement(ConfigurationForms(base: 3)).ranges(of: "method=\"post\"").count == 3)
    }

    @Test("A draft that cannot be carried is not in the page")
    func draft() {
        var forms = ConfigurationForms(base: 3)
        func draft(_ way: ConfigurationDraft.Way) -> ConfigurationDraft {
            ConfigurationDraft(
                text: way == .tooLarge ? "" : "text: 1\n", changes: LineChanges(hunks: [], added: 0, removed: 0, leftOut: 0), way: way,
                entry: "home: <b>")
        }
        forms.draft = draft(.review)
        let review = placement(forms)
        forms.draft = draft(.ownedByFile)
        let owned = placement(forms)
        forms.draft = draft(.tooLarge)
        let large = placement(forms)

        #expect(review.ranges(of: "name=\"text\" value=\"text: 1\n\"").count == 2 && review.contains("action=\"/console/versions/draft/check\""))
        #expect(owned.ranges(of: "name=\"text\"").count == 1 && !owned.contains("draft/check") && owned.contains("home: &lt;b&gt;"))
        #expect(!large.contains("name=\"text\"") && !large.contains("draft/check") && large.contains("home: &lt;b&gt;"))
    }
}
