// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("The page about health", .timeLimit(.minutes(1)))
struct HealthPageTests {
    private static let findings: [HealthCheck.Finding] = [
        .store(damage: "page <3>"), .writes(failure: "disk I/O error", waiting: 1), .disk(free: 0.042), .configuration(served: 3, newest: 4),
        .configurationFile(problem: "landfall.yaml:1:1: <3>", served: 3), .reports(behindMs: 3_600_000, isCatchingUp: false), .reports(behindMs: nil, isCatchingUp: true), .jobs(late: [], failing: [], isCatchingUp: false),
        .jobs(late: [.init(kind: .retention, sinceMs: 1_795_300_000_000, lateMs: 90_000_000)], failing: [], isCatchingUp: true),
        .jobs(late: [], failing: [.init(kind: .retention, attempts: 9)], isCatchingUp: false),
        .backup(ageMs: nil, isShared: false), .backup(ageMs: nil, isShared: true),
        .stream(failure: "<3> is away.", behindMs: 900_000), .stream(failure: "away", behindMs: nil), .stream(failure: nil, behindMs: 1), .stream(failure: nil, behindMs: nil),
        .held(9, of: 10), .connections(9, of: 10),
        .appStore(problem: "page <3>", askedMs: nil), .appStore(problem: nil, askedMs: nil), .appStore(problem: nil, askedMs: 3_600_000),
        .exports(failure: "no answer", lastDay: nil), .exports(failure: nil, lastDay: "2026-11-28"), .exports(failure: nil, lastDay: nil),
        .webhooks(.init(waiting: 3)), .webhooks(.init(off: 1, failing: 2, dropped: 4)), .forwarding(waiting: 2, givenUp: 0), .forwarding(waiting: 2, givenUp: 1),
        .keys(hasActive: true, ending: [.init(name: "pk_d… (7)", endsAtMs: 1_795_300_000_000)]),
        .shared(.database(awayMs: nil)), .shared(.database(awayMs: 60_000)), .shared(.nodes(2, silent: [])), .shared(.nodes(2, silent: ["<3>"])),
        .shared(.releases(["1"])), .shared(.releases(["1", "<3>"])), .shared(.clocks(aheadMs: 0)), .shared(.clocks(aheadMs: 2_001)),
        .shared(.replica(.ok, behindMs: 12)), .shared(.replica(.unknown, behindMs: nil)), .shared(.replica(.away, behindMs: nil)),
        .shared(.replica(.behind, behindMs: 90_000)), .shared(.replica(.behind, behindMs: nil)),
    ]
    private static let node = HealthPage.Node(release: "1.0", runningMs: 60_000, version: 3, connections: 1, held: 0, watching: 0)

    @Test("A problem comes first, with what to do; what is in order has no advice", arguments: Language.allCases)
    func order(language: Language) throws {
        let checks = [HealthCheck(.disk(free: 0.5), isOK: true), HealthCheck(.configuration(served: 3, newest: 4), isOK: false)]

        let markup = HealthPage(frame: .sample(.owner, language), node: Self.node, checks: checks).html.markup

        let wrong = try #require(markup.firstRange(of: "data-check=\"configuration\"")).lowerBound
        let right = try #require(markup.firstRange(of: "data-check=\"disk\"")).lowerBound
        #expect(wrong < right)
        #expect(markup.contains("landfall check landfall.yaml"))
        #expect(!markup.contains((Words(language).fix(.disk(free: 0.5))).escapedForHTML))
        #expect(markup.contains(Words(language).healthBad(1, of: 2)))
    }

    @Test("Nothing is green while an alert fires, and what the server cannot know is neither in order nor a problem", arguments: Language.allCases)
    func notGreen(language: Language) {
        let words = Words(language)
        let checks = [HealthCheck(.disk(free: 0.5), isOK: true), HealthCheck(.backup(ageMs: nil, isShared: true), .elsewhere)]
        var page = HealthPage(frame: .sample(.owner, language), node: Self.node, checks: checks)
        let quiet = page.html.markup
        page.alerts = [Self.alerts[0]]
        let loud = page.html.markup

        #expect(quiet.contains("class=\"alert good\"") && quiet.contains(words.healthGood) && quiet.contains(words.notCheckedHere))
        #expect(!quiet.contains("badge bad") && quiet.contains(words.fix(.backup(ageMs: nil, isShared: true)).escapedForHTML))
        #expect(!loud.contains("class=\"alert good\"") && loud.contains(words.alertsFire(1)))
    }

