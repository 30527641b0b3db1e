// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

extension Launch {
    /// The app's links reach the client, or will.
    func connectLinks() { note { $0.links.isConnected = true } }

    func receive(_ url: URL, scene: SceneID?) -> Bool {
        connectLinks()
        guard let link = reading(url) else { return false }
        guard configuration.links.takes(link) else {
            let text = "A link was left to other handlers: it is not the app's own, or is the answer of a sign-in."
            configuration.log(LogLine(.debug, text, category: .links))
            return false
        }
        if isOver(for: "A link", .links) { return false }
        let scene = scene.flatMap { $0.rawValue.utf8.count <= 256 ? $0 : nil }
        let key = makeKey()
        let reception = change { state, at in
            let reception = state.links.receive(link, scene, key, state.collection, now: at.now)
            if reception.isClickNew {
                state.awaitClick(key, of: link, now: at.now)
                if state.links.routing.route(of: link) != .direct { state.links.arriving.insert(key) }
            }
            return reception
        }
        forget(reception.replaced)
        guard let arrival = reception.arrival else { return true }
        if !link.carriesCredential {
            store {
                reception.isClickNew
                    ? try outbox.append(LinkReceipt(key: key, url: link.text, scene: scene))
                    : try outbox.append(.arrival(arrival))
            }
        }
        let date = calendar
        let forgotten = change { state, _ in
            state.links.arriving.remove(key)
            if reception.isClickNew { state.outbox.hasItems = true }
            return state.links.keep(arrival, link, acceptedAt: date, isLeftOver: false, unrecorded: key)
        }
        forget(forgotten)
        return true
    }

    func recordClick(_ url: URL) -> Bool {
        connectLinks()
        guard let link = reading(url), !link.carriesCredential else { return false }
        return click(of: link) != nil
    }

    func handles(_ url: URL) -> Bool {
        LinkAddress(receivedAs: url).map { configuration.links.domains.owns($0) } ?? false
    }

