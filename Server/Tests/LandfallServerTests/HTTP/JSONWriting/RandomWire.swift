// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Values of the wire with anything in them.
struct RandomWire {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func maybe<Value>(_ make: (inout RandomWire) -> Value) -> Value? {
        Bool.random(using: &random) ? make(&self) : nil
    }

    mutating func text() -> String {
        let signs: [Unicode.Scalar] = ["a", "Z", "9", "\"", "\\", "/", "\n", "\u{1}", "\u{1F}", "\u{7F}", "é", "\u{301}", "日", "😀", "<"]
        var text = ""
        for _ in 0..<Int.random(in: 0...12, using: &random) { text.unicodeScalars.append(signs.randomElement(using: &random)!) }
        return text
    }

    mutating func integer() -> Int64 {
        Bool.random(using: &random) ? .random(in: .min ... .max, using: &random) : .random(in: -20...2_000, using: &random)
    }

    mutating func flag() -> Bool { .random(using: &random) }

    mutating func number() -> Double {
        let bits = Double(bitPattern: random.next())
        return bits.isFinite && flag() ? bits : Double(integer()) / 100
    }

    mutating func json(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(flag())
        case 2: return .integer(integer())
        case 3: return .number(number())
        case 4: return .string(text())
        case 5: return .array((0..<Int.random(in: 0...4, using: &random)).map { _ in json(depth: depth - 1) })
        default:
            var fields: [String: JSONValue] = [:]
            for _ in 0..<Int.random(in: 0...4, using: &random) { fields[text()] = json(depth: depth - 1) }
            return .object(fields)
        }
    }

    mutating func details() -> AttributionDetails {
        var details = AttributionDetails(
            source: AttributionSource(text()), verified: flag(), test: flag(), attributedAtMilliseconds: integer())
        details.channel = maybe { $0.text() }
        details.campaign = maybe { $0.text() }
        details.adGroup = maybe { $0.text() }
        details.adSet = maybe { $0.text() }
        details.creative = maybe { $0.text() }
        details.appleAds = maybe { $0.appleAds() }
        details.link = maybe { wire in
            var link = AttributedLink(clickedAtMilliseconds: wire.integer(), isReattribution: wire.flag())
            link.code = wire.maybe { $0.text() }
            link.tracker = wire.maybe { $0.text() }
            link.label = wire.maybe { $0.text() }
            return link
        }
        return details
    }

    private mutating func appleAds() -> AppleAdsAnswer {
        var answer = AppleAdsAnswer(attribution: flag())
        answer.orgId = maybe { $0.integer() }
        answer.campaignId = maybe { $0.integer() }
        answer.conversionType = maybe { $0.text() }
        answer.claimType = maybe { $0.text() }
        answer.adGroupId = maybe { $0.integer() }
        answer.countryOrRegion = maybe { $0.text() }
        answer.keywordId = maybe { $0.integer() }
        answer.adId = maybe { $0.integer() }
        answer.clickDate = maybe { $0.text() }
        answer.impressionDate = maybe { $0.text() }
        answer.supplyPlacement = maybe { $0.text() }
        return answer
    }

    mutating func attribution() -> Attribution {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .pending(nextAnswerNotBefore: integer())
        case 1: .notAttributed
        case 2: .unavailable(UnavailableReason(text()))
        default: .attributed(details())
        }
    }

    mutating func profile() -> WireProfile {
        var profile = WireProfile(
            id: ProfileID(text()), installId: InstallID(text()), epoch: integer(), version: integer(),
            attributionVersion: integer())
        profile.customerId = maybe { $0.text() }
        profile.appliedAttributionSources = (0..<Int.random(in: 0...3, using: &random)).map { _ in AttributionSource(text()) }
        profile.engagement = maybe { $0.details() }
        profile.isReinstall = flag()
        profile.asOfMilliseconds = maybe { $0.integer() }
        profile.purchaseToken = maybe { $0.text() }
        profile.purchasesKnown = maybe { $0.flag() }
        if flag() {
            profile.accessLevels = [:]
            for _ in 0..<2 { profile.accessLevels?[text()] = accessLevel() }
        }
        profile.subscriptions = maybe { [$0.subscription()] }
        profile.oneTimePurchases = maybe { [$0.oneTimePurchase(), $0.oneTimePurchase()] }
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            profile.customAttributes[text()] = [.string(text()), .number(number()), .bool(flag())].randomElement(using: &random)
        }
        return profile
    }

    private mutating func accessLevel() -> WireAccessLevel {
        var level = WireAccessLevel(
            state: WireAccessState(text()), isActive: flag(), store: WireAccessStore(text()), startsAtMilliseconds: integer(),
            endsAtMilliseconds: maybe { $0.integer() })
        level.productId = maybe { $0.text() }
        (level.willRenew, level.isTrial, level.isAssumed, level.isSandbox) = (flag(), flag(), flag(), flag())
        return level
    }

    private mutating func subscription() -> WireSubscription {
        var subscription = WireSubscription(
            productId: text(), transactionId: text(), originalTransactionId: text(), state: WireAccessState(text()), isActive: flag(),
            startedAtMilliseconds: integer(), startsAtMilliseconds: integer(), endsAtMilliseconds: integer())
        subscription.renewsAs = maybe { $0.text() }
        subscription.offerId = maybe { $0.text() }
        subscription.expirationIntent = maybe { $0.integer() }
        (subscription.willRenew, subscription.isTrial, subscription.isSandbox) = (flag(), flag(), flag())
        return subscription
    }

    private mutating func oneTimePurchase() -> WireOneTimePurchase {
        var purchase = WireOneTimePurchase(
            transactionId: text(), productId: text(), quantity: integer(), purchasedAtMilliseconds: integer(), isRefunded: flag(),
            isSandbox: flag())
        purchase.type = maybe { WireProductType($0.text()) }
        return purchase
    }

    mutating func paywallAnswer() -> PaywallAnswer {
        let paywall = WirePaywall(
            name: PaywallID(text()), variationId: VariationID(text()),
            remoteConfig: maybe { .init(locale: $0.text(), value: $0.json(depth: 3)) },
            productIds: (0..<Int.random(in: 0...3, using: &random)).map { _ in text() })
        var answer = PaywallAnswer(
            placement: PlacementID(text()), locale: text(), kind: flag() ? .matching : .default, audience: AudienceID(text()),
            revision: integer(), profileId: maybe { ProfileID($0.text()) }, epoch: integer(), profileVersion: integer(),
            attributionVersion: integer(), final: flag(), paywall: paywall
        )
        answer.testDevice = maybe { $0.text() }
        answer.assignment = maybe { $0.assignment() }
        return answer
    }

    private mutating func assignment() -> Assignment {
        Assignment(experiment: ExperimentID(text()), epoch: integer(), variation: VariationName(text()), bucket: integer())
    }

    mutating func deferred() -> DeferredLinkAnswer {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: .pending
        case 1: .none
        default:
            .link(DeferredLink(original: text(), resolved: text(), matchedBy: .init(text()), ageMilliseconds: integer()))
        }
    }

    mutating func line() -> FirstOpenLine {
        switch Int.random(in: 0..<7, using: &random) {
        case 0: .profile(profile())
        case 1: .attribution(attribution())
        case 2: .paywall(paywallAnswer())
        case 3: .problem(PlacementProblem(placement: PlacementID(text()), code: ErrorCode(text()), message: text()))
        case 4: .deferred(deferred())
        case 5: .end(EndReason(text()))
        default: .unknown(type: text())
        }
    }
}