    @Test("Every kind of work that can be late has a name of its own", arguments: Language.allCases)
    func work(language: Language) {
        let sentences = HealthReader.kinds.map { kind in
            Words(language).sentence(.jobs(late: [.init(kind: kind, sinceMs: 0, lateMs: 180_000)], failing: [], isCatchingUp: false))
        }

        #expect(Set(sentences).count == HealthReader.kinds.count)
        for (kind, sentence) in zip(HealthReader.kinds, sentences) { #expect(!sentence.contains(kind.rawValue + ":"), "\(sentence)") }
    }

    @Test("Every finding has its own words in every language, and strangers' text is escaped", arguments: findings)
    func words(finding: HealthCheck.Finding) {
        for text in [{ $0.name(of: finding) }, { $0.sentence(finding) }, { $0.fix(finding) }] as [(Words) -> String] {
            let texts = Language.allCases.map { text(Words($0)) }
            #expect(Set(texts).count == 3, "\(texts)")
        }
        let page = HealthPage(frame: .sample(), node: Self.node, checks: [HealthCheck(finding, isOK: false)])
        #expect(!page.html.markup.contains("<3>"))
    }

    private static let alerts = AlertRule.allCases.map { rule in
        AlertState(
            key: AlertKey(rule, "go<3>.example.com"), sinceMs: 1_795_300_000_000, quietSinceMs: nil, firedAtMs: 1_795_300_000_000,
            value: rule.limit.map { $0.usual + 1 }, limit: rule.limit?.usual, detail: "page <3>")
    }

    @Test("Every alert that fires has its own words in every language, with since when and what to do, and is on the overview too", arguments: alerts)
    func alert(alert: AlertState) {
        for text in [{ $0.name(of: alert.key.rule) }, { $0.sentence(alert) }, { $0.fix(alert.key.rule) }] as [(Words) -> String] {
            let texts = Language.allCases.map { text(Words($0)) }
            #expect(Set(texts).count == 3, "\(texts)")
        }
        var page = HealthPage(frame: .sample(), node: Self.node, checks: [])
        #expect(!page.html.markup.contains("data-alerts"))
        page.alerts = [alert]
        var overview = OverviewPage(
            frame: .sample(), query: OverviewQuery([:]), from: "2026-11-01", to: "2026-11-28", today: "2026-11-28", completeToMilliseconds: 0)
        overview.alerts = [alert]

        for markup in [page.html.markup, overview.html.markup] {
            #expect(markup.contains("data-alert=\"\(alert.key.rule.rawValue)\"") && !markup.contains("<3>"))
            #expect(markup.contains(Words(.english).fix(alert.key.rule).escapedForHTML) && markup.contains("page &lt;3&gt;"))
        }
        #expect(alert.key.rule != .disk || Words(.english).sentence(alert) == "11 % of the disk that holds the store is free. The limit is 10 %.")
    }

    @Test("A webhook that is off has taken nothing for no time that could be named", arguments: Language.allCases)
    func off(language: Language) {
        let alert = AlertState(
            key: AlertKey(.webhook, "hooks.example.com"), sinceMs: 0, quietSinceMs: nil, firedAtMs: 0, value: nil, limit: 60, detail: "")

        let sentence = Words(language).sentence(alert)

        #expect(sentence.contains("hooks.example.com") && !sentence.contains("–"), "\(sentence)")
    }

    @Test("With a key there is how the last test notification went, and a form for another one", arguments: Language.allCases)
    func test(language: Language) {
        let words = Words(language)
        var page = HealthPage(frame: .sample(.owner, language), node: Self.node, checks: [])
        #expect(!page.html.markup.contains("data-test-notification"))
        func markup(_ test: TestNotification?) -> String {
            page.appStore = AppStoreHealth(problem: nil, succeededAtMs: nil, isLate: false, test: test)
            return page.html.markup
        }

        #expect(markup(nil).contains("action=\"/console/health/test\"") && markup(nil).contains("landfall test-notification"))
        let arrived = TestNotification(environment: "Production", result: "SUCCESS", arrived: true, tookMilliseconds: 812)
        #expect(markup(arrived).contains(words.testArrived(afterMs: 812).escapedForHTML))
        let lost = TestNotification(environment: "Production", result: "TLS_ISSUE", arrived: false, tookMilliseconds: 900)
        #expect(markup(lost).contains(words.testLost("TLS_ISSUE").escapedForHTML))
    }

    @Test("Nodes that share a store are listed, this one marked; a node alone has no list", arguments: Language.allCases)
    func nodes(language: Language) {
        let words = Words(language)
        var page = HealthPage(frame: .sample(.owner, language), node: Self.node, checks: [])
        #expect(!page.html.markup.contains("<table"))
        page.nodes = NodesHealth(
            [
                .init(name: "a<", release: "1.0", runningMs: 60_000, silentMs: 12, clockAheadMs: -7, isThis: false),
                .init(name: "b", release: "1.1", runningMs: 0, silentMs: 3_456, clockAheadMs: 0, isThis: true),
            ], awaySinceMs: nil)
        let markup = page.html.markup

        #expect(markup.contains("<code>a&lt;</code></th>"))
        #expect(markup.contains("<code>b</code><span class=\"badge\">\(words.thisNode)</span></th>"))
        for text in [words.figuresOfThisNode, "1.1", words.milliseconds(12), words.milliseconds(-7), words.milliseconds(3_456)] {
            #expect(markup.contains(text), "\(text)")
        }
    }

    @Test("The day on which a key ends has its zone", arguments: Language.allCases)
    func endingKey(language: Language) {
        let finding = HealthCheck.Finding.keys(hasActive: true, ending: [.init(name: "pk", endsAtMs: 1_795_300_000_000)])

        #expect(Words(language).sentence(finding).contains("pk (2026-11-21 UTC)"))
    }

    @Test(
        "Times have their two largest units",
        arguments: [
            (0, "less than a minute"), (60_000, "1 minute"), (3_600_000, "1 hour"), (3_660_000, "1 hour 1 minute"),
            (86_400_000, "1 day"), (2 * 86_400_000 + 7_260_000, "2 days 2 hours"), (-5, "less than a minute"),
        ] as [(Int64, String)])
    func span(milliseconds: Int64, text: String) { #expect(Words(.english).span(milliseconds) == text) }
}
