// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole
@testable import LandfallReports
@testable import LandfallResults
@testable import LandfallServer

@Suite("The page of an experiment", .timeLimit(.minutes(1)))
struct ExperimentPageTests {
    private static func strata(_ counts: [(conversions: Int, units: Int)]) throws -> [ExperimentNumbers.Stratum] {
        [.init(weights: counts.map { _ in 1 }, samples: try counts.map { try Sample(units: $0.units, conversions: $0.conversions) })]
    }

    private static func numbers(
        _ counts: [(conversions: Int, units: Int)], names: [String] = ["A", "B"], metric: String = "paid"
    ) throws -> ExperimentNumbers {
        var numbers = ExperimentNumbers(variations: names, primary: .init(name: metric, strata: try strata(counts)))
        numbers.facts.experiment = "spring-price"
        return numbers
    }

    private static func page(
        _ numbers: ExperimentNumbers, _ language: Language = .english, name: String = "spring-price", state: ExperimentState = .live,
        change: (inout ExperimentPage) -> Void = { _ in }
    ) throws -> String {
        var page = ExperimentPage(
            frame: .sample(.owner, language), name: name, state: state, results: try ResultsDocument(numbers),
            bands: numbers.variations.indices.dropFirst().map { ResultsBand(numbers, variation: $0) })
        page.metric = numbers.primary.name
        change(&page)
        return page.html.markup
    }

