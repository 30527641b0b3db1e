// SPDX-License-Identifier: Apache-2.0
import LandfallWire

@testable import LandfallRules

/// Rules and profiles whose values are equal, nearly equal or different; the same seed makes the same rules on every machine.
struct RandomRules {
    /// 2026-11-22T12:00:00Z
    static let now: Int64 = 1_795_348_800_000
    private static let texts = ["Summer", "summer", "Sum", "mer", "542370539", "US", "TW", "ios", "phone", "link", "adjust", "apple_search_ads", "a", "pro-yearly"]
    private static let versions = ["1", "1.9", "1.10", "2.10-beta.2", "2.10-beta.11", "2.10-rc", "2.10", "2.10.0.1", "3"]
    private static let locales = ["en", "en-US", "zh", "zh-TW", "zh-HK", "zh-CN", "zh-Hant", "zh-Hans-HK", "pt-BR", "de", "es-419"]
    private static let dates: [Int64] = [0, 1, 86_399_999, 86_400_000, 86_400_001, 604_800_000, -1, 2_000_000_000]
    private static let spans = ["1s", "1d", "24h", "7d", "1w"]

    private var random: SeededRandom
    private var segments: [Segment] = []

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    private mutating func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
    private mutating func maybe<Value>(_ values: [Value]) -> Value? { Bool.random(using: &random) ? one(values) : nil }
    private mutating func some<Value>(_ values: [Value], upTo most: Int = 3) -> [Value] {
        (0..<Int.random(in: 1...most, using: &random)).map { _ in one(values) }
    }

