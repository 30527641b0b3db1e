// SPDX-License-Identifier: Apache-2.0
import LandfallWire

@testable import LandfallRules

/// SplitMix64: the same seed makes the same run everywhere.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension Condition {
    /// Any rule over values that the random installs below have, or nearly have.
    static func random(depth: Int, using random: inout SeededRandom) -> Condition {
        func some(_ random: inout SeededRandom) -> [Condition] {
            (0..<Int.random(in: 1...3, using: &random)).map { _ in .random(depth: depth - 1, using: &random) }
        }
        guard depth > 0 else { return leaf(using: &random) }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return .all(some(&random))
        case 1: return .any(some(&random))
        case 2: return .not(.random(depth: depth - 1, using: &random))
        default: return leaf(using: &random)
        }
    }

    private static func leaf(using random: inout SeededRandom) -> Condition {
        let tests: [(AudienceAttribute, [String])] = [
            (.attributionSource, ["apple_search_ads", "adjust", "branch"]), (.attributionCampaign, ["542370539", "Summer"]),
            (.attributionStatus, ["attributed", "notAttributed", "pending", "unavailable"]),
            (.attributionCountry, ["US", "DE"]), (.linkCampaign, ["Summer", "Autumn"]),
            (.linkCode, ["go.example.com/beach"]),
            (.country, ["US", "DE"]), (.language, ["en", "de"]), (.platform, ["ios"]),
        ]
        let (attribute, values) = tests.randomElement(using: &random)!
        let value = values.randomElement(using: &random)!
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return .text(attribute, .isNot, value)
        case 1: return .text(attribute, .isIn, value, values[0])
        case 2: return .text(.appVersion, .atLeast, ["1.9", "2.10", "3"].randomElement(using: &random)!)
        case 3: return .test(ConditionTest(subject: .known(attribute), symbol: .exists, operand: .flag(.random(using: &random))))
        default: return .text(attribute, .isEqual, value)
        }
    }
}

extension AudienceFacts {
    /// Every way in which what is pending can end, for the same random device.
    static func completions(of pending: Pending, using random: inout SeededRandom) -> [AudienceFacts] {
        var device = DeviceFacts()
        device.locale = ["en-US", "de-DE", "fr", nil].randomElement(using: &random)!
        device.appVersion = ["1.9", "2.10", "junk", nil].randomElement(using: &random)!
        device.platform = ["ios", nil].randomElement(using: &random)!
        var claim = AttributionDetails(source: AttributionSource("adjust"), verified: false, attributedAtMilliseconds: 0)
        claim.campaign = "Summer"
        let ends: [Attribution] = [
            .appleSample, .attributed(claim), .notAttributed, .unavailable(.notFound), .pending(nextAnswerNotBefore: 60_000),
        ]
        var click = AttributionFact(id: "a", source: .link, status: .nonOrganic, saidAtMs: 0, recordedAtMs: 0)
        click.campaign = "Summer"
        click.link = ClickedLink(code: "go.example.com/beach", windows: AttributionWindows())
        // Apple's answer changes nothing about a link.
        let links = pending == .deferredLink ? [nil, click] : [[nil, click].randomElement(using: &random)!]
        return ends.flatMap { end in
            links.map { AudienceFacts(attribution: end, link: $0, device: device, attributes: [:]) }
        }
    }
}
