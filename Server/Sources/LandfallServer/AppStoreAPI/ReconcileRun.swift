// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallStore

/// One try: as many questions as fit, and after each of them the facts and the place where to go on, on disk.
struct ReconcileRun {
    private let work: AppStoreReconcile
    private let snapshot: Snapshot
    private let access: AppStoreAccess
    private let progress: AppStoreProgress
    private let verifier: AppStoreVerifier
    private let chains: WatchedChains
    private let startedAtMs: Int64
    private var calls = 0
    /// As it was written last.
    private(set) var state: ReconcileState

    init(
        _ work: AppStoreReconcile, _ snapshot: Snapshot, _ access: AppStoreAccess, _ progress: AppStoreProgress, _ state: ReconcileState
    ) {
        (self.work, self.snapshot, self.access, self.progress, self.state) = (work, snapshot, access, progress, state)
        verifier = work.trust.verifier(of: snapshot.app)
        chains = WatchedChains(database: work.database, app: snapshot.app.id)
        startedAtMs = work.time.nowMs()
    }

    private var nowMs: Int64 { work.time.nowMs() }
    private var hasRoom: Bool { calls < AppStoreReconcile.mostCalls && nowMs < startedAtMs + AppStoreReconcile.longestTryMs }

    /// - Returns: false if something is left for another try.
    /// - Throws: ``AppStoreAPIError``, `DatabaseError`, `CancellationError`.
    mutating func isDone() async throws -> Bool {
        if state.walk == nil, state.succeededAtMs.map({ $0 < startedAtMs - AppStoreReconcile.outageMs }) ?? true {
            state.walk = ReconcileState.Walk(dueMs: 0, chain: "")
            try await progress.write(state, .reconcile)
        }
        var refusing = 0
        for environment in environments {
            do {
                guard try await hear(environment) else { return false }
            } catch AppStoreAPIError.unauthorized {
                // In production Apple answers so to every key before an app's first release.
                state[environment].refusedAtMs = startedAtMs
                try await progress.write(state, .reconcile)
            }
            if state[environment].refusedAtMs != nil { refusing += 1 }
        }
        guard refusing < environments.count else { throw AppStoreAPIError.unauthorized }
        // Where there are purchases, the app is released: from here on a 401 is about the key.
        guard try await askAboutEnded(), try await walk() else { return false }
        let isNews = state.problem != nil || state.refusedKey != nil
        (state.succeededAtMs, state.problem, state.refusedKey, state.refusedAtMs) = (nowMs, nil, nil, nil)
        try await progress.write(state, .reconcile)
        if isNews { work.telemetry.worksAgain() }
        return true
    }

    private var environments: [AppStoreEnvironment] { snapshot.configuration.purchases.environments }

    private mutating func ask<Value: Decodable & Sendable>(_ call: AppStoreCall, in environment: AppStoreEnvironment) async throws -> Value {
        calls += 1
        return try await work.api.ask(call, in: environment, with: access)
    }

    // MARK: - Failed notifications

    private mutating func hear(_ environment: AppStoreEnvironment) async throws -> Bool {
        let heard = state[environment], longest = AppStoreReconcile.longestMs(environment)
        let askedAtMs = heard.refusedAtMs ?? (heard.window == nil ? heard.untilMs : nil)
        if let askedAtMs, askedAtMs <= startedAtMs, startedAtMs < askedAtMs + AppStoreReconcile.hourMs { return true }
        let fromMs = max(heard.untilMs.map { $0 - AppStoreReconcile.overlapMs } ?? .min, startedAtMs - longest)
        // A clock that was ahead has left a time that is still to come.
        var window = heard.window ?? ReconcileState.Window(fromMs: min(fromMs, startedAtMs - AppStoreReconcile.overlapMs), untilMs: startedAtMs)
        while hasRoom {
            let answer: FailedNotificationsAnswer
            do {
                answer = try await ask(.failedNotifications(fromMs: window.fromMs, untilMs: window.untilMs, page: window.page), in: environment)
            } catch AppStoreAPIError.refused(_, let code?) where window.page != nil && Self.isOfThePage(code) {
                // The place is too old: from the beginning, at once.
                state[environment].window = nil
                try await progress.write(state, .reconcile)
                return try await hear(environment)
            }
            for item in answer.notificationHistory ?? [] { try await take(item.signedPayload) }
            if answer.hasMore == true, let page = answer.paginationToken, page != window.page {
                window.page = page
                state[environment].window = window
            } else {
                state[environment] = ReconcileState.Heard(untilMs: window.untilMs)
            }
            try await progress.write(state, .reconcile)
            if state[environment].window == nil { return true }
        }
        return false
    }

