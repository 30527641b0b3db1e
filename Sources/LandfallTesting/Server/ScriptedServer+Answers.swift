// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Landfall
internal import LandfallWire

extension ScriptedServer {
    private var now: Duration { clock.now.offset }

    func answer(_ request: TransportRequest) async throws -> ScriptedAnswer {
        await script.wait { !$0.isSilent }
        try Task.checkCancellation()
        if let failure = script.withLock({ $0.failure }) { return try .problem(503, failure) }
        let install = request.install
        switch (request.method, request.url.path) {
        case ("POST", WirePath.firstOpen): return try firstOpen(try request.decode(FirstOpenRequest.self), install)
        case ("GET", WirePath.profile):
            try await passUntil(request) { script, time in script.profile(of: install, at: time).version }
            return try person(install)
        case ("DELETE", WirePath.profile): return try .json(ErasureAnswer(profiles: 1, installs: 1))
        case ("POST", WirePath.events): return try .json(events(try request.decode(EventBatch.self)))
        case ("POST", WirePath.purchases): return try .json(taken(try request.decode(PurchaseReport.self), from: install))
        case ("POST", WirePath.linkOpen): return try .json(opened(try request.decode(LinkOpenRequest.self)))
        case ("POST", WirePath.deferredLink): return try .json(deferredAnswer)
        case ("POST", WirePath.attributes):
            let changes = try request.decode(AttributeChanges.self).attributes
            script.withLock { $0.learn(changes) }
        case ("POST", WirePath.identify):
            let customerID = try request.decode(IdentifyRequest.self).customerId
            script.withLock { $0.customerID = customerID }
        case ("POST", WirePath.logout): script.withLock { $0.logOut() }
        case ("POST", WirePath.adToken), ("POST", WirePath.attribution): break
        case ("GET", let path):
            guard let placement = Self.placement(in: path) else { return try .problem(404, .notFound) }
            return try await paywall(placement, request)
        default: return try .problem(404, .notFound)
        }
        return try person(install)
    }

    private func person(_ install: String) throws -> ScriptedAnswer {
        try .json(
            script.withLock { script in
                let time = script.time(at: now)
                return ProfileAnswer(profile: script.profile(of: install, at: time), attribution: script.attribution(at: time))
            })
    }

    private func events(_ batch: EventBatch) -> EventBatchAnswer {
        script.withLock { script in
            script.exposures += batch.events.filter { $0.type == .paywallShown }.compactMap(\.paywall)
            script.decisions += batch.events.filter { $0.type == .paywallDecided }.compactMap(\.assignment)
            script.events += batch.events.filter { !Event.Kind.reserved.contains($0.type) }.map(RecordedEvent.init)
        }
        return EventBatchAnswer(results: batch.events.map { .init(id: $0.id, status: .accepted) })
    }

    private func taken(_ report: PurchaseReport, from install: String) -> PurchaseAnswer {
        script.withLock { script in
            let results = report.transactions.map { transaction in
                let isNew = !script.purchases.contains(transaction.jws)
                if isNew { script.purchases.append(transaction.jws) }
                return PurchaseAnswer.Result(status: isNew ? .accepted : .duplicate)
            }
            return PurchaseAnswer(results: results, profile: script.profile(of: install, at: script.time(at: now)))
        }
    }

    private func opened(_ request: LinkOpenRequest) -> LinkOpenAnswer {
        let target = script.withLock { $0.links[request.url] }
        return LinkOpenAnswer(status: target == nil ? .passedThrough : .resolved, original: request.url, resolved: target)
    }

    private var deferredAnswer: DeferredLinkAnswer { script.withLock { $0.deferred.map(DeferredLinkAnswer.link) ?? .none } }

    private static func placement(in path: String) -> PlacementID? {
        let parts = path.split(separator: "/")
        guard parts.count == 4, parts[0] == "v1", parts[1] == "placements", parts[3] == "paywall" else { return nil }
        return PlacementID(String(parts[2]))
    }
}

// MARK: Paywalls

