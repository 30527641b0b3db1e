// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@testable import LandfallServer

@Suite("Bodies that are read without Codable", .timeLimit(.minutes(1)))
struct PlainJSONTests {
    private static let usual = #"""
        {"adToken":{"value":"token"},"attributeChanges":[],"attributes":{"plan":"pro","sessions":7,"vip":true},"deferred":{"token":"abc"},
        "device":{"appVersion":"2.1.0","deviceId":"d","installedAgeMilliseconds":5,"locale":"en_US","osVersion":"18.1",
        "platform":"ios","storeCountry":"US","timeZone":"Europe/Paris"},
        "assignments":[{"bucket":402675,"epoch":1,"experiment":"spring-price","variation":"B"}],"holdMilliseconds":4500,"links":[],
        "placements":[{"id":"onboarding","locale":"en-US"},{"id":"offer"}]}
        """#

    private static let usualEvents = #"""
        {"events":[{"ageMilliseconds":1200,"audience":"everyone","id":"0198f0c3-7b1a-7c3d-8e4f-000000000001","origin":"cache",
        "paywall":"default","placement":"onboarding","revision":3,"elapsedMilliseconds":560,"type":"paywall_shown","variationId":"v"},
        {"ageMilliseconds":0,"id":"0198f0c3-7b1a-7c3d-8e4f-000000000002","type":"purchase.done",
        "assignment":{"bucket":402675,"epoch":1,"experiment":"spring-price","variation":"B"},"value":12.5,"currency":"EUR","properties":{"plan":"year","seats":3,"gift":true}}]}
        """#

    @Test("Events in the form that phones send are plain", arguments: [usualEvents, #"{"events":[]}"#])
    func events(body: String) throws {
        let read = try #require(Array(body.utf8).withUnsafeBytes(EventBatch.plain))

        #expect(try read == EventBatch.decoded(from: Data(body.utf8)))
    }

    @Test(
        "Events in another form, right or wrong, are left to Codable",
        arguments: [
            "{}", #"{"events":null}"#, #"{"events":[{}]}"#, #"{"events":[{"id":"a","type":"b"}]}"#, #"{"events":[],"events":[]}"#,
            #"{"events":[{"id":"a","type":"b","ageMilliseconds":1,"x":2}]}"#,
            #"{"events":[{"id":"a","type":"b","ageMilliseconds":1.0}]}"#, #"{"events":[{"id":"a","type":"b","ageMilliseconds":1,"origin":null}]}"#,
        ])
    func leftEvents(body: String) {
        #expect(Array(body.utf8).withUnsafeBytes(EventBatch.plain) == nil)
    }

    @Test(
        "The form that phones send is plain",
        arguments: [
            usual, "{}", " { } ", #"{"adToken":"coming"}"#, #"{"adToken":{"none":"unsupported"},"placements":[]}"#,
            #"{"device":{"platform":"ios"},"adToken":{"none":"noToken"},"placements":[{"id":"onboarding"}]}"#,
            #"{"assignments":[]}"#, #"{"purchases":"coming"}"#, #"{"purchases":"none"}"#,
            #"{"attributes":{"a":-5,"b":0,"c":false}}"#, "{\"holdMilliseconds\" :\n\t10 }",
        ])
    func plain(body: String) throws {
        let read = try #require(Self.read(body))

        #expect(try read == FirstOpenRequest.decoded(from: Data(body.utf8)))
    }

    @Test(
        "Ambiguous or wrong JSON is left to Codable",
        arguments: [
            "", "[]", "{", "{}x", #"{"purchases":true}"#, #"{"x":1}"#, #"{"device":null}"#, #"{"device":{},"device":{}}"#, #"{"attributes":{"a":1,"a":2}}"#,
            #"{"holdMilliseconds":1.5}"#, #"{"holdMilliseconds":1e3}"#, #"{"holdMilliseconds":01}"#, #"{"holdMilliseconds":-0}"#,
            #"{"holdMilliseconds":"5"}"#, #"{"holdMilliseconds":1234567890123456}"#, #"{"adToken":"none"}"#, #"{"adToken":{}}"#,
            #"{"adToken":{"value":"a","none":"b"}}"#, #"{"adToken":"\u0063oming"}"#, #"{"device":{"locale":"é"}}"#,
            "{\"device\":{\"locale\":\"\u{0}\"}}", #"{"device":{"locale":"\u0000"}}"#, #"{"links":[{"key":"k","url":"u","ageMilliseconds":1}]}"#,
            #"{"placements":[{"locale":"en"}]}"#, #"{"placements":[{"id":"a"},]}"#, #"{"placements":[{"id":"a"}"#, #"{"attributes":{"a":null}}"#,
            #"{"assignments":[{"experiment":"e","epoch":1,"variation":"B"}]}"#, #"{"assignments":null}"#,
            #"{"assignments":[{"experiment":"e","epoch":1,"variation":"B","bucket":7,"later":1}]}"#, #"{"attributes":{"a":tru}}"#, #"{"attributes":{"a":truex}}"#, #"{"attributes":{"a":{}}}"#, "\u{FEFF}{}",
        ])
    func left(body: String) {
        #expect(Self.read(body) == nil)
    }

    @Test("Accepted JSON has the value that Codable reads", arguments: 0..<8 as Range<UInt64>)
    func mutated(seed: UInt64) throws {
        try Self.mutate(FirstOpenRequest.self, Self.usual, seed: seed)
        try Self.mutate(EventBatch.self, Self.usualEvents, seed: seed)
    }

    private static func mutate<Body: PlainlyReadable & Equatable>(_ type: Body.Type, _ usual: String, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var taken = 0
        let signs = Array("{}[]\",:0123456789-.eEtfn \\u\n".utf8) + [0, 0xC3, 0xA9]
        for _ in 0..<3_000 {
            var bytes = Array(usual.utf8)
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.remove(at: place)
                case 1: bytes[place] = signs.randomElement(using: &random)!
                case 2: bytes.insert(signs.randomElement(using: &random)!, at: place)
                default:
                    let end = min(bytes.count, place + Int.random(in: 1...30, using: &random))
                    bytes.insert(contentsOf: bytes[place..<end], at: place)
                }
            }
            guard let read = bytes.withUnsafeBytes(Body.plain) else { continue }
            taken += 1
            #expect(try read == Body.decoded(from: Data(bytes)), "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(taken > 300)
    }

    @Test("Stored values are read as they were written", arguments: 0..<20 as Range<UInt64>)
    func stored(seed: UInt64) throws {
        var wire = RandomWire(seed: seed)
        for _ in 0..<30 {
            let attributes = wire.profile().customAttributes, answer = wire.details().appleAds
            #expect(try [String: AttributeValue].stored(Self.text(attributes)) == attributes)
            if let answer { #expect(try AppleAdsAnswer.stored(Self.text(answer)) == answer) }
        }
        var apple = AppleAdsAnswer(attribution: true)
        apple.campaignId = 542_370_539
        apple.clickDate = "2026-11-22T09:00Z"
        let text = try Self.text(apple)
        #expect(Array(text.utf8).withUnsafeBytes(AppleAdsAnswer.plain) == apple)
        #expect(throws: DecodingError.self) { try AppleAdsAnswer.stored("{}") }
    }

    private static func text(_ value: some Encodable) throws -> String { String(decoding: try WireCoding.encode(value), as: UTF8.self) }

    @Test("Long and deep bodies are read or left to Codable")
    func linear() throws {
        let body = { (count: Int) in
            #"{"placements":["# + (0..<count).map { #"{"id":"p\#($0)"}"# }.joined(separator: ",") + "]}"
        }
        #expect(Self.read(body(4_000))?.placements.count == 4_000)
        #expect(Self.read(String(repeating: #"{"device":"#, count: 100_000)) == nil)
    }

    private static func read(_ body: String) -> FirstOpenRequest? { Array(body.utf8).withUnsafeBytes(FirstOpenRequest.plain) }
}
