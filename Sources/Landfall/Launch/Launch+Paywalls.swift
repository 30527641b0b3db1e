// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

extension Launch {
    /// Waits for the verdict, the deadline or the caller's cancellation, whichever comes first.
    func paywall(_ question: PaywallQuestion, within limit: Duration) async throws -> PaywallResult {
        let asked = time.now()
        let key = PaywallKey(question.placement, question.kind, locale: question.locale ?? configuration.device.locale)
        readFallback()
        let id = note { $0.nextID() }
        let decisionID = makeKey().rawValue
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let deadline = asked + limit.withinADay
                wait(
                    PaywallCall(
                        id: id, key: key, cache: question.cache, asked: asked, deadline: deadline, waiter: PaywallWaiter(waiter),
                        wakeAt: deadline, decisionID: decisionID
                    ))
            }
        } onCancel: {
            let call = change(only: id) { state, at in
                let call = state.paywalls.remove(id)
                if let call { state.attributionWait.ownTimer.gaveUp(call, now: at.now) }
                return call
            }
            call?.waiter.resume(throwing: CancellationError())
        }
    }

    private func wait(_ call: PaywallCall) {
        let refusal: (any Error)? = change(only: call.id) { state, _ in
            // Under the lock: a later cancellation finds the call among those that wait.
            if Task.isCancelled { return CancellationError() }
            if state.isOver { return LandfallError(.shutDown) }
            var call = call
            call.patience = state.attributionWait.ownTimer.patience(of: call.key, asked: call.asked)
            state.paywalls.add(call)
            return nil
        }
        if let refusal { call.waiter.resume(throwing: refusal) }
    }

    /// One plain request, for every call that waits for this key.
    func fetch(_ order: PaywallOrder, operation: Operations.ID) async {
        let key = order.key
        guard let install = read({ state in key.kind == .default ? .some(nil) : state.install.map(Optional.some) }) else {
            return
        }
        var query: [(String, String?)] = [("audience", key.kind.rawValue), ("locale", key.locale.isEmpty ? nil : key.locale)]
        if key.kind == .matching {
            query += [("attribution", "true"), ("after", "\(order.after)"), ("wait", "\(max(0, order.wait.wholeMilliseconds))")]
        }
        // It may reach the server before the first open does, and then says no more of the device than that one may.
        let request = calls.request(
            "GET", WirePath.paywall(of: key.placement), query: query, as: install, wait: order.wait,
            saysDevice: read(\.collection) == .full, linkRules: read(\.linkRulesVersion)
        )
        let heldUntil = time.now() + order.wait
        let result = await Result { try await self.calls.answer(PaywallAnswer.self, to: request) }
        change { state, at in
            // Cancelled or replaced meanwhile: another operation answers for this key.
            guard state.paywalls.fetches[key]?.retryable.operation == operation else { return }
            switch result {
            case .success(let answer): state.received(answer, for: order, heldUntil: heldUntil, at)
            case .failure(let error):
                let error = LandfallError(any: error) ?? LandfallError(.network(TransportError(.connectionFailed)))
                state.paywalls.failed(key, error, now: at.now, chance: at.chance)
                state.noticed(error, by: .paywall(key), now: at.now)
            }
        }
    }
}

/// What is ready before a call waits for it.
extension Launch {
    func prepare(_ placements: [PlacementID]) {
        let locale = configuration.device.locale
        change { state, at in
            let (isAsked, profile) = (state.firstOpen.willAsk, state.profileState.wire?.id)
            for placement in placements {
                state.paywalls.prepare(PaywallKey(placement, .matching, locale: locale), isAsked: isAsked, by: profile, at.now)
            }
        }
    }

    func cachedPaywall(_ question: PaywallQuestion) -> PaywallResult? {
        let asked = time.now()
        let decisionID = makeKey().rawValue
        let key = PaywallKey(question.placement, question.kind, locale: question.locale ?? configuration.device.locale)
        return change { state, at in
            guard state.isStarted, !state.isOver else { return nil }
            var call = PaywallCall(
                id: state.nextID(), key: key, cache: question.cache, asked: asked, deadline: asked + .seconds(5), waiter: .nobody,
                wakeAt: asked, decisionID: decisionID)
            let now = state.circumstances(at.now)
            guard let result = state.paywalls.resultAtOnce(&call, now, at.date) else { return nil }
            state.log.add(.debug, call.inWords(.success(result), now: at.now), .paywalls)
            if let decision = state.decision(of: call, .success(result)) { keep(decision, &state, at) }
            return result
        }
    }
}

extension Result where Failure == any Error {
    init(catching body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

extension LaunchState {
    fileprivate mutating func received(_ answer: PaywallAnswer, for order: PaywallOrder, heldUntil: Duration, _ at: Instant) {
        var answer = answer
        answer.linkRules.map { learn($0) }
        answer.linkRules = nil
        answer.attribution = answer.attribution.map { profileState.understood($0) }
        let isEnough =
            answer.kind == .default || adToken.isInBackground
            || answer.final && !adToken.isUnderWay && !profileState.arePurchasesComing(at.now) && isBeyondDoubt(heldUntil, at.now)
        let isOutdated = profileState.isNewer(than: answer)
        // The phone's state changed meanwhile, which is not the server's fault: it may be asked again at once.
        let isOvertaken = paywalls.fetches[order.key]?.isOvertaken == true
        let isNews = isOutdated ? isOvertaken : isEnough || order.after < 0 || answer.profileVersion > order.after
        paywalls.fetched(order.key, isNews: isNews, now: at.now, chance: at.chance)
        paywalls.received(
            answer, for: order.key, isCertain: isEnough, isBeyondDoubt: isBeyondDoubt(heldUntil, at.now), now: at.now,
            date: at.date
        )
        files.changed(.paywalls)
        keepAssignment(of: answer, for: order.key)
        noticeStaleFallback(answer.revision)
    }

    /// At the very end of a hold every answer is final, although a pending value may arrive a moment later.
    func isBeyondDoubt(_ heldUntil: Duration, _ now: Duration) -> Bool {
        !profileState.attribution.isPending || now < heldUntil - .milliseconds(250)
    }

    /// Keeps the copy of the assignment that came with this answer, if it is the one that counts.
    mutating func keepAssignment(of answer: PaywallAnswer, for key: PaywallKey) {
        if paywalls.answers[key]?.answer == answer, experiments.keep(from: answer) { files.changed(.experiments) }
    }

    mutating func noticeStaleFallback(_ revision: Int64) {
        guard let stale = paywalls.staleFallback(revision) else { return }
        let message = "The bundled fallback file is of revision \(stale), the server is at \(revision)."
        log.add(.info, "\(message) Export it again for the next release.", .paywalls)
    }
}
