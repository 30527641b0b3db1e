// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

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
        if erasure.isWanted { facts.append(.init(.client, "Forgetting", erasure.retryable.inWords(idle: "asked for"))) }
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
