// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("Sentences of changes", .timeLimit(.minutes(1)))
struct ChangeMeaningSentenceTests {
    @Test("English pages have the server's sentence, the others their own, with the same names and values")
    func languages() {
        let meanings: [ChangeMeaning] = [
            .added(section: "paywalls", name: "fresh<i>", value: "v"), .removed(section: "audiences", name: "spring"),
            .shows(placement: "home", audience: "spring", before: nil, after: .paywall("a")),
            .shows(placement: "home", audience: "spring", before: .experiment("a"), after: nil),
            .shows(placement: "home", audience: "everyone", before: .paywall("a"), after: .nothing),
            .order(section: "placements", name: "home", before: ["a", "b"], after: ["b", "a"]),
            .order(section: "experiments", name: "price", before: ["A", "B"], after: ["B", "A"]),
            .value(section: "paywalls", name: "default", path: "products", before: nil, after: "x"),
            .value(section: "app", name: nil, path: "name", before: "x", after: nil),
            .value(section: "attributes", name: "plan", path: "", before: "x", after: "y"),
        ]
        for meaning in meanings {
            let sentences = [Language.japanese, .chinese].map { meaning.html(Words($0)).markup }
            #expect(Set(sentences).count == 2 && sentences.allSatisfy { $0.contains("</code>") })
            let quoted = sentences.map { $0.matches(of: /<code>(.*?)<\/code>/).map { String($0.1) }.sorted() }
            #expect(quoted[0] == quoted[1])
        }
        let list = ChangeList(sentences: ["one", "two"], meanings: [meanings[0], nil], leftOut: 0)
        let japanese = list.html(Words(.japanese).versions).markup
        #expect(japanese.contains("ペイウォール <code>fresh&lt;i&gt;</code> を追加: <code>v</code>") && japanese.contains("<li lang=\"en\">two</li>"))
        #expect(list.html(Words(.english).versions).markup.contains("<li>one</li>"))
    }
}