    func open(_ url: URL, from origin: LinkOrigin, within limit: Duration) async -> OpenedLink {
        connectLinks()
        guard let link = LinkAddress(receivedAs: url) else { return OpenedLink(original: url, status: .invalid) }
        let asked = time.now(), routing = read(\.links.routing)
        let isDirect = routing.route(of: link) == .direct
        let key = origin == .system && !link.carriesCredential ? click(of: link, isAsked: !isDirect) : nil
        if isDirect {
            return OpenedLink(original: url, destination: routing.rules.destination(of: link, status: .passedThrough))
        }
        let question = LinkQuestion(key: key ?? makeKey(), link: link, recordsClick: key != nil, acceptedAt: calendar)
        let id = note { $0.nextID() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let refusal: OpenedLink? = change { state, _ in
                    key.map { _ = state.links.arriving.remove($0) }
                    if state.isOver || Task.isCancelled {
                        state.outbox.hasItems = state.outbox.hasItems || key != nil
                        return OpenedLink(original: url, status: .timedOut)
                    }
                    let key = state.links.join(question)
                    state.links.calls[id] = LinkCall(
                        id: id, link: link, question: key, deadline: asked + limit.withinADay, waiter: waiter)
                    return nil
                }
                if let refusal { waiter.resume(returning: refusal) }
            }
        } onCancel: {
            let call = note { $0.links.calls.removeValue(forKey: id) }
            call?.waiter.resume(returning: OpenedLink(original: url, status: .timedOut))
            // Its question may now be unnecessary. It is not cancelled here: the caller holds this task's own lock, and a
            // cancelled question may resume other tasks.
            run { $0.change { _ in } }
        }
    }

    func nextLink(for scene: SceneID?) async -> ReceivedLink? {
        let id = note { $0.nextID() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isOver = change { state, at in
                    if state.isOver || Task.isCancelled { return true }
                    state.links.listen(LinkListener(id: id, scene: scene, waiter: waiter), now: at.now)
                    return false
                }
                if isOver { waiter.resume(returning: nil) }
            }
        } onCancel: {
            let listener = note { $0.links.inbox.stopListening(id) }
            listener?.waiter.resume(returning: nil)
            // Its link may no longer be waited for, or wait for another listener. Not here, as for a question above.
            run { $0.change { state, at in state.links.inbox.forgetWaiting(at.now) } }
        }
    }

    /// The app has handled it.
    func take(_ id: String) {
        change { $0.links.inbox.take(id) }
        forget([id])
    }

    /// Stored first: if the app is killed while it handles the link, the next launch marks it. Off the caller's thread. A disk that
    /// hangs delays the link by ``handOverPatience`` at most.
    func handOver(_ link: ReceivedLink, _ resume: @escaping @Sendable () -> Void) {
        // An operation starts even if it was cancelled before.
        operations.run(for: .launch) { [weak self, outbox, time] _ in
            let isStored = await withTaskGroup(of: Bool.self) { group in
                let limit = time.now() + Self.handOverPatience
                group.addTask { await outbox.handOver(link.id) }
                group.addTask {
                    try? await time.sleep(limit)
                    return false
                }
                defer { group.cancelAll() }
                return await group.next() ?? false
            }
            resume()
            if !isStored { self?.storeLater() }
        }
    }

    /// Unless the listener stops meanwhile: then the link waits for the next one.
    func handOver(_ link: ReceivedLink, to listener: LinkListener) {
        handOver(link) { [weak self] in
            let isWanted = self?.change { state, _ in state.links.inbox.arrive(at: listener.id) } ?? true
            listener.waiter.resume(returning: isWanted ? link : nil)
        }
    }

    private static let handOverPatience: Duration = .milliseconds(250)

    /// The phone's calendar in Unix milliseconds.
    var calendar: Int64 { time.date().unixMilliseconds }

    private func reading(_ url: URL) -> LinkAddress? {
        let link = LinkAddress(receivedAs: url)
        if link == nil {
            let text = "An invalid link was received and is ignored. Nothing to do."
            configuration.log(LogLine(.warning, text, category: .links))
        }
        return link
    }

    /// The key of its click, which is stored now; nil if none is recorded.
    /// - Parameter isAsked: the caller's question brings it.
    private func click(of link: LinkAddress, isAsked: Bool = false) -> IdempotencyKey? {
        if isOver(for: "A click", .links) { return nil }
        let new = makeKey()
        let key = change { state, at in
            let key = state.links.click(of: link, new, state.collection, now: at.now)
            if key == new {
                state.awaitClick(new, of: link, now: at.now)
                if isAsked { state.links.arriving.insert(new) }
            }
            return key
        }
        guard key == new else { return key }
        store { try outbox.append(.click(LinkClick(key: new, url: link.text))) }
        change { $0.outbox.hasItems = true }
        return key
    }
}

extension LaunchState {
    func linkCircumstances(_ at: Instant) -> LinkCircumstances {
        let isCarried = firstOpen.carriedQuestion.map { $0.token == links.deferred.token } ?? false
        return LinkCircumstances(
            now: at.now, date: at.date.unixMilliseconds, isStarted: isStarted, isOpen: install != nil,
            isDenied: isDenied, isUnavailable: files.unavailable != nil,
            collection: install == nil ? collectionChoice.chosen : collection,
            hasAskedFirst: firstOpen.isOver || firstOpen.hasEverHadFirstLine,
            isStreamOpen: firstOpen.retryable.isRunning && isCarried
        )
    }

    /// Before the outbox has the click: once it is there, a request that is under way may take it along, and its end must find
    /// the click here.
    mutating func awaitClick(_ key: IdempotencyKey, of link: LinkAddress, now: Duration) {
        if links.routing.mayNameCampaign(link) { awaited.add(key, .click, now: now) }
    }

    /// As requests name it.
    var linkRulesVersion: String { links.routing.known?.rules.version ?? WireLinkRules.noVersion }

    /// The server says its rules, because the phone has others.
    mutating func learn(_ rules: WireLinkRules) {
        guard let rules = KnownLinkRules(rules), rules.rules != links.routing.known?.rules else { return }
        links.learn(rules)
        files.changed(.linkRules)
    }
}
