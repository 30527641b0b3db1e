// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@Suite("The first-open request", .timeLimit(.minutes(1)))
struct FirstOpenRequestTests {
    @Test("is pinned by its golden file")
    func golden() throws {
        var device = DeviceFacts()
        device.appVersion = "1.4.0"
        device.osVersion = "18.5"
        device.platform = "ios"
        device.locale = "de-AT"
        device.storeCountry = "AT"
        device.timeZone = "Europe/Vienna"
        device.deviceId = "0b0e7f2c-8a54-4c53-9a2e-3f1d6f0a1b2c"
        device.installedAgeMilliseconds = 86_400_000
        let request = FirstOpenRequest(
            device: device,
            adToken: .value("dG9rZW4="),
            purchases: .coming,
            links: [.init(key: IdempotencyKey("k-1"), url: "https://brandname.go.link/beach", ageMilliseconds: 1200)],
            placements: [.init(id: "onboarding", locale: "de-AT"), .init(id: "settings")],
            attributes: ["plan": .string("free"), "sessions": .number(3), "beta": .bool(true)],
            attributeChanges: [AttributeChanges(key: IdempotencyKey("k-2"), attributes: ["plan": .string("pro"), "beta": nil])],
            assignments: [Assignment(experiment: "spring-price", epoch: 1, variation: "B", bucket: 402_675)],
            holdMilliseconds: 10_000
        )

        try expectGolden(request, "first-open-request")
    }

    @Test("has a default for every absent field")
    func empty() throws {
        let request = try WireCoding.decode(FirstOpenRequest.self, from: Data("{}".utf8))

        #expect(
            request == FirstOpenRequest(device: DeviceFacts(), adToken: .none(.noToken), placements: [], holdMilliseconds: 0))
    }

    @Test(
        "contains the ad token in one of three forms",
        arguments: [
            (#""coming""#, AdToken.coming), (#"{"value":"t"}"#, .value("t")), (#"{"none":"unsupported"}"#, .none(.unsupported)),
            (#"{"none":{"reason":"unsupported"}}"#, .none(.unsupported)), (#"{"coming":true}"#, .coming),
            (#""none""#, .none(.noToken)), ("{}", .none(.noToken)),
        ]
    )
    func adToken(json: String, token: AdToken) throws {
        #expect(try WireCoding.decode(AdToken.self, from: Data(json.utf8)) == token)
        #expect(try WireCoding.decode(AdToken.self, from: WireCoding.encode(token)) == token)
    }

    @Test("refuses an ad token of another form")
    func strangeAdToken() {
        #expect(throws: DecodingError.self) { try WireCoding.decode(AdToken.self, from: Data(#""soon""#.utf8)) }
    }
}
