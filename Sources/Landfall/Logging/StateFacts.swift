// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// One fact about a launch, in a form for developers.
struct StateFact: Hashable, Sendable {
    let category: LogLine.Category
    let subject: String
    let value: String

    init(_ category: LogLine.Category, _ subject: String, _ value: String) {
        self.category = category
        self.subject = subject
        self.value = value
    }
}

extension LaunchState {
    /// Every fact whose change is a log line at debug. Contains no id of a person and no secret.
    func facts(_ now: Duration) -> [StateFact] {
        var facts: [StateFact] = [
            .init(.client, "The client", isOver ? "shut down" : isStarted ? "started" : "not started"),
            .init(.client, "The app", platform.isActivated ? "seen" : "not seen yet"),
            .init(.client, "The network path", platform.hasPath ? platform.isConstrained ? "there, saving data" : "there" : "none"),
            .init(.client, "Collection", collection.rawValue),
            .init(.storage, "The install", install == nil ? files.opening.inWords(idle: "not read yet") : "known"),
            .init(.attribution, "The ad token", adToken.inWords),
            .init(.firstOpen, "The first open", firstOpen.inWords),
            .init(.attribution, "Attribution", profileState.attribution.inWords),
            .init(.events, "The outbox", outbox.flush.inWords(idle: outbox.mayHaveItems ? "waits" : "empty")),
            .init(.links, "The inbox", "waiting links: \(links.inbox.waiting.count)"),
            .init(.links, "The link from before the installation", links.deferred.inWords),
        ]
        if let wire = profileState.wire {
            let customer = wire.customerId == nil ? "no customer" : "a customer"
            facts.append(.init(.profiles, "The profile", "version \(wire.version) of epoch \(wire.epoch), \(customer)"))
        }
        if files.storing.retry.failures > 0 { facts.append(.init(.storage, "Storing", files.storing.inWords(idle: ""))) }
        if farewell.isWanted { facts.append(.init(.client, "Forgetting", farewell.retryable.inWords(idle: "asked for"))) }
        for (key, held) in paywalls.answers.sorted(by: { $0.key.sortKey < $1.key.sortKey }) {
            let answer = held.answer
            let isFinal = held.isCertain || held.isFinal ? "final" : "not final"
            let paywall = answer.paywall.map { "'\($0.name)'" } ?? "nothing to show"
            let value = "\(paywall) for '\(answer.audience)', \(isFinal)"
            facts.append(.init(.paywalls, "The server's answer for \(key.inWords)", value))
        }
        for (key, fetch) in paywalls.fetches.sorted(by: { $0.key.sortKey < $1.key.sortKey }) {
            let value = fetch.refusal == nil ? fetch.retryable.inWords(idle: "not asked") : "refused"
            facts.append(.init(.paywalls, "The question for \(key.inWords)", value))
        }
        return facts
    }
}

extension PaywallKey {
    var inWords: String { "'\(placement)' (\([kind.rawValue, locale].filter { !$0.isEmpty }.joined(separator: ", ")))" }
    var sortKey: String { "\(placement) \(kind.rawValue) \(locale)" }
}

extension RetryableOperation {
    /// - Parameter idle: the text if nothing is under way and nothing failed.
    func inWords(idle: String) -> String {
        if isRunning { return "under way" }
        return retry.failures == 0 ? idle : "failed \(retry.failures == 1 ? "once" : "\(retry.failures) times") in a row"
    }
}

extension AdTokenState {
    var inWords: String {
        if case .none(let reason) = plan { return "not needed (\(reason))" }
        switch delivered ?? found {
        case .value?: return delivered == nil ? "there" : "delivered"
        case .some(.none): return delivered == nil ? "none" : "none, and the server knows"
        case .coming?, nil: return asking.inWords(idle: "not asked for")
        }
    }
}

extension FirstOpenState {
    var inWords: String {
        if isOver { return hasEverHadFirstLine ? "answered and over" : "over" }
        if retryable.isRunning { return hasFirstLine ? isUnstored ? "answered, not stored" : "answered, held" : "asked" }
        return retryable.inWords(idle: carriedToken == nil ? "has not left" : "broken, to be asked again")
    }
}

extension DeferredLinkState {
    var inWords: String { token == nil && !isOpen ? "settled" : retryable.inWords(idle: token == nil ? "open" : "claimed") }
}

extension LandfallWire.Attribution {
    var inWords: String { Attribution(self).inWords }
}

extension Attribution {
    var inWords: String {
        switch self {
        case .pending: "pending"
        case .attributed(let details): "attributed by \(details.source)"
        case .notAttributed: "not attributed (organic)"
        case .unavailable(let reason): "unavailable (\(reason))"
        }
    }
}

extension Duration {
    /// `120 ms`, `3.2 s`, `5 min`, `2 h`, `3 days`.
    var inWords: String {
        let milliseconds = max(0, wholeMilliseconds)
        switch milliseconds {
        case ..<1_000: return "\(milliseconds) ms"
        case ..<120_000: return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
        case ..<7_200_000: return "\(milliseconds / 60_000) min"
        case ..<172_800_000: return "\(milliseconds / 3_600_000) h"
        default: return "\(milliseconds / 86_400_000) days"
        }
    }
}