    @Test("The verdict comes first with what to do, then what decides, the folded numbers, and health", arguments: Language.allCases)
    func order(language: Language) throws {
        let words = Words(language).experiments
        let markup = try Self.page(try Self.numbers([(100, 1_000), (150, 1_000)]), language)

        let headings = [
            "<h2>\(words.verdict)", "<h3>\(words.whatToDo)", "<h2>\(words.decide)", "<h2>\(words.allNumbers)",
            "<summary>\(words.byVariation("paid"))", "<h2>\(words.health)", "<h2>\(words.configuration)",
        ]
        let places = try headings.map { markup.firstRange(of: $0 + "</") }.map { try #require($0).lowerBound }
        #expect(places == places.sorted())
    }

    @Test("The words are higher, lower and not decided; nothing is a winner or the best")
    func words() throws {
        let higher = try Self.page(try Self.numbers([(100, 1_000), (150, 1_000)]))
        let lower = try Self.page(try Self.numbers([(150, 1_000), (100, 1_000)]))
        let open = try Self.page(try Self.numbers([(100, 1_000), (120, 1_000)]))

        #expect(higher.contains("B is higher on paid") && higher.contains(">higher<") && higher.contains("expect less"))
        #expect(lower.contains("B is lower on paid") && lower.contains(">lower<"))
        #expect(open.contains("B is not decided on paid.") && open.contains(">not decided<") && open.contains("3,000 more units"))
        for markup in [higher, lower, open] {
            #expect(!markup.contains("winner") && !markup.contains("best") && !markup.contains("robability"))
        }
    }

    @Test("A failed ratio suppresses every verdict, and says so", arguments: Language.allCases)
    func suppressed(language: Language) throws {
        let words = Words(language).experiments
        var numbers = try Self.numbers([(100, 1_000), (400, 2_000)])
        numbers.guardrails = [.init(metric: numbers.primary, bound: try Guardrail(harm: 0.02))]
        numbers.segments = [.init(name: "link", strata: numbers.primary.strata)]

        let markup = try Self.page(numbers, language)

        #expect(markup.contains(words.suppressed.escapedForHTML) && markup.contains("class=\"badge bad\">\(words.name(of: .failed))<"))
        #expect(markup.contains(">\(words.word(.suppressed))<"))
        for verdict in [Verdict.higher, .lower, .notDecided, .safe, .harmed] { #expect(!markup.contains(">\(words.word(verdict))<")) }
        #expect(!markup.contains(words.sentence(.higher, "B", on: "paid", day: nil)) && !markup.contains(words.earlyStop))
    }

    @Test("Variations without units have dashes, and nothing is decided", arguments: Language.allCases)
    func empty(language: Language) throws {
        let numbers = try Self.numbers([(0, 0), (0, 0)])

        let markup = try Self.page(numbers, language, state: .live), draft = try Self.page(numbers, language, state: .draft)

        let words = Words(language).experiments
        let sentence = words.sentence(.notDecided, "B", on: "paid", day: nil)
        #expect(markup.contains(sentence) && markup.contains(words.tooFew))
        #expect(!draft.contains(sentence) && draft.contains(words.noEpochs))
        #expect(markup.contains(words.noEpochs) && !markup.contains("role=\"img\"") && !markup.contains("NaN"))
    }

    @Test("One variation has nothing to be compared with")
    func single() throws {
        let markup = try Self.page(try Self.numbers([(3, 90)], names: ["A"]))

        #expect(markup.contains("nothing to compare it with") && !markup.contains("aria-labelledby=\"band"))
    }

    @Test("The band is a picture with a title and a description, and a table has every day of it")
    func band() throws {
        var numbers = try Self.numbers([(100, 1_000), (150, 1_000)])
        for day in 1...3 { numbers.history.append(.init(day: day, strata: try Self.strata([(30 * day, 300 * day), (45 * day, 300 * day)]))) }

        let markup = try Self.page(numbers)

        #expect(markup.contains("role=\"img\" aria-labelledby=\"band-1-title band-1-desc\""))
        #expect(markup.contains("<title id=\"band-1-title\">B against A, day by day</title>"))
        #expect(markup.contains("<desc id=\"band-1-desc\">After 1,800 units the estimate is +50.0 %"))
        for day in 1...3 { #expect(markup.withoutCells.contains("<th scope=\"row\">Day \(day)</th><td class=\"number\">\(["600", "1,200", "1,800"][day - 1])</td>")) }
    }

    @Test("An epoch that begins on a day is marked in the picture and in the table")
    func epochs() throws {
        var numbers = try Self.numbers([(100, 1_000), (150, 1_000)])
        let first = try Self.strata([(30, 300), (45, 300)])
        numbers.history = [.init(day: 1, strata: first), .init(day: 2, strata: first + (try Self.strata([(40, 300), (50, 300)])))]

        let markup = try Self.page(numbers) { page in
            page.epochs = [.init(number: 1, beganAtMs: 0, weights: [.init("A", 50), .init("B", 1_000)])]
        }

        #expect(markup.ranges(of: "class=\"epoch\"").count == 1 && markup.ranges(of: "New epoch</span>").count == 2)
        #expect(markup.contains("A 50 · B 1,000") && markup.contains("<code>spring-price#1</code>") && markup.contains("1970-01-01 00:00"))
    }

    @Test("Segments and secondary metrics are marked as exploratory; sources have names in every language", arguments: Language.allCases)
    func exploratory(language: Language) throws {
        var numbers = try Self.numbers([(100, 1_000), (150, 1_000)])
        numbers.segments = ["none", "pending", "link"].map { .init(name: $0, strata: numbers.primary.strata) }
        numbers.secondaries = [.init(name: "quiz", strata: numbers.primary.strata)]

        let markup = try Self.page(numbers, language), words = Words(language).experiments

        #expect(markup.ranges(of: words.exploratory).count == 2)
        #expect(markup.contains(words.source("none")) && markup.contains(words.source("pending")) && !markup.contains(">pending<"))
        #expect(markup.contains(">link<") && markup.contains(">quiz<"))
    }

    @Test("No name becomes markup", arguments: ["<img src=x onerror=alert(1)>", "\"><script>alert(1)</script>", "</title><svg onload=alert(1)>"])
    func hostile(name: String) throws {
        var numbers = try Self.numbers([(100, 1_000), (150, 1_000)], names: [name + "A", name + "B"], metric: name)
        numbers.segments = [.init(name: name, strata: numbers.primary.strata)]
        numbers.history = (1...2).map { .init(day: $0, strata: numbers.primary.strata) }
        numbers.ratioParts = [.init(by: name, value: name, epochs: [.init(weights: [1, 1], looks: [[900, 1]])])]

        let markup = try Self.page(numbers, name: name, state: .promoted(name)) { page in
            page.placements = [name]
            page.notes = [.noCurrency(name), .unconverted(.init(metric: name, units: 1, currencies: [name]))]
            page.epochs = [.init(number: 1, beganAtMs: 0, weights: [.init(name, 1)])]
        }

        #expect(!markup.contains("<img") && !markup.contains("<script>") && !markup.contains("<svg onload"))
        #expect(markup.contains(name.escapedForHTML))
    }

    @Test("Notes are said in every language; in English as the API says them")
    func notes() {
        let unconverted = [12, nil].map { ExperimentNote.unconverted(.init(metric: "revenue", units: $0, currencies: ["NOK", "SEK"])) }
        for note in [ExperimentNote.noPrimary, .noCurrency("revenue"), .expiring(eventDays: 30)] + unconverted {
            #expect(Set(Language.allCases.map { Words($0).experiments.sentence(note) }).count == Language.allCases.count)
            #expect(Words(.english).experiments.sentence(note) == note.sentence)
        }
    }
}
