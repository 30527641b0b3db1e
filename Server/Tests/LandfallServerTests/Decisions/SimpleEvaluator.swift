// SPDX-License-Identifier: Apache-2.0
import LandfallWire

@testable import LandfallRules

/// The facts about an install, in the form in which a test gives them.
struct RawProfile {
    var attribution: Attribution
    var link: AttributionFact?
    var device: DeviceFacts
    var attributes: [String: AttributeValue]
    var install: InstallFacts?
    var nowMs: Int64

    var facts: AudienceFacts {
        AudienceFacts(attribution: attribution, link: link, device: device, attributes: attributes, install: install, nowMs: nowMs)
    }
}

/// A second implementation of the audience language, written from its page: recursion over the rule, with plain texts and
/// dictionaries. It shares only the form of rules, versions and draws with the server; these have their own tables of cases.
struct SimpleEvaluator {
    let profile: RawProfile
    var pending: Pending = .nothing
    /// Copies share what they have found: a profile is asked for the same subjects by every rule.
    private let found = Found()

    private final class Found {
        var values: [ConditionSubject: Value?] = [:]
    }

    private enum Value {
        case text(String), number(Double), flag(Bool), version(SemanticVersion), date(Int64), list([String]), locale(String)
    }

    func truth(_ condition: Condition) -> Truth {
        switch condition {
        case .all(let conditions):
            let truths = conditions.map(truth)
            return truths.contains(.no) ? .no : truths.contains(.unknown) ? .unknown : .yes
        case .any(let conditions):
            let truths = conditions.map(truth)
            return truths.contains(.yes) ? .yes : truths.contains(.unknown) ? .unknown : .no
        case .not(let condition):
            let truth = truth(condition)
            return truth == .yes ? .no : truth == .no ? .yes : .unknown
        case .segment(let segment, _): return truth(segment.condition)
        case .test(let test):
            guard pending != .nothing else { return holds(test) ? .yes : .no }
            let name = test.subject.name
            if name.hasPrefix("attribution."), !pending.isDisjoint(with: [.attribution, .deferredLink]) { return .unknown }
            if name.hasPrefix("purchases.") || name.hasPrefix("access."), pending.contains(.purchases) { return .unknown }
            if name.hasPrefix("link."), pending.contains(.deferredLink) { return .unknown }
            return holds(test) ? .yes : .no
        }
    }

    /// The first audience that certainly matches, and whether no audience above it can still match.
    func first(_ audiences: [Condition]) -> (audience: Int, isFinal: Bool) {
        let truths = audiences.map(truth)
        let first = truths.firstIndex(of: .yes) ?? audiences.count
        return (first, !truths[..<first].contains(.unknown))
    }

    private func holds(_ test: ConditionTest) -> Bool {
        if case .share(let salt, let from, let to) = test.operand {
            guard let id = profile.install?.id.rawValue else { return false }
            let bucket = Draw(namespace: "audience", salt: salt, unit: id).bucket
            return from.buckets <= bucket && bucket < to.buckets
        }
        let value = value(of: test.subject)
        if test.symbol == .exists, case .flag(let wanted) = test.operand { return (value != nil) == wanted }
        switch (value, test.operand) {
        case (.text(let text)?, .texts(let others)): return holds(text, test.symbol, others)
        case (.number(let number)?, .numbers(let others)): return holds(number, test.symbol, others)
        case (.flag(let flag)?, .flag(let other)): return (flag == other) == (test.symbol == .isEqual)
        case (.version(let version)?, .texts(let others)): return holds(version, test.symbol, others.compactMap { SemanticVersion($0) })
        case (.date(let date)?, .instants(let others)): return holds(date, test.symbol, others.map(\.milliseconds))
        case (.date(let date)?, .span(let span)):
            let age = profile.nowMs - date
            return age >= 0 && (test.symbol == .within ? age < span.milliseconds : age >= span.milliseconds)
        case (.list(let list)?, .texts(let others)):
            switch test.symbol {
            case .anyOf: return others.contains { list.contains($0) }
            case .allOf: return others.allSatisfy { list.contains($0) }
            default: return !others.contains { list.contains($0) }
            }
        case (.locale(let locale)?, .texts(let others)):
            let isIncluded = others.contains { Self.isIncluded(locale, in: $0) }
            return test.symbol == .isEqual || test.symbol == .isIn ? isIncluded : !isIncluded
        default: return false
        }
    }

    private func holds(_ text: String, _ symbol: ConditionOperator, _ others: [String]) -> Bool {
        switch symbol {
        case .startsWith: others.contains { text.hasPrefix($0) }
        case .endsWith: others.contains { text.hasSuffix($0) }
        case .contains: others.contains { text.contains($0) }
        case .isNot, .notIn: !others.contains(text)
        default: others.contains(text)
        }
    }

    private func holds<Ordered: Comparable>(_ value: Ordered, _ symbol: ConditionOperator, _ others: [Ordered]) -> Bool {
        switch symbol {
        case .below: value < others[0]
        case .atMost: value <= others[0]
        case .above: value > others[0]
        case .atLeast: value >= others[0]
        case .between: others[0] <= value && value <= others[1]
        case .isNot, .notIn: !others.contains(value)
        default: others.contains(value)
        }
    }

