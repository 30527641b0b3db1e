// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallWire
import Testing

@Suite("Remote config", .timeLimit(.minutes(1)))
struct RemoteConfigTests {
    private struct Offer: Decodable, Equatable {
        struct Plan: Decodable, Equatable { var price: Double }
        var title: String
        var plans: [Plan]
        var trialDays: Int?
    }

    private func config(_ json: String) throws -> RemoteConfig {
        RemoteConfig(locale: "en", value: try WireCoding.decode(JSONValue.self, from: Data(json.utf8)))
    }

    @Test("decodes into a type of the app")
    func decoding() throws {
        let config = try config(#"{"title": "Hello", "plans": [{"price": 9.99}], "novelty": null}"#)

        let offer = try config.decode(as: Offer.self)

        #expect(offer == Offer(title: "Hello", plans: [.init(price: 9.99)], trialDays: nil))
    }

    @Test("is read value by value, without a type; what is not there is nil")
    func subscripts() throws {
        let config: RemoteConfig = [
            "title": "Hello", "isNew": true, "days": 7, "plans": [["price": 9.99], ["price": 3]], "none": .null,
        ]

        #expect(config["title"]?.string == "Hello")
        #expect(config["isNew"]?.bool == true)
        #expect(config["days"]?.integer == 7)
        #expect(config["days"]?.double == 7)
        #expect(config["plans"]?[0]?["price"]?.double == 9.99)
        #expect(config["plans"]?[1]?["price"]?.integer == 3)
        #expect(config["plans"]?[2] == nil)
        #expect(config["none"]?.isNull == true)
        #expect(config["missing"] == nil)
        #expect(config["title"]?.integer == nil)
        #expect(config.locale == "en")
    }

    @Test("decodes with the app's own decoder")
    func decoder() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase

        let offer = try config(#"{"title": "Hello", "plans": [], "trial_days": 7}"#).decode(as: Offer.self, decoder: decoder)

        #expect(offer.trialDays == 7)
    }

    @Test(
        "that does not fit says where",
        arguments: [
            (#"{"title": "Hello"}"#, "plans", "is missing"),
            (#"{"title": null, "plans": []}"#, "title", "is null"),
            (#"{"title": "Hello", "plans": [{"price": 1}, {"price": "2"}]}"#, "plans.1.price", "is not of the type"),
            ("[]", "", "The value is not of the type"),
        ])
    func mismatch(json: String, path: String, text: String) throws {
        let config = try config(json)

        let error = #expect(throws: RemoteConfigError.self) { try config.decode(as: Offer.self) }

        #expect(error?.path == path)
        #expect(error.map { "\($0)".contains(text) } ?? false, "\(error.map(String.init(describing:)) ?? "no error")")
    }
}
