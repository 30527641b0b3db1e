// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension LaunchState {
    /// Logged after the lock is released, in this order.
    mutating func log(_ level: LogLine.Level, _ message: String, _ category: LogLine.Category = .client) {
        if level >= minimumLogLevel { logLines.append(LogLine(level, message, category: category)) }
    }

    /// The paywall that a call got, and why.
    mutating func logVerdict(_ call: PaywallCall, _ result: Result<PaywallResult, LandfallError>, now: Duration) {
        guard minimumLogLevel <= .debug else { return }
        let question = "The call for '\(call.key.placement)' (\(call.key.kind.rawValue))"
        let after = "after \((now - call.asked).inWords)"
        switch result {
        case .success(let shown):
            let paywall = shown.paywall.map { "'\($0.name)', variation '\($0.variationID)'" } ?? "nothing to show"
            let arm = shown.assignment.map { ", variation '\($0.variation)' of the experiment '\($0.experiment)'" } ?? ""
            let why = call.why?.text ?? PaywallReason.pinned.text
            log(
                .debug,
                "\(question) got \(paywall)\(arm), audience '\(shown.audience)', from \(shown.origin.inWords) \(after), because \(why).",
                .paywalls)
        case .failure(let error): log(.debug, "\(question) got nothing \(after): \(error)", .paywalls)
        }
    }

    /// Where a link leads. The link itself is not logged: its path may be a code.
    mutating func logVerdict(_ effect: Effect) {
        guard minimumLogLevel <= .debug else { return }
        switch effect {
        case .answer(_, let link): log(.debug, "A call for where a link leads is answered: \(link.status).", .links)
        case .handOver(_, let link): log(.debug, "A link goes to its listener: \(link.status).", .links)
        case .answerDeferred(_, let result):
            log(.debug, "A call for the link from before the installation is answered: \(result.inWords).", .links)
        default: break
        }
    }

    /// Logs what has changed since the last time, so that no change of state is missed.
    mutating func logChanges(now: Duration) {
        guard minimumLogLevel <= .debug else { return }
        let facts = facts(now)
        let before = Dictionary(loggedFacts.map { ($0.subject, $0.value) }, uniquingKeysWith: { $1 })
        for fact in facts where before[fact.subject] != fact.value {
            let was = before[fact.subject].map { "; it was: \($0)" } ?? ""
            log(.debug, "\(fact.subject): \(fact.value)\(was).", fact.category)
        }
        loggedFacts = facts
    }
}

extension DeferredLinkResult {
    fileprivate var inWords: String {
        switch self {
        case .link: "there is one"
        case .none: "there is none"
        case .pending: "not known yet"
        }
    }
}

extension PaywallResult.Origin {
    var inWords: String {
        switch self {
        case .matchingAudience: "the server's answer for the matching audience"
        case .defaultAudience: "the server's answer for everyone"
        case .cache(let age): "the files, stored \(age.inWords) ago"
        case .bundled: "the fallback file"
        }
    }
}
