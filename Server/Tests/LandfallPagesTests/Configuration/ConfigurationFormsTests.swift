// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallPages

@Suite("The forms of the configuration's pages", .timeLimit(.minutes(1)))
struct ConfigurationFormsTests {
    private func placement(_ forms: ConfigurationForms?, _ language: Language = .english) -> String {
        var page = PlacementPage(
            frame: .sample(.owner, language), version: 3, name: "home",
            entries: ["a\"b", "c", "everyone"].map { PlacementEntry(audience: $0, showing: .paywall("p"), yaml: nil) }, uses: [], yaml: "home:")
        page.forms = forms
        page.audiences = ["<new>"]
        page.paywalls = ["p"]
        return page.html.markup
    }

    @Test("The first entry does not move up, the last one before everyone not down, and everyone not at all", arguments: Language.allCases)
    func moves(language: Language) {
        let markup = placement(ConfigurationForms(base: 3), language)
        let values = markup.matches(of: /value="([a-z]+\.[0-9])"/).map { String($0.output.1) }

        #expect(values == ["down.0", "remove.0", "up.1", "remove.1"])
        #expect(markup.contains("a&quot;b") && !markup.contains("a\"b") && !markup.contains("<new>"))
        #expect(markup.contains("name=\"csrf\" value=\"proof\""))
    }

    @Test("Without the right to publish there is no form but the one that signs out")
    func readOnly() {
        // The menu is there twice: for narrow and for wide windows.
        #expect(placement(nil).ranges(of: "<form").count == 2)
        #expect(placement(ConfigurationForms(base: 3)).ranges(of: "<form").count == 3)
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
