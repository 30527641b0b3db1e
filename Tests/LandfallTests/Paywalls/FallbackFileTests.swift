// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("The bundled fallback file", .timeLimit(.minutes(1)))
struct FallbackFileTests {
    @Test(
        "The exact locale, else its language, else the paywall's own",
        arguments: [
            ("pt_br", "pt-BR"), ("de-AT", "de"), ("DE", "de"), ("fr-FR", "en"), ("", "en"), ("pt-PT", "en"),
        ])
    func locales(asked: String, found: String) throws {
        let file = try FallbackFile(.bundle)

        let candidate = file.candidate(for: PaywallKey(.onboarding, .matching, locale: asked))

        #expect(candidate?.paywall?.remoteConfig?.locale == found)
        #expect(candidate?.origin == .bundled)
        #expect(file.revision == 3)
    }

    @Test(
        "A locale finds only remote config in the script that it names or implies; else it gets the paywall's own",
        arguments: [
            ("zh-TW", "zh_Hant"), ("zh-Hant-HK", "zh_Hant"), ("zh_MO", "zh_Hant"), ("zh-CN", "en-GB"), ("zh-Hans", "en-GB"),
            ("sr-ME", "sr-Latn"), ("sr-RS", "en-GB"), ("en-GB", "en-GB"), ("en-US", "en"), ("fr", "en-GB"),
        ])
    func scripts(asked: String, found: String) throws {
        let file = try FallbackFile(
            Data(
                """
                {"revision": 1, "paywalls": {"onboarding": {
                    "paywall": {"name": "p", "remoteConfig": {"locale": "en-GB", "value": {}}},
                    "locales": {"en": {}, "zh_Hant": {}, "sr-Latn": {}}}}}
                """.utf8))

        let candidate = file.candidate(for: PaywallKey(.onboarding, .matching, locale: asked))

        #expect(candidate?.paywall?.remoteConfig?.locale == found)
    }

    @Test("An unknown format, one broken placement or a missing field does not affect the rest")
    func lenient() throws {
        let file = try FallbackFile(
            Data(
                """
                {"format": 99, "novelty": [], "paywalls": {"bad": {"paywall": 7}, "good": {"paywall": {"name": "p"}}}}
                """.utf8))

        #expect(file.broken == ["bad"])
        #expect(file.candidate(for: PaywallKey("good", .matching, locale: nil))?.paywall?.name == PaywallID("p"))
        #expect(file.candidate(for: PaywallKey("bad", .matching, locale: nil)) == nil)
    }

    @Test("A placement can say to show nothing; a placement that only lacks its paywall is broken")
    func nothing() throws {
        let file = try FallbackFile(Data(#"{"paywalls": {"quiet": {"nothing": true}, "bad": {}}}"#.utf8))

        let candidate = try #require(file.candidate(for: PaywallKey("quiet", .matching, locale: "de")))

        #expect(candidate.paywall == nil)
        #expect(file.broken == ["bad"])
    }

    @Test("A file in which nothing can be read is refused", arguments: ["", "[]", "{}", #"{"paywalls":{"a":1}}"#])
    func refused(text: String) {
        #expect(throws: LandfallError.self) { try FallbackFile(Data(text.utf8)) }
    }

    @Test("A call without time has the bundled paywall while the file is read for the start", arguments: 0..<40)
    func readTwice(round: Int) async throws {
        let long = String(decoding: Data.bundle, as: UTF8.self)
            .replacing("Hallo", with: String(repeating: "Hallo ", count: 100_000))
        let client = Phone().app { $0.fallback = Data(long.utf8) }
        client.start()
        try await Task.sleep(for: .microseconds(100 * round))

        #expect(try await client.paywall(for: .onboarding, within: .zero).origin == .bundled)
        await client.shutdown()
    }
}