    mutating func rule(depth: Int) -> Condition {
        guard depth > 0 else { return leaf() }
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: return .all((0..<Int.random(in: 1...3, using: &random)).map { _ in rule(depth: depth - 1) })
        case 2, 3: return .any((0..<Int.random(in: 1...3, using: &random)).map { _ in rule(depth: depth - 1) })
        case 4: return .not(rule(depth: depth - 1))
        case 5:
            if segments.count < 8 || Int.random(in: 0..<10, using: &random) == 0 {
                let segment = Segment(name: "s\(segments.count)", condition: rule(depth: depth - 1))
                segments = segments.suffix(8) + [segment]
            }
            return .segment(one(segments), at: "")
        default: return leaf()
        }
    }

    /// As campaigns have them: some texts that have to be, and more.
    mutating func campaign() -> Condition {
        let texts: [AudienceAttribute] = [.attributionCampaign, .country, .attributionChannel, .linkCampaign]
        let conditions = some(texts + texts).map { attribute -> Condition in
            let values = some(Self.texts).map(attribute.normalised)
            return .test(ConditionTest(subject: .known(attribute), symbol: one([.isIn, .isIn, .notIn]), operand: .texts(values)))
        }
        return .all(conditions + [rule(depth: 1)])
    }

    private mutating func leaf() -> Condition {
        if Int.random(in: 0..<12, using: &random) == 0 {
            let ends = [Int.random(in: 0...100, using: &random), Int.random(in: 0...100, using: &random)].sorted()
            let share = ConditionOperand.share(
                salt: one(["a", "b"]), from: Percentage("\(ends[0])%")!, to: Percentage("\(min(100, ends[1] + 1))%")!)
            return .test(ConditionTest(subject: .unit, symbol: .share, operand: share))
        }
        let customs: [ConditionSubject] = [
            .custom("plan", .string), .custom("n", .number), .custom("f", .boolean), .custom("d", .date), .custom("gone", .string),
        ] + AccessField.allCases.map { .access(AccessLevel(rawValue: "premium"), $0) }
        let subject = Int.random(in: 0..<4, using: &random) == 0 ? one(customs) : .known(one(AudienceAttribute.allCases))
        let symbol = one(ConditionOperator.all(for: subject))
        return .test(ConditionTest(subject: subject, symbol: symbol, operand: operand(subject, symbol)))
    }

    private mutating func operand(_ subject: ConditionSubject, _ symbol: ConditionOperator) -> ConditionOperand {
        switch symbol {
        case .exists: return .flag(.random(using: &random))
        case .within, .olderThan: return .span(TimeSpan(one(Self.spans))!)
        default: break
        }
        let isRange = symbol == .between
        let isSingle = [.isEqual, .isNot, .below, .atMost, .above, .atLeast].contains(symbol)
        let most = isSingle ? 1 : Int.random(in: 0..<6, using: &random) == 0 ? 20 : 3
        switch subject.kind {
        case .boolean: return .flag(.random(using: &random))
        case .number:
            let numbers = [-1, 0, 2.5, 3, 1e9]
            return .numbers(isRange ? [one(numbers), one(numbers)].sorted() : some(numbers, upTo: most))
        case .date:
            let instants = Self.dates.map { Instant(milliseconds: Self.now - $0) }
            return .instants(isRange ? [one(instants), one(instants)].sorted() : some(instants, upTo: 1))
        case .version:
            let pair = [one(Self.versions), one(Self.versions)].sorted { SemanticVersion($0)! < SemanticVersion($1)! }
            return .texts(isRange ? pair : some(Self.versions, upTo: most))
        case .locale: return .texts(some(Self.locales, upTo: most))
        case .text, .list: return .texts(some(Self.texts, upTo: most).map(subject.normalised))
        }
    }

    mutating func profile() -> RawProfile {
        var device = DeviceFacts()
        device.appVersion = maybe(Self.versions + ["latest"])
        device.osVersion = maybe(Self.versions)
        device.platform = maybe(["iOS", "macos"])
        device.locale = maybe(Self.locales.map { $0.split(separator: "-").joined(separator: "_") } + ["?", "en_US@calendar=x"])
        device.storeCountry = maybe(["US", "tw"])
        device.model = maybe(["iPhone16,2", "iPad14,1"])
        var claim = AttributionDetails(source: AttributionSource("Adjust"), verified: false, test: .random(using: &random), attributedAtMilliseconds: 0)
        (claim.campaign, claim.channel, claim.adSet) = (maybe(Self.texts), maybe(Self.texts), maybe(Self.texts))
        var click = AttributionFact(
            id: "a", source: .link, status: .nonOrganic, saidAtMs: Self.now - one(Self.dates), recordedAtMs: 0)
        (click.campaign, click.channel) = (maybe(Self.texts), maybe(Self.texts))
        var attributes: [String: AttributeValue] = [:]
        attributes["plan"] = maybe([.string("pro-yearly"), .string("Summer"), .string(""), .number(3)])
        attributes["n"] = maybe([.number(3), .number(2.5), .number(-0.0), .string("3"), .number(1e9)])
        attributes["f"] = maybe([.bool(true), .bool(false), .string("true")])
        attributes["d"] = maybe(Self.dates.map { .string(Instant(milliseconds: Self.now - $0).description) } + [.string("soon"), .bool(true)])
        attributes["other"] = maybe([.string("Summer")])
        var install = InstallFacts(
            id: InstallID(one((0..<50).map { "0190a5c0-7e1b-7c3a-9f00-0000000000\($0 + 10)" })), installedAtMs: Self.now - one(Self.dates),
            lastSeenAtMs: Self.now - one(Self.dates), sources: some([.appleAds, .link, AttributionSource("adjust")]).filter { _ in .random(using: &random) },
            isTestDevice: .random(using: &random))
        var level = PurchaseFacts.Level(level: AccessLevel(rawValue: "premium"))
        level.isActive = .random(using: &random)
        (level.state, level.willRenew, level.isTrial) = (maybe(["Summer", "summer", "a"]), maybe([true, false]), maybe([true, false]))
        level.endsAtMs = maybe(Self.dates.map { Self.now - $0 })
        var purchases = PurchaseFacts()
        purchases.products = Bool.random(using: &random) ? some(Self.texts) : []
        purchases.levels = Bool.random(using: &random) ? [level] : []
        install.purchases = purchases
        return RawProfile(
            attribution: one([.appleSample, .attributed(claim), .notAttributed, .unavailable(.notFound), .pending(nextAnswerNotBefore: 0)]),
            link: maybe([click]), device: device, attributes: attributes, install: maybe([install, install, install]), nowMs: Self.now)
    }

    mutating func number(in range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

    mutating func pending() -> Pending {
        one([.nothing, .attribution, .deferredLink, [.attribution, .deferredLink], .purchases])
    }
}
