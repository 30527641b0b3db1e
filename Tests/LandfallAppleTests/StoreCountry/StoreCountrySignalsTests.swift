// SPDX-License-Identifier: Apache-2.0
#if canImport(StoreKit) && os(Linux)  // The stand-in: Apple's own store takes no script.
import LandfallTesting
import LandfallWire
import StoreKit
import Testing

@testable import LandfallApple

/// One after the other, because the store belongs to the process.
@Suite("The store's country from StoreKit", .serialized, .timeLimit(.minutes(1)))
struct StoreCountrySignalsTests {
    let app = ScriptedApp()

    @Test("arrives as two letters")
    func known() async {
        StorefrontScript.current = { Storefront(countryCode: "FRA") }
        let client = app.client { $0.platform = [StoreCountrySignals()] }
        client.start()

        await app.fileHolds(.profile, #""storeCountry":"FR""#)
        await client.shutdown()
    }

    @Test("delays nothing if the store never answers, even at shutdown")
    func hangs() async throws {
        let (silence, _) = AsyncStream<Never>.makeStream()
        StorefrontScript.current = {
            for await _ in silence {}
            return nil
        }
        let client = app.client { $0.platform = [StoreCountrySignals()] }
        client.start()

        await app.waitForFirstOpen()

        #expect(try WireCoding.decode(FirstOpenRequest.self, from: #require(app.firstOpens[0].body)).device.storeCountry == nil)
        await client.shutdown()
    }

    @Test("is not reported without a store, or with an unknown country", arguments: [nil, "", "ZZZ", "FR", "FRAN"])
    func unknown(code: String?) async {
        StorefrontScript.current = { code.map(Storefront.init) }
        var heard: [PlatformSignal] = []

        for await signal in StoreCountrySignals().signals() { heard.append(signal) }

        #expect(heard == [])
    }

    @Test(
        "is right for countries with misleading letters",
        arguments: [
            ("USA", "US"), ("gbr", "GB"), ("UKR", "UA"), ("CHE", "CH"), ("CHN", "CN"), ("AUT", "AT"), ("AUS", "AU"),
            ("SWE", "SE"),
            ("SVN", "SI"), ("IRL", "IE"), ("ISR", "IL"), ("KOR", "KR"), ("PRT", "PT"), ("XKS", "XK"),
        ])
    func table(alpha3: String, alpha2: String) {
        #expect(CountryCode.alpha2(ofAlpha3: alpha3) == alpha2)
    }

    @Test("The table has each code once")
    func tableIsWhole() {
        let pairs = CountryCode.pairs.split(whereSeparator: \.isWhitespace)

        #expect(pairs.count == 250)
        #expect(pairs.allSatisfy { $0.utf8.count == 5 })
        #expect(Set(pairs.map { $0.prefix(3) }).count == 250)
        #expect(Set(pairs.map { $0.suffix(2) }).count == 250)
    }
}
#endif
