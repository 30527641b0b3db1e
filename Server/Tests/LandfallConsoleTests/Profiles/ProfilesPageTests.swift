// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("The pages of people", .timeLimit(.minutes(1)))
struct ProfilesPageTests {
    private let row = ProfileRow(
        profile: "i_<1>", install: "1&2", customer: "<b>maya</b>", firstOpenMilliseconds: 0, lastSeenMilliseconds: nil, platform: "ios",
        appVersion: nil, testDevice: "<i>")

    static func document(_ entries: [Timeline.Entry] = [], before: String? = nil) -> ProfileDocument {
        let claim = ProfileDocument.Claim(
            source: "link", status: "non_organic", isVerified: true, isTest: false, saidMilliseconds: 0, recordedMilliseconds: 0,
            details: [ProfileDetail("campaign", "<summer>")], standing: .counts)
        return ProfileDocument(
            profile: "i_1", customer: "maya", customerIsVerified: true,
            installs: [.init(install: "1", firstOpenMilliseconds: 0, lastSeenMilliseconds: 0, firstInstall: nil, testDevice: nil)],
            install: "1", facts: [.init("country", "JP", .phone, sinceMilliseconds: nil)], attributes: [ProfileDetail("plan", "<pro>")],
            attribution: .init(state: .attributed, reason: nil, claims: [claim]),
            assignments: [
                .init(
                    experiment: "price", epoch: 1, variation: "B", bucket: 7, step: "drawn", assignedMilliseconds: 0, shownMilliseconds: nil)
            ], timeline: Timeline(entries: entries, before: before))
    }

    @Test("A search keeps what was typed, and escapes what strangers wrote", arguments: Language.allCases)
    func search(language: Language) {
        let markup = ProfilesPage(
            frame: .sample(.support, language), query: "<q>\"", isTest: false, found: FoundProfiles(profiles: [row], isCut: true)
        ).html.markup

        #expect(markup.contains("value=\"&lt;q&gt;&quot;\"") && markup.contains("type=\"search\""))
        #expect(markup.contains("/console/profiles/i_%3C1%3E?install=1%262"))
        #expect(markup.contains("&lt;b&gt;maya") && !markup.contains("<b>") && !markup.contains("<i>"))
    }

    @Test("Nobody found says so, and a forgotten person is confirmed")
    func empty() {
        var page = ProfilesPage(frame: .sample(), query: "x", isTest: false, found: FoundProfiles(profiles: [], isCut: false))
        #expect(page.html.markup.contains("Nobody was found"))
        page.forgotten = true
        #expect(page.html.markup.contains("The person is forgotten."))
    }

    @Test("A profile has its parts in every language, and the timeline's pages lead on and back", arguments: Language.allCases)
    func profile(language: Language) {
        let entry = Timeline.Entry(
            key: "k", kind: .exposure, atMilliseconds: 1_795_300_005_000, happenedMilliseconds: 1_795_300_000_000, subject: "offer › <summer>",
            details: [.init(.placement, "offer"), .init(.origin, "cache"), .init(.profile, "s_2")], install: "1", event: "e1")

        let markup = ProfilePage(
            frame: .sample(.support, language), profile: Self.document([entry], before: "k:1"), isNewest: false
        ).html.markup

        #expect(markup.ranges(of: "<h1>").count == 1)
        #expect(markup.contains("offer › &lt;summer&gt;") && markup.contains("datetime=\"2026-11-21T22:26:45Z\""))
        #expect(markup.contains("before=k%3A1") && markup.contains(Words(language).newestEntries))
        #expect(markup.contains("href=\"/console/profiles/s_2\"") && markup.contains(Words(language).origin("cache")))
        #expect(markup.contains("&lt;pro&gt;") && markup.contains("&lt;summer&gt;") && !markup.contains("<summer>"))
    }

    @Test("A wrong id stays in the field, and its problem is at the field and above the form", arguments: Language.allCases)
    func wrongID(language: Language) {
        var page = ProfilePage(frame: .sample(.support, language), profile: Self.document(), isNewest: true)
        #expect(page.html.markup.contains("action=\"/console/profiles/i_1/forget\"") && !page.html.markup.contains("role=\"alert\""))
        page.typed = "<i_2>"
        page.problems = [FieldProblem("typed", Words(language).wrongID)]

        let markup = page.html.markup

        #expect(markup.contains("value=\"&lt;i_2&gt;\"") && markup.contains("href=\"#typed\"") && markup.contains("name=\"csrf\""))
        #expect(markup.ranges(of: Words(language).wrongID).count == 2)
    }

    @Test("Every kind, term, source and standing has words of its own in each language", arguments: Language.allCases)
    func words(language: Language) {
        let words = Words(language)

        #expect(Set(FactVerdict.allCases.map { words.meaning(of: $0) }).count == FactVerdict.allCases.count)
        #expect(Set(Timeline.Entry.Kind.allCases.map { words.name(of: $0) }).count == Timeline.Entry.Kind.allCases.count)
        #expect(Set(ProfileDocument.Fact.Source.allCases.map { words.name(of: $0) }).count == ProfileDocument.Fact.Source.allCases.count)
        #expect(Timeline.Entry.Term.allCases.allSatisfy { !words.name(of: $0).isEmpty })
    }
}
