// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One request that a phone makes until it is answered: always the same bytes under the same key.
struct PhoneCall: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case firstOpen, adToken
        case event(id: String)
        case claim(source: String)
        case attribute(Int)
    }

    let kind: Kind
    let path: String
    let body: String
}

/// What one phone does, drawn from a seed.
struct PhoneCalls {
    let number: Int
    let seed: UInt64
    private var random: SeededRandom
    private var count = 0
    private var claims = 0

    init(number: Int, seed: UInt64) {
        self.number = number
        self.seed = seed
        random = SeededRandom(seed: seed &* 1_000 &+ UInt64(number))
    }

    var installID: String { Self.uuid(number) }
    var profileHeader: String { "Landfall-Profile: \(installID).\(String(repeating: "A", count: 43))\r\n" }

    /// First the open, then the token, then whatever comes.
    mutating func next() -> PhoneCall {
        count += 1
        let key = "\(number)-\(count)"
        switch count {
        case 1:
            return PhoneCall(
                kind: .firstOpen, path: "/v1/first-open", body: #"{"adToken":"coming","placements":[{"id":"onboarding"}]}"#)
        case 2:
            let token = "sim.attribution=true&delay=\(Int.random(in: 0...400, using: &random))&id=\(seed)-\(number)"
            return PhoneCall(kind: .adToken, path: "/v1/profiles/me/ad-token", body: #"{"value":"\#(token)"}"#)
        default: break
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0 where claims < 30:
            claims += 1
            let source = "provider-\(count)"
            return PhoneCall(
                kind: .claim(source: source), path: "/v1/attribution",
                body: #"{"key":"\#(key)","source":"\#(source)","status":"organic"}"#)
        case 1...4:
            return PhoneCall(
                kind: .attribute(count), path: "/v1/profiles/me/attributes",
                body: #"{"key":"\#(key)","attributes":{"sessions":\#(count)}}"#)
        default:
            let id = Self.uuid(number * 1_000_000 + count)
            return PhoneCall(
                kind: .event(id: id), path: "/v1/events",
                body: #"{"events":[{"id":"\#(id)","type":"paywall_shown","ageMilliseconds":0}]}"#)
        }
    }

    private static func uuid(_ number: Int) -> String {
        let digits = String(number)
        return "0198f0c2-7b1a-7c3d-8e4f-" + String(repeating: "0", count: 12 - digits.count) + digits
    }
}