    private static func isIncluded(_ locale: String, in asked: String) -> Bool {
        func parts(_ text: String) -> (language: String, script: String?, region: String?) {
            let parts = text.split(separator: "-").map(String.init)
            let script = parts.dropFirst().first { $0.count == 4 }
            let region = parts.dropFirst().first { $0.count == 2 || $0.count == 3 }
            return (parts[0], script, region)
        }
        var have = parts(locale), want = parts(asked)
        let traditional = ["TW", "HK", "MO"]
        if have.language == "zh", have.script == nil { have.script = traditional.contains(have.region ?? "") ? "Hant" : "Hans" }
        if want.language == "zh", want.script == nil, let region = want.region { want.script = traditional.contains(region) ? "Hant" : "Hans" }
        return have.language == want.language && (want.script == nil || want.script == have.script)
            && (want.region == nil || want.region == have.region)
    }

    /// Nil if it is missing, or if no comparison can use it.
    private func value(of subject: ConditionSubject) -> Value? {
        if let value = found.values[subject] { return value }
        let value = read(subject)
        found.values[subject] = .some(value)
        return value
    }

    private func read(_ subject: ConditionSubject) -> Value? {
        let device = profile.device, link = profile.link
        var details: AttributionDetails?
        if case .attributed(let known) = profile.attribution { details = known }
        let apple = details?.appleAds
        func text(_ text: String?) -> Value? { text.map { .text(subject.normalised($0)) } }
        func id(_ id: Int64?, _ other: String?) -> Value? { text(id.map(String.init) ?? other) }
        switch subject.name {
        case "attribution.source": return text(details?.source.rawValue)
        case "attribution.sources": return profile.install.map { .list($0.sources.map(\.rawValue)) }
        case "attribution.status":
            switch profile.attribution {
            case .pending: return .text("pending")
            case .attributed: return .text("attributed")
            case .notAttributed: return .text("notAttributed")
            case .unavailable: return .text("unavailable")
            }
        case "attribution.channel": return text(details?.channel)
        case "attribution.campaign": return id(apple?.campaignId, details?.campaign)
        case "attribution.adGroup": return id(apple?.adGroupId, details?.adGroup)
        case "attribution.adSet": return text(details?.adSet)
        case "attribution.creative": return text(details?.creative)
        case "attribution.keyword": return id(apple?.keywordId, nil)
        case "attribution.ad": return id(apple?.adId, nil)
        case "attribution.claimType": return text(apple?.claimType)
        case "attribution.conversionType": return text(apple?.conversionType)
        case "attribution.country": return text(apple?.countryOrRegion)
        case "attribution.test": return .flag(details?.test ?? false)
        case "link.campaign": return text(link?.campaign)
        case "link.adGroup": return text(link?.adGroup)
        case "link.creative": return text(link?.creative)
        case "link.channel": return text(link?.channel)
        case "link.keyword": return text(link?.link?.keyword)
        case "link.code": return text(link?.link?.code)
        case "link.date": return link.map { .date($0.saidAtMs) }
        case "country":
            let region = device.locale.flatMap { LocaleCode(deviceLocale: $0)?.region }
            return text(device.storeCountry ?? (region?.count == 2 ? region : nil))
        case "language": return text(device.locale.flatMap { LocaleCode(deviceLocale: $0)?.language })
        case "locale": return device.locale.flatMap { LocaleCode(deviceLocale: $0) }.map { .locale($0.rawValue) }
        case "platform": return text(device.platform)
        case "app.version": return device.appVersion.flatMap { SemanticVersion($0) }.map { .version($0) }
        case "os.version": return device.osVersion.flatMap { SemanticVersion($0) }.map { .version($0) }
        case "device.model": return text(device.model)
        case "device.class":
            if let model = device.model { return .text(model.hasPrefix("iPad") ? "tablet" : "phone") }
            return device.platform == "macos" ? .text("desktop") : nil
        case "install.date": return profile.install.map { .date($0.installedAtMs) }
        case "install.lastSeen": return (profile.install?.lastSeenAtMs).map { .date($0) }
        case "testDevice": return profile.install.map { .flag($0.isTestDevice) }
        case "purchases.any": return profile.install.map { .flag(!$0.purchases.products.isEmpty) }
        case "purchases.products": return profile.install.map { .list($0.purchases.products) }
        default: break
        }
        if case .access(let level, let field) = subject {
            guard let known = profile.install?.purchases.levels.first(where: { $0.level == level }) else { return nil }
            switch field {
            case .isActive: return .flag(known.isActive)
            case .state: return known.state.map { .text($0) }
            case .willRenew: return known.willRenew.map { .flag($0) }
            case .isTrial: return known.isTrial.map { .flag($0) }
            case .endDate: return known.endsAtMs.map { .date($0) }
            }
        }
        guard case .custom(let name, let type) = subject else { return nil }
        switch (type, profile.attributes[name]) {
        case (.string, .string(let text)?): return .text(text)
        case (.number, .number(let number)?): return .number(number)
        case (.boolean, .bool(let flag)?): return .flag(flag)
        case (.date, .string(let text)?): return Instant(text).map { .date($0.milliseconds) }
        default: return nil
        }
    }
}
