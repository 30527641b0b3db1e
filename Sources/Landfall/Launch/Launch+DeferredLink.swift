// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

extension Launch {
    func claimDeferredLink(_ text: String) -> Bool {
        guard let text = DeferredLinkRequest.token(from: text), !isOver(for: "A claimed link", .links) else { return false }
        let token = DeferredToken(key: makeKey(), token: text)
        store { try outbox.append(.deferredToken(token)) }
        let before = change { state, _ in
            defer {
                state.links.deferred.token = token
                state.links.deferred.retryable.retry.reset()
            }
            return state.links.deferred.token
        }
        // The files may have been read meanwhile, with this very token.
        if let before, before.key != token.key { forget([before.key.rawValue]) }
        return true
    }

    func deferredLink(within limit: Duration) async -> DeferredLinkResult {
        connectLinks()
        let deadline = time.now() + limit.withinADay
        let id = note { $0.nextID() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isOver = change { state, _ in
                    if state.isOver || Task.isCancelled { return true }
                    state.links.deferred.calls[id] = DeferredLinkCall(id: id, deadline: deadline, waiter: waiter)
                    return false
                }
                if isOver { waiter.resume(returning: .pending) }
            }
        } onCancel: {
            let call = note { $0.links.deferred.calls.removeValue(forKey: id) }
            call?.waiter.resume(returning: .pending)
        }
    }

    /// The first open has ended without an answer.
    func askDeferred(_ token: DeferredToken?) async {
        guard let install = read(\.install) else { return }
        let result = await Result {
            let body = try WireCoding.encode(DeferredLinkRequest(token: token?.token))
            let request = self.calls.request("POST", WirePath.deferredLink, body: body, as: install)
            return try await self.calls.answer(DeferredLinkAnswer.self, to: request)
        }
        var answer: DeferredLinkAnswer?
        switch result {
        case .success(let found): answer = found == .pending ? nil : found
        case .failure(let error):
            guard let error = LandfallError(any: error) else { return }
            // The server would refuse the same question again.
            if error.isRefusal, !error.isAboutTheCaller { answer = DeferredLinkAnswer.none }
            change { state, at in state.noticed(error, by: .deferredLink, now: at.now) }
        }
        if let answer { learn(answer, for: token) }
        change { state, at in
            state.links.deferred.retryable.operation = nil
            if answer == nil { state.links.deferred.retryable.retry.failed(now: at.now, chance: at.chance) }
        }
    }

    /// Handles the server's answer about the link from before the installation; an install always gets the same answer.
    func learn(_ answer: DeferredLinkAnswer, for token: DeferredToken?) {
        var found: (LinkArrival, LinkAddress)?
        switch answer {
        case .pending: return
        case .none: break
        case .link(let link):
            guard let address = LinkAddress(resolvedBy: link.original) else { break }
            let isNew = note { $0.links.deferred.accepted.insert(link.original).inserted && !$0.knowsDeferred(link.original) }
            guard isNew else { break }
            let arrival = LinkArrival(id: "\(makeKey()).in", url: link.original, click: nil, deferred: link)
            // In this order: after a kill in between the next launch asks again, and recognises the link by its address.
            store { try outbox.append(.arrival(arrival)) }
            found = (arrival, address)
        }
        if let token { forget([token.key.rawValue]) }
        let date = calendar
        let forgotten = change { state, _ in
            state.deferredSettled(original: found?.0.url, token)
            guard let (arrival, address) = found else { return Set<String>() }
            return state.links.keep(
                arrival, address, acceptedAt: date, isLeftOver: false, unrecorded: IdempotencyKey(arrival.id))
        }
        forget(forgotten)
    }
}

extension LaunchState {
    fileprivate func knowsDeferred(_ original: String) -> Bool { stored.deferredLink?.original == original }

    mutating func deferredSettled(original: String?, _ token: DeferredToken?) {
        if links.deferred.token == token { links.deferred.token = nil }
        links.deferred.isOpen = false
        links.deferred.retryable.retry.reset()
        guard stored.deferredLink == nil || original != nil else { return }
        stored.deferredLink = StoredDeferredLink(original: original)
        files.changed(.profile)
    }

    /// Takes over the links of earlier launches.
    mutating func opened(_ entries: [OutboxJournal.Entry]) -> Set<String> {
        var forgotten: Set<String> = []
        for entry in entries {
            switch entry.item {
            case .arrival(let arrival):
                guard let link = LinkAddress(resolvedBy: arrival.url) else { continue }
                forgotten.formUnion(
                    links.keep(
                        arrival, link, acceptedAt: entry.acceptedAt, isLeftOver: true, unrecorded: IdempotencyKey(arrival.id)))
                if let deferred = arrival.deferred, stored.deferredLink == nil {
                    stored.deferredLink = StoredDeferredLink(original: deferred.original)
                    files.changed(.profile)
                }
            case .deferredToken(let token): links.deferred.token = links.deferred.token ?? token
            default: continue
            }
        }
        links.taps.filesWereRead()
        links.deferred.isOpen = stored.deferredLink == nil
        return forgotten
    }
}
