// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("What a link's click counts for", .timeLimit(.minutes(1)))
struct LinkCreditTests {
    private static let day: Int64 = 86_400_000
    private static let opened: Int64 = 0

    private static func click(
        _ id: String, at saidAtMs: Int64, campaign: String? = "summer", recordedAtMs: Int64? = nil,
        windows: AttributionWindows = AttributionWindows()
    ) -> AttributionFact {
        var fact = AttributionFact(
            id: id, source: .link, status: campaign == nil ? .unknown : .nonOrganic, saidAtMs: saidAtMs,
            recordedAtMs: recordedAtMs ?? saidAtMs
        )
        fact.campaign = campaign
        fact.link = ClickedLink(code: "go.example.com/\(campaign ?? "plain")", windows: windows)
        return fact
    }

    private static func credit(_ clicks: [AttributionFact], silent: [(Int64, Int64)] = []) -> LinkCredit {
        LinkCredit(
            clicks, firstOpenAtMs: opened,
            absences: silent.map { Absence(beganAtMs: opened + $0.0 * day, endedAtMs: opened + $0.1 * day) }
        )
    }

    @Test(
        "A click acquires the install within its window before the first open, both ends included",
        arguments: [
            (-7 * day - 1, 7, false), (-7 * day, 7, true), (-1, 7, true), (0, 7, true),
            // The link that starts the app arrives a moment after the app has started.
            (LinkCredit.handOverMs, 7, true), (LinkCredit.handOverMs + 1, 7, false),
            (-2 * day, 1, false), (-30 * day, 30, true),
        ] as [(Int64, Int64, Bool)])
    func acquisition(after: Int64, window: Int64, counts: Bool) {
        let click = Self.click("a", at: Self.opened + after, windows: AttributionWindows(clickWindowDays: window))

        #expect(Self.credit([click]).acquiring == (counts ? [click] : []))
    }

    @Test("A click without labels counts for nothing")
    func silent() {
        let credit = Self.credit([Self.click("a", at: Self.opened - 1, campaign: nil)])

        #expect(credit == LinkCredit([], firstOpenAtMs: Self.opened, absences: []))
    }

    @Test("Of several clicks before the install the first is the acquisition, the last the engagement")
    func several() {
        let first = Self.click("b", at: Self.opened - 20), last = Self.click("a", at: Self.opened - 10, campaign: "autumn")
        let credit = Self.credit([last, first])

        #expect(credit.acquiring == [first, last])
        #expect(credit.engagement == last)
    }

    @Test(
        "A later click brings the user back after a long enough absence, with an open inside its window",
        arguments: [
            (7, 7, true), (6, 7, false), (7, 8, false), (30, 30, true), (0, 0, true),
        ] as [(Int64, Int64, Bool)])
    func reattribution(silentDays: Int64, needed: Int64, counts: Bool) {
        let windows = AttributionWindows(reattributionAfterDays: needed)
        let click = Self.click("a", at: Self.opened + (2 + silentDays) * Self.day, windows: windows)

        let credit = Self.credit([click], silent: silentDays > 0 ? [(Int64(2), 2 + silentDays)] : [])

        #expect(credit.engagement == (counts ? click : nil))
        #expect(credit.acquiring.isEmpty)
    }

    @Test("A click in the middle of an absence counts from its own instant, and only with an open within its window")
    func lateOpen() {
        let click = Self.click("a", at: Self.opened + 10 * Self.day)

        #expect(Self.credit([click], silent: [(2, 12)]).engagement == click)
        #expect(Self.credit([click], silent: [(2, 18)]).engagement == nil)
        #expect(Self.credit([click], silent: [(4, 12)]).engagement == nil)
    }

    @Test("The link that already counts does not count again")
    func anotherLink() {
        let first = Self.click("a", at: Self.opened)
        let again = Self.click("b", at: Self.opened + 20 * Self.day)
        let other = Self.click("c", at: Self.opened + 40 * Self.day, campaign: "autumn")

        let credit = Self.credit([other, again, first], silent: [(10, 20), (30, 40)])

        #expect(credit.engagement == other)
        #expect(Self.credit([again, first], silent: [(10, 20)]).engagement == first)
    }

