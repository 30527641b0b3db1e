// SPDX-License-Identifier: Apache-2.0
package import LandfallRules

/// An alert's name: the rule, and the host that it is about where there are several.
package struct AlertKey: Hashable, Sendable, Codable {
    package let rule: AlertRule
    /// Empty where the rule is about the whole server.
    package let subject: String

    package init(_ rule: AlertRule, _ subject: String = "") { (self.rule, self.subject) = (rule, subject) }
}

/// What one rule says of one moment.
struct AlertReading: Hashable, Sendable {
    let key: AlertKey
    let isBad: Bool
    /// In the rule's unit; nil for a rule without a number.
    var value: Int64?
    /// A sentence of what was found, where a number does not say it.
    var detail = ""
    /// False where the subject is known and its state is not: its alert stays as it is.
    var isKnown = true
}

extension AlertMeasurements {
    /// Fewer say nothing about a share.
    static let leastTokens: Int64 = 30
    static let leastFirstOpens: Int64 = 50
    static let leastExposures: Int64 = 50
    static let leastClicks: Int64 = 100
    private static let hourMs: Int64 = 3_600_000

    /// What each rule that is on says: values in, values out.
    /// - Returns: nothing about a rule that could not be measured; an empty list if it has no subject.
    func readings(_ settings: AlertSettings) -> [AlertRule: [AlertReading]] {
        var found: [AlertRule: [AlertReading]] = [:]
        for (rule, setting) in settings.rules {
            guard let values = values(of: rule) else { continue }
            found[rule] = values.map { value in
                var reading = AlertReading(key: AlertKey(rule, value.subject), isBad: value.isBad, value: value.number, detail: value.detail, isKnown: value.isKnown)
                if let number = value.number, let limit = rule.limit, let most = setting.limit, !value.isBad {
                    reading = AlertReading(
                        key: reading.key, isBad: limit.isPassed(by: number, limit: most), value: number, detail: value.detail)
                }
                return reading
            }
        }
        return found
    }

    private struct Value {
        var subject = ""
        /// Compared with the limit.
        var number: Int64?
        /// Bad whatever the limit is.
        var isBad = false
        var detail = ""
        var isKnown = true
    }

    private func values(of rule: AlertRule) -> [Value]? {
        switch rule {
        case .appleSilent: oldestTokenMs.map { [Value(number: $0 / 60_000)] }
        case .tokensNotFound: Self.value(unknownTokens, least: Self.leastTokens)
        case .deadlinesMissed: Self.value(missedDeadlines, least: Self.leastFirstOpens)
        case .fallbackShare: Self.value(bundledPaywalls, least: Self.leastExposures)
        case .expiredClicks: expiredClicks.map { [Value(number: $0)] }
        case .linksReachApp: fall.map { [Value(number: $0)] }
        case .disk: freeDisk.map { [Value(number: Int64(max(0, min($0, 1)) * 100))] }
        case .backup: backupMs.map { [Value(number: $0 / Self.hourMs)] }
        case .notificationsSilent: notificationsSilentMs.map { [Value(number: $0 / Self.hourMs)] }
        case .webhook: webhooks?.map { Self.value($0) }
        case .certificate: domains?.map(Self.certificate)
        case .associationFile: domains?.compactMap { Self.value($0.host, $0.association, isAsked: $0.certificateDays == nil) }
        case .appleCopy: domains?.compactMap { Self.value($0.host, $0.appleCopy, isAsked: $0.certificateDays == nil || $0.association != nil) }
        }
    }

    /// Too few are in order: nobody can say that something is wrong.
    private static func value(_ share: Share?, least: Int64) -> [Value]? { share.map { [Value(number: $0.percent(least: least) ?? 0)] } }

    /// - Parameter isAsked: without a finding, whether the host did not answer; otherwise nobody asks it.
    private static func value(_ host: String, _ finding: DoctorFinding?, isAsked: Bool) -> Value? {
        guard let finding else { return isAsked ? Value(subject: host, isKnown: false) : nil }
        return Value(subject: host, isBad: !finding.ok, detail: finding.ok ? "" : finding.message)
    }

    private static func value(_ endpoint: Endpoint) -> Value {
        let detail = endpoint.isOff ? "It answered 410 and is off." : endpoint.failure ?? ""
        let minutes = endpoint.isOff ? nil : (endpoint.failingMs ?? 0) / 60_000
        return Value(subject: endpoint.host, number: minutes, isBad: endpoint.isOff, detail: detail)
    }

    private static func certificate(_ look: DomainLook) -> Value {
        if let problem = look.certificateProblem { return Value(subject: look.host, isBad: true, detail: problem) }
        return Value(subject: look.host, number: look.certificateDays, isKnown: look.certificateDays != nil)
    }

    /// By how many percent the share of clicks that reach the app is below what it was; 0 if it is not, or if there are too few.
    private var fall: Int64? {
        guard let now = linkOpens, let before = linkOpensBefore else { return nil }
        guard now.whole >= Self.leastClicks, before.whole >= Self.leastClicks, before.part > 0 else { return 0 }
        let ratio = Double(now.part) / Double(now.whole) / (Double(before.part) / Double(before.whole))
        return Int64(max(0, (1 - ratio) * 100))
    }
}