extension ScriptedServer {
    private func paywall(_ placement: PlacementID, _ request: TransportRequest) async throws -> ScriptedAnswer {
        guard script.withLock({ $0.knows(placement) }) else { return try .problem(404, .placementUnknown) }
        let kind: PaywallAnswer.AudienceKind = request.query("audience") == "default" ? .default : .matching
        try await passUntil(request) { script, time in
            script.answer(placement, kind, locale: nil, for: request.install, at: time)?.profileVersion
        }
        let answer = script.withLock { script in
            let time = script.time(at: now)
            var answer = script.answer(placement, kind, locale: request.query("locale"), for: request.install, at: time)
            if kind == .matching, request.query("attribution") == "true" { answer?.attribution = script.attribution(at: time) }
            return answer
        }
        // The script has nothing for everyone.
        guard let answer else { return try .problem(503, .busy) }
        return try .json(answer)
    }

    /// Waits as the request asks: for a version after `after`, for at most `wait`, and at least until there is an answer, if the
    /// script has more to come.
    private func passUntil(_ request: TransportRequest, version: (ServerScript, Duration) -> Int64?) async throws {
        let after = request.query("after").flatMap(Int64.init) ?? -1
        let limit = now + .milliseconds(request.query("wait").flatMap(Int64.init) ?? 0)
        while true {
            let (found, next) = script.withLock { script in
                let time = script.time(at: now)
                return (version(script, time), script.next(after: time).map { now + $0 - time })
            }
            if let found, found > after || now >= limit { return }
            guard let wake = found == nil ? next : min(next ?? limit, limit) else { return }
            try await clock.sleep(until: .init(offset: wake))
        }
    }

    private func firstOpen(_ request: FirstOpenRequest, _ install: String) throws -> ScriptedAnswer {
        script.withLock { script in
            script.begin(at: now)
            script.learn(request.attributes)
            for changes in request.attributeChanges { script.learn(changes.attributes) }
        }
        let body = ScriptedBody()
        let end = now + .milliseconds(request.holdMilliseconds)
        let writing = Task {
            var stream = ScriptedStream(request: request, install: install, deferred: deferredAnswer)
            while true {
                let (lines, next) = script.withLock { script in
                    let time = script.time(at: now)
                    return (stream.lines(of: script, at: time), script.next(after: time).map { now + $0 - time })
                }
                for line in lines { try body.send(line) }
                if stream.isOver { break }
                if now >= end {
                    try body.send(FirstOpenLine.end(.holdOver))
                    break
                }
                try await clock.sleep(until: .init(offset: min(next ?? end, end)))
            }
            body.finish()
        }
        Task {
            await body.waitUntilAbandoned()
            writing.cancel()
        }
        return ScriptedAnswer(body: body)
    }
}

/// Which lines of one first-open stream are new.
private struct ScriptedStream {
    let request: FirstOpenRequest
    let install: String
    let deferred: DeferredLinkAnswer
    private(set) var isOver = false
    private var said: Set<FirstOpenLine> = []

    init(request: FirstOpenRequest, install: String, deferred: DeferredLinkAnswer) {
        self.request = request
        self.install = install
        self.deferred = deferred
    }

    mutating func lines(of script: ServerScript, at time: Duration) -> [FirstOpenLine] {
        let attribution = script.attribution(at: time)
        var lines: [FirstOpenLine] = [.profile(script.profile(of: install, at: time)), .attribution(attribution)]
        if request.deferred != nil { lines.append(.deferred(deferred)) }
        var isFinal = !attribution.isPending
        for wanted in request.placements {
            let answer = script.answer(wanted.id, .matching, locale: wanted.locale, for: install, at: time)
            if let answer {
                lines.append(.paywall(answer))
            } else if !script.knows(wanted.id) {
                lines.append(.problem(.init(placement: wanted.id, code: .placementUnknown, message: "Not in the script.")))
            }
            isFinal = isFinal && script.isFinal(wanted.id, at: time)
        }
        isOver = isFinal
        if isFinal { lines.append(.end(.final)) }
        return lines.filter { said.insert($0).inserted }
    }
}

extension TransportRequest {
    fileprivate func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try WireCoding.decode(type, from: body ?? Data())
    }

    fileprivate func query(_ name: String) -> String? {
        URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems?.first { $0.name == name }?.value
    }

    /// The caller: `<install id>.<secret>`.
    fileprivate var install: String {
        let value = headers.first { $0.key.lowercased() == WireHeader.profile.lowercased() }?.value ?? ""
        return String(value.prefix { $0 != "." })
    }
}
