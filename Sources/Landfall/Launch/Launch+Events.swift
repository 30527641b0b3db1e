// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

extension Launch {
    /// A key for something that the server must do once, however often it is sent.
    func makeKey() -> IdempotencyKey {
        IdempotencyKey(UUIDv7.text(date: time.date(), random: configuration.randomBytes(10)))
    }

    func recordExposure(of result: PaywallResult) {
        let isFirst = note { $0.paywalls.exposures.count(result) }
        guard isFirst, result.paywall != nil, collection != .off, !isOver(for: "An exposure", .events) else { return }
        do {
            let event = Event(.paywallShown, of: result, id: makeKey().rawValue)
            try append(event)
            note { $0.paywalls.exposures.accepted(event.id, of: result) }
        } catch {
            configuration.log(LogLine(.error, "An exposure was not counted. \(error.inWords)", category: .events))
        }
    }

    func record(_ type: String, value: Decimal?, currency: String?, properties: [String: AttributeValue]) {
        guard collection == .full, !isOver(for: "An event", .events) else { return }
        var event = Event(id: makeKey().rawValue, type: Event.Kind(type), ageMilliseconds: 0)
        event.value = value.map(EventValue.init(decimal:))
        event.currency = currency
        event.properties = properties.isEmpty ? nil : properties
        do {
            guard event.type.isWellFormed else { throw EventProblem.type(type) }
            guard !Event.Kind.reserved.contains(event.type) else { throw EventProblem.reservedType(type) }
            try event.checkContent()
            try append(event)
        } catch {
            configuration.log(LogLine(.error, "An event was not recorded. \(error.inWords)", category: .events))
        }
    }

    /// - Returns: the key of the change; nil if there is nothing to change.
    @discardableResult
    func setAttributes(_ changes: [String: AttributeValue?]) throws -> IdempotencyKey? {
        try AttributeLimits.check(changes)
        guard !changes.isEmpty else { return nil }
        let key = makeKey(), epoch = read(\.person.epoch)
        try accept(.attributes(AttributeChanges(key: key, attributes: changes, epoch: epoch)), key, .attributes(changes))
        return key
    }

    func report(_ claim: AttributionClaim) throws {
        try AttributeLimits.check(claim)
        try accept(.claim(claim), claim.key, .claim)
    }

    /// Appends the event to the open file. If no file is open, or the write fails, the event waits in memory.
    private func append(_ event: Event) throws {
        if try !outbox.append(.event(event), of: read(\.install)?.id) { storeLater() }
        change { $0.outbox.hasItems = true }
        // The mode may have changed after the caller looked at it.
        if !OutboxItem.event(event).isAllowed(in: collection) { forget([event.id]) }
    }

    /// In memory; the background writes it at once.
    private func accept(_ item: OutboxItem, _ key: IdempotencyKey, _ kind: AwaitedChange.Kind) throws {
        if read(\.isOver) { throw LandfallError(.shutDown) }
        // It could not be stored, and nobody would send it.
        if let unavailable = read(\.files.unavailable) { throw LandfallError(.storageUnavailable, detail: unavailable.description) }
        // First: once the outbox has it, a request that is under way may take it along.
        let now = time.now()
        note { $0.awaited.add(key, kind, now: now) }
        do { try outbox.keep(item) } catch let error as OutboxItemTooLarge {
            change { $0.awaited.ended([key.rawValue]) }
            throw LandfallError(.invalidArgument, detail: error.description)
        }
        change { state in
            state.outbox.hasItems = true
            state.files.storeOutboxNow()
        }
    }

    /// Accepts a decision in memory, before its call returns: an exposure can only follow it. Runs under the lock, so it writes
    /// nothing and reads no calendar; the background writes it at once.
    func keep(_ decision: Event, _ state: inout LaunchState, _ at: LaunchState.Instant) {
        do {
            let acceptedAt = at.date.unixMilliseconds
            let dropped = try outbox.keepUnreported(.event(decision), of: state.install?.id, acceptedAt: acceptedAt)
            state.outbox.hasItems = true
            state.afterwards.append { [self] in
                outbox.logDropped(dropped)
                storeLater()
            }
        } catch {
            state.log.add(.error, "A decision was not counted. \(error.inWords)", .events)
        }
    }

    /// Sends what waits, the oldest first.
    func flushOutbox() async {
        guard let install = read(\.install) else { return }
        // An item that was accepted while the mode changed is not sent.
        let mode = collection
        if mode != .full { forgetWhatIsNotAllowed(in: mode) }
        let rest = await outbox.flush(as: install.id, except: read(\.outbox.heldBack.ids)) { [self] call in
            // What the request before this one has brought may be all that a call waits for.
            if !read(\.outbox.calls.isEmpty) { change { _ in } }
            if isLeftOut(call) { return .elsewhere }
            defer { if case .attributes = call { note { $0.person.flushSentAttributes() } } }
            return try await deliver(call, as: install)
        }
        change { state, at in
            // The files may not say yet that the sent items are done.
            state.files.changed(.outbox)
            state.outbox.flushed(rest, isCancelled: Task.isCancelled, now: at.now, chance: at.chance)
        }
    }

    /// - Throws: `CancellationError`.
    func deliver(_ call: OutboxCall, as install: Install) async throws -> OutboxVerdict {
        do {
            let request = calls.request("POST", call.path, body: try WireCoding.encode(AnyBody(call.body)), as: install)
            if case .events = call {
                return .taken(try await calls.answer(EventBatchAnswer.self, to: request).results)
            }
            if case .click(let click) = call { return try await send(click) }
            let answer = try await calls.answer(ProfileAnswer.self, to: request)
            change { state, at in
                state.learn(answer.profile, answer.attribution, now: at.now)
                // In one change with the news: a paywall call sees either both or neither.
                state.awaited.ended(call.keys)
            }
            return .taken()
        } catch let error as LandfallError {
            let verdict = error.outboxVerdict
            change { state, at in
                state.failed(.outbox, error, now: at.now)
                // Nothing waits for the next try.
                state.awaited.ended(call.keys)
                state.outbox.calls.failed(error)
                if case .refused = verdict, call.keys.count == 1 { state.outbox.calls.refused(call.keys, error) }
            }
            return verdict
        }
    }
}

private struct AnyBody: Encodable {
    let body: any Encodable
    init(_ body: any Encodable) { self.body = body }
    func encode(to encoder: any Encoder) throws { try body.encode(to: encoder) }
}

extension LandfallError {
    fileprivate var outboxVerdict: OutboxVerdict {
        switch kind {
        case .refused(let code) where !isAboutTheCaller: .refused(code)
        default: .later
        }
    }
}
