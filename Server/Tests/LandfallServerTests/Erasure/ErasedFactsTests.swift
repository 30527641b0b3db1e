// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallReports

@Suite("What reports keep of an erased install", .timeLimit(.minutes(1)))
struct ErasedFactsTests {
    private static func facts(
        _ acquisition: [String?], country: String? = "DE", platform: String? = "ios", isUnverified: Bool? = nil, appVersion: String? = nil
    ) -> InstallProgress.Facts {
        InstallProgress.Facts(
            acquisition: acquisition, market: [acquisition[0], country, platform], origin: .attributed, isTest: false, isLate: true, shownDays: 1,
            firsts: ["trial_started": 2], seenDays: [1], isReinstall: true, link: "go.example.com/beach", isUnverified: isUnverified,
            appVersion: appVersion)
    }

    @Test("is everything that names many: Apple's ids, what the backend said, the stored link, the source")
    func kept() {
        for acquisition in [["apple_search_ads", nil, "542370539", "542317095", nil, nil, "87675432"], ["tenjin", "tv", "summer", nil, nil, nil, nil]] {
            let facts = Self.facts(acquisition, appVersion: "1.10.2")
            #expect(facts.withoutTexts == facts)
        }
    }

    @Test("has no campaign in the words of a phone or of a tapped address", arguments: [("tenjin", true), ("link", nil)] as [(String, Bool?)])
    func words(source: String, isUnverified: Bool?) {
        let kept = Self.facts([source, "mail", "for maya", "g", "s", "c", nil], isUnverified: isUnverified).withoutTexts

        #expect(kept == Self.facts([source, nil, nil, nil, nil, nil, nil], isUnverified: isUnverified))
    }

    @Test(
        "has only values of closed sets of the device",
        arguments: [("Maya's phone", "Maya", "1.0-maya"), ("iosx", "DEU1", "4915112345678"), ("", "de", "1..2"), ("IOS", "", "1.2.3.4.5")])
    func device(platform: String, country: String, version: String) {
        let kept = Self.facts(["tenjin", nil, nil, nil, nil, nil, nil], country: country, platform: platform, appVersion: version).withoutTexts

        #expect(kept.market == ["tenjin", nil, nil] && kept.appVersion == nil)
        #expect(kept.firsts == ["trial_started": 2] && kept.seenDays == [1] && kept.isReinstall == true && kept.origin == .attributed)
    }
}
