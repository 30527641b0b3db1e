// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// What follows from the state: the features decide it, each by effects of its own, and ``Launch/perform(_:_:_:)`` carries it out.
enum LaunchEffect: Sendable {
    case openFiles
    case store
    case requestErasure
    case openStream([PaywallKey], AdToken, hold: Duration)
    case watchProfile(after: Int64)
    case endSendingCalls
    /// Before the call returns.
    case report(Event)

    case adToken(AdTokenState.Effect)
    case outbox(OutboxState.Effect)
    case paywalls(PaywallState.Effect)
    case links(LinkState.Effect)
    case purchases(PurchaseState.Effect)
    case sales(SaleState.Effect)

    /// The earliest time at which something is due.
    case alarm(Duration?)
    case cancel(Operations.ID)
}

extension Launch {
    /// The only place that performs effects. Runs under the lock: it starts operations, and notes what to cancel and whom to resume
    /// after the lock is released. It waits for nothing.
    func perform(_ effect: LaunchEffect, _ state: inout LaunchState, _ at: LaunchState.Instant) {
        switch effect {
        case .openFiles: state.files.opening.operation = run { await $0.openFiles() }
        case .store: state.files.storing.operation = run { await $0.storeFiles() }
        case .requestErasure: state.erasure.retryable.operation = run { await $0.requestErasure(operation: $1) }
        case .openStream(let wanted, let token, let hold): openStream(wanted, token, hold, &state, at)
        case .watchProfile(let after): state.watch.operation = run { await $0.watchProfile(after: after) }
        case .endSendingCalls: endSendingCalls(&state, at)
        case .report(let decision): keep(decision, &state, at)

        case .adToken(let effect): perform(effect, &state)
        case .outbox(let effect): perform(effect, &state)
        case .paywalls(let effect): perform(effect, &state)
        case .links(let effect): perform(effect, &state)
        case .purchases(let effect): perform(effect, &state)
        case .sales(let effect): perform(effect, &state)

        case .alarm(let time): setAlarm(time, &state)
        case .cancel(let operation): cancelAfterwards(operation, &state)
        }
    }

    private func perform(_ effect: AdTokenState.Effect, _ state: inout LaunchState) {
        switch effect {
        case .ask: state.adToken.asking.operation = run { await $0.askForToken() }
        case .post(let token): state.adToken.posting.operation = run { await $0.post(token) }
        }
    }

    private func perform(_ effect: OutboxState.Effect, _ state: inout LaunchState) {
        switch effect {
        case .flush: state.outbox.begun(run { await $0.flushOutbox() })
        case .sendHeldBack: state.outbox.heldBack.retryable.operation = run { await $0.sendHeldBack(operation: $1) }
        }
    }

    private func perform(_ effect: PaywallState.Effect, _ state: inout LaunchState) {
        switch effect {
        case .fetch(let order):
            let operation = run(for: order.isRefresh ? .launch : .call) { await $0.fetch(order, operation: $1) }
            state.paywalls.fetches[order.key]?.retryable.operation = operation
        case .resume(let call, let result): state.afterwards.append { call.waiter.resume(with: result.mapError { $0 }) }
        case .cancel(let operation): cancelAfterwards(operation, &state)
        }
    }

    private func perform(_ effect: LinkState.Effect, _ state: inout LaunchState) {
        switch effect {
        case .ask(let key): state.links.questions[key]?.operation = run { await $0.ask(key) }
        case .askDeferred(let token): state.links.deferred.retryable.operation = run { await $0.askDeferred(token) }
        case .answer(let call, let link): state.afterwards.append { call.waiter.resume(returning: link) }
        case .answerDeferred(let call, .link(let link)): handOver(link) { call.waiter.resume(returning: .link(link)) }
        case .answerDeferred(let call, let result): state.afterwards.append { call.waiter.resume(returning: result) }
        case .handOver(let listener, let link): handOver(link, to: listener)
        case .forget(let ids): run { $0.forget(ids) }
        case .cancel(let operation): cancelAfterwards(operation, &state)
        }
    }

    private func perform(_ effect: PurchaseState.Effect, _ state: inout LaunchState) {
        switch effect {
        case .listen:
            state.purchases.begunListening()
            listenToStore()
        case .read: state.purchases.begunReading(run { await $0.readTransactions(operation: $1) })
        case .send:
            let batch = state.purchases.nextBatch
            state.purchases.sending.operation = run { await $0.send(batch, operation: $1) }
        }
    }

    private func perform(_ effect: SaleState.Effect, _ state: inout LaunchState) {
        switch effect {
        case .listen:
            state.sales.begunListening()
            listenToSales()
        case .read: state.sales.begunReading(run { await $0.readUnfinished(operation: $1) })
        case .send(let report): state.sales.sending.operation = run { await $0.send(report, operation: $1) }
        }
    }

    @discardableResult
    func run(
        for owner: Operations.Owner = .launch, _ body: @escaping @Sendable (Launch, Operations.ID) async -> Void
    ) -> Operations.ID {
        operations.run(for: owner) { [weak self] id in
            guard let self else { return }
            await body(self, id)
        }
    }

    @discardableResult
    func run(_ body: @escaping @Sendable (Launch) async -> Void) -> Operations.ID { run { launch, _ in await body(launch) } }

    private func cancelAfterwards(_ operation: Operations.ID, _ state: inout LaunchState) {
        state.afterwards.append { [operations] in operations.cancel(operation) }
    }

    /// One sleeper for all timers.
    private func setAlarm(_ time: Duration?, _ state: inout LaunchState) {
        if let alarm = state.alarm {
            if alarm.at == time { return }
            cancelAfterwards(alarm.operation, &state)
            state.alarm = nil
        }
        guard let time else { return }
        let sleep = configuration.time.sleep
        let operation = operations.run(for: .launch) { [weak self] id in
            do { try await sleep(time) } catch { return }
            self?.change { if $0.alarm?.operation == id { $0.alarm = nil } }
        }
        state.alarm = (time, operation)
    }
}