    @Test("Later clicks never change acquisition", arguments: 1...50 as ClosedRange<UInt64>)
    func acquisitionStays(seed: UInt64) {
        var dice = SeededRandom(seed: seed)
        let first = Self.click("first", at: Self.opened - 5)
        var install = Install.sample()
        install.facts = [first]
        install.absences = [Absence(beganAtMs: Self.opened + Self.day, endedAtMs: Self.opened + 30 * Self.day)]
        let before = install.attribution(nowMs: Self.opened)

        for number in 0..<5 {
            install.facts.append(
                Self.click(
                    "x\(number)", at: Self.opened + LinkCredit.handOverMs + .random(in: 1...40 * Self.day, using: &dice),
                    campaign: "c\(number)"))
            #expect(install.attribution(nowMs: Self.opened + 50 * Self.day) == before)
            #expect(install.appliedSources == [.link])
        }
    }

    @Test("The order of the facts does not matter", arguments: 1...300 as ClosedRange<UInt64>)
    func order(seed: UInt64) {
        var dice = SeededRandom(seed: seed)
        var install = Install.sample()
        var days: [Int64] = [0]
        for _ in 0..<6 { days.append(days.last! + Int64.random(in: 1...12, using: &dice)) }
        install.absences = zip(days, days.dropFirst()).filter { _ in Bool.random(using: &dice) }
            .map { Absence(beganAtMs: Self.opened + $0 * Self.day, endedAtMs: Self.opened + $1 * Self.day) }
        let facts = (0..<Int.random(in: 0...8, using: &dice)).map { number in
            guard Int.random(in: 0..<4, using: &dice) > 0 else {
                return AttributionFact(
                    id: "\(number)", source: [.appleAds, "tenjin"].randomElement(using: &dice)!,
                    status: AttributionClaim.Status.allCases.randomElement(using: &dice)!,
                    saidAtMs: Self.opened + .random(in: 0...3, using: &dice), recordedAtMs: Self.opened)
            }
            // Few instants, so that several are the same.
            let said = Self.opened + (days.randomElement(using: &dice)! - 5) * Self.day
            return Self.click(
                "\(number)", at: said, campaign: [nil, "summer", "autumn"].randomElement(using: &dice)!,
                recordedAtMs: said + .random(in: 0...20, using: &dice) * Self.day,
                windows: AttributionWindows(
                    clickWindowDays: .random(in: 1...30, using: &dice),
                    reattributionAfterDays: .random(in: 0...9, using: &dice))
            )
        }
        func meaning(_ facts: [AttributionFact]) -> [AnyHashable] {
            var told = install
            told.facts = facts
            told.absences.shuffle(using: &dice)
            let nowMs = Self.opened + 20 * Self.day
            return [
                told.precedence, told.linkCredit, told.appliedSources, told.attribution(nowMs: nowMs),
                told.latestLink(nowMs: nowMs),
            ]
        }
        let expected = meaning(facts)

        for _ in 0..<10 { #expect(meaning(facts.shuffled(using: &dice)) == expected) }
    }

    @Test("Above the limit the oldest click that counts for nothing is dropped")
    func leastMissed() {
        var install = Install.sample()
        install.absences = [Absence(beganAtMs: Self.opened + Self.day, endedAtMs: Self.opened + 30 * Self.day)]
        let acquiring = Self.click("acquiring", at: Self.opened - 5)
        let engaging = Self.click("engaging", at: Self.opened + 30 * Self.day, campaign: "autumn")
        let idle = (31...40).map { Self.click("idle\($0)", at: Self.opened + $0 * Self.day, campaign: "c\($0)") }
        let facts = [acquiring, engaging] + idle.shuffled()

        #expect(LinkCredit.leastMissed(among: facts, of: install, most: 11)?.id == "idle31")
        #expect(LinkCredit.leastMissed(among: facts, of: install, most: 12) == nil)
    }

    @Test("An audience reads the latest click until its window ends, whatever the click counts for")
    func latest() {
        var install = Install.sample()
        install.facts = [
            Self.click("a", at: Self.opened), Self.click("b", at: Self.opened + Self.day, campaign: nil),
        ]

        #expect(install.latestLink(nowMs: Self.opened + Self.day)?.id == "b")
        #expect(install.latestLink(nowMs: Self.opened + 8 * Self.day)?.id == "b")
        #expect(install.latestLink(nowMs: Self.opened + 8 * Self.day + 1) == nil)
    }

    @Test("Today's click did not acquire an app that was used long before its first launch with Landfall")
    func update() {
        var install = Install.sample()
        install.facts = [Self.click("a", at: Self.opened)]
        #expect(install.precedence.winner?.id == "a")

        install.installedAtMs = Self.opened - 60 * Self.day

        #expect(install.precedence.winner == nil)
        #expect(install.latestLink(nowMs: Self.opened)?.id == "a")
    }
}