    private static func isOfThePage(_ code: Int) -> Bool { code == AppStoreAPIError.wrongPage || code == AppStoreAPIError.tooFarInPast }

    /// As if Apple had posted it.
    private mutating func take(_ signedPayload: String) async throws {
        do {
            let atMs = nowMs, signed = try await verifier.notification(signedPayload, nowMs: atMs)
            let forwarding = ForwardedBody(ofAppleIn: snapshot.configuration.purchases)
            let isNew = try await work.notifications.add(signed, to: snapshot.app.id, forwarding: forwarding, nowMs: atMs)
            guard isNew else { return }
            // What is found here hour by hour is one silence; what came by itself between two of them ends it.
            var isSilent = false
            if let missedAtMs = state.missedAtMs { isSilent = try await !progress.hasNotification(after: missedAtMs, before: atMs) }
            if !isSilent || state.silentSinceMs == nil { state.silentSinceMs = atMs }
            state.missedAtMs = atMs
            work.telemetry.reconciled(.notification, 1)
        } catch let refusal as AppStoreRefusal {
            work.telemetry.refused([refusal])
        }
    }

    // MARK: - Subscriptions

    /// Those whose end has passed without a word.
    private mutating func askAboutEnded() async throws -> Bool {
        while hasRoom {
            let due = try await chains.due(before: startedAtMs - AppStoreReconcile.silenceMs, AppStoreReconcile.lot)
            for chain in due {
                guard hasRoom else { return false }
                var facts = AnsweredFacts()
                if let answer: StatusesAnswer = try await answer(.statuses(chain.id.originalTransactionID), of: chain) {
                    for last in (answer.data ?? []).flatMap({ $0.lastTransactions ?? [] }) {
                        guard let transaction = last.signedTransactionInfo else { continue }
                        await facts.add(transaction, renewal: last.signedRenewalInfo, by: verifier, nowMs: nowMs)
                    }
                }
                try await store(facts, with: [chains.isHeard(chain)])
            }
            if due.count < AppStoreReconcile.lot { return true }
        }
        return false
    }

    /// After an outage: everything that changed of those that may go on.
    private mutating func walk() async throws -> Bool {
        while hasRoom {
            guard let place = state.walk else { return true }
            let next = try await chains.chains(after: place, AppStoreReconcile.lot)
            for chain in next {
                guard try await readHistory(of: chain) else { return false }
                state.walk = ReconcileState.Walk(dueMs: chain.dueMs, chain: chain.id.description)
                try await progress.write(state, .reconcile)
            }
            if next.count < AppStoreReconcile.lot { state.walk = nil }
        }
        return state.walk == nil
    }

    private mutating func readHistory(of chain: WatchedChains.Chain) async throws -> Bool {
        var revision = chain.revision
        while hasRoom {
            let call = AppStoreCall.history(chain.id.originalTransactionID, revision: revision)
            guard let answer: TransactionsAnswer = try await answer(call, of: chain) else { return true }
            var facts = AnsweredFacts()
            for text in answer.signedTransactions ?? [] { await facts.add(text, by: verifier, nowMs: nowMs) }
            let next = answer.revision == revision ? nil : answer.revision
            try await store(facts, with: next.map { [chains.hasRead(chain.id, upTo: $0)] } ?? [])
            guard answer.hasMore == true, let next else { return true }
            revision = next
        }
        return false
    }

    /// Nil if Apple does not know the chain, or refuses the question about it: the others go on.
    private mutating func answer<Value: Decodable & Sendable>(_ call: AppStoreCall, of chain: WatchedChains.Chain) async throws -> Value? {
        do {
            return try await ask(call, in: chain.id.environment)
        } catch AppStoreAPIError.unknown, AppStoreAPIError.refused {
            return nil
        }
    }

    private func store(_ facts: AnsweredFacts, with more: [Statement]) async throws {
        try await facts.store(in: work.database, of: snapshot, tokens: work.tokens, nowMs: nowMs, with: more, work.telemetry)
    }
}
