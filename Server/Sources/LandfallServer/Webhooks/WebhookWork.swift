// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire
import Synchronization

extension JobKind {
    package static let webhooks = JobKind(rawValue: "webhooks")
}

/// Brings facts to the endpoints of the configuration: one job, on one node at a time. Each endpoint has a task of its own, so a slow one
/// delays no other.
package struct WebhookWork: Sendable {
    /// One run of the job; then its lease is renewed. A run may take two lots longer, see ``bring(to:in:)``.
    static let runMs: Int64 = 30_000
    static let leaseMs: Int64 = 90_000
    /// The longest until a new section `webhooks` is looked at.
    static let idleMs: Int64 = 60_000
    /// Between two looks that find nothing.
    static let pause: Duration = .milliseconds(300)
    /// What one endpoint gets before its outcome is stored.
    static let lot = 128
    /// To one endpoint at a time; of one that fails, all that it gets between two pauses.
    static let concurrency = 8
    /// Of an endpoint that fails. What waits for it is not tried one by one: each try is a write beside those that phones wait for.
    static let failingPauseMs: Int64 = 5_000
    /// After this time of a lot nothing more of it is begun.
    static let lotMs: Int64 = 10_000
    /// An endpoint whose lots take no longer is not slow.
    static let quickMs: Int64 = 1_000

    let store: WebhookStore
    var fanOut: WebhookFanOut
    private let sending: WebhookSending
    let configuration: LiveConfiguration
    let time: ServerTime
    private let telemetry: WebhookTelemetry

    package init(
        _ store: WebhookStore, by http: any OutboundHTTP, at address: WebhookAddress, configuration: LiveConfiguration, time: ServerTime,
        freeDiskShare: @escaping @Sendable () -> Double, telemetry: WebhookTelemetry
    ) {
        (self.store, self.configuration, self.time, self.telemetry) = (store, configuration, time, telemetry)
        sending = WebhookSending(http: http, address: address, time: time)
        fanOut = WebhookFanOut(store: store, freeDiskShare: freeDiskShare, telemetry: telemetry)
    }

    package var work: JobWork {
        JobWork(
            kind: .webhooks, leaseMs: Self.leaseMs, startPause: .seconds(2),
            standing: [JobName(app: store.app, kind: .webhooks, key: "deliveries")], attempt: attempt)
    }

    /// One run.
    final class Run: Sendable {
        let endMs: Int64
        /// Endpoints whose last lot of the run has not ended.
        let unfinished: Atomic<Int>
        private let endpoints: [WebhookEndpoint]
        private let configuration: LiveConfiguration

        init(endMs: Int64, _ endpoints: [WebhookEndpoint], _ configuration: LiveConfiguration) {
            unfinished = Atomic(endpoints.count)
            (self.endMs, self.endpoints, self.configuration) = (endMs, endpoints, configuration)
        }

        /// False once a version with other endpoints is served.
        var isCurrent: Bool { configuration.snapshot.configuration.webhooks == endpoints }
    }

    @Sendable func attempt(_ job: Job) async throws -> JobStep {
        guard let endpoints = try await endpoints() else { return .again(atMs: time.nowMs() + Self.idleMs) }
        let run = Run(endMs: time.nowMs() + Self.runMs, endpoints, configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await makeMessages(for: endpoints, in: run) }
            for endpoint in endpoints { group.addTask { try await bring(to: endpoint, in: run) } }
            try await group.waitForAll()
        }
        return .again(atMs: time.nowMs())
    }

    /// Until the run is over. At its end a slow endpoint may be in the middle of a lot; meanwhile the others go on, but for those that were
    /// slow themselves.
    func bring(to endpoint: WebhookEndpoint, in run: Run) async throws {
        var isUnfinished = true, longestMs: Int64 = 0
        func finish() {
            if isUnfinished { run.unfinished.subtract(1, ordering: .relaxed) }
            isUnfinished = false
        }
        // Also if other endpoints were served for a moment, which not every task has seen.
        defer { finish() }
        while run.isCurrent {
            if time.nowMs() >= run.endMs {
                finish()
                guard run.unfinished.load(ordering: .relaxed) > 0, longestMs <= Self.quickMs else { return }
            }
            let startMs = time.nowMs(), next = try await deliver(to: endpoint), nowMs = time.nowMs()
            longestMs = max(longestMs, nowMs - startMs)
            switch next {
            case .more: break
            case .nothing: try await time.sleep(Self.pause)
            // No run lasts longer for it.
            case .failing: try await time.sleep(max(Self.pause, .milliseconds(min(Self.failingPauseMs, run.endMs - nowMs))))
            }
        }
    }

    var nowMs: Int64 { time.nowMs() }

    /// The endpoints of the configuration, known to the store; nil if there are none.
    func endpoints() async throws -> [WebhookEndpoint]? {
        let snapshot = configuration.snapshot, endpoints = snapshot.configuration.webhooks
        // A node that cannot serve the newest version does not know what that names.
        let isNewest = configuration.newest == snapshot.revision
        if isNewest || !endpoints.isEmpty {
            let states = try await store.follow(endpoints, forgettingOthers: isNewest)
            telemetry.off(states.count { $0.offAtMs != nil })
        }
        if endpoints.isEmpty {
            // Nobody wants what is left.
            if isNewest { while try await fanOut.pass(to: [], nowMs: time.nowMs(), while: { try await isCurrent([]) }) {} }
            return nil
        }
        return endpoints
    }

    // MARK: - One endpoint

    /// What there is to do for an endpoint.
    enum Next {
        /// There may be more.
        case more
        case nothing
        /// None of some tries worked, not for the first time.
        case failing
    }

    /// Brings an endpoint some of what it is to get now.
    func deliver(to endpoint: WebhookEndpoint) async throws -> Next {
        let state = try await store.endpoints().first { $0.key.hasSameBytes(as: endpoint.key) }
        if state?.offAtMs != nil { return try await store.endWaiting(at: endpoint.key) ? .nothing : .more }
        let isFailing = state?.failingSinceMs != nil, most = isFailing ? Self.concurrency : Self.lot
        let due = try await store.due(at: endpoint.key, nowMs: time.nowMs(), most: most)
        guard !due.isEmpty else { return .nothing }
        let outcomes = await outcomes(of: due, at: endpoint)
        // A server that stops sends them again: a call that was cut off is no failure of the endpoint.
        try Task.checkCancellation()
        let settlement = settlement(of: outcomes)
        try await store.settle(settlement, at: endpoint.key, nowMs: time.nowMs())
        report(settlement, at: endpoint)
        if outcomes.contains(where: { $0.trial?.outcome == .gone }) {
            telemetry.count("gone")
            if try await store.switchOff(endpoint.key, nowMs: time.nowMs()) { telemetry.isOff(endpoint) }
            return .more
        }
        if settlement.delivered > 0 {
            if isFailing { telemetry.worked(endpoint) }
        } else if let failure = settlement.failure {
            if isFailing { return .failing }
            telemetry.failed(endpoint, failure)
        }
        return due.count >= most || outcomes.count < due.count ? .more : .nothing
    }

    private typealias Tried = (due: WebhookStore.Due, trial: WebhookTrial?)

    /// - Returns: of those that were tried; nil for one that is gone.
    private func outcomes(of due: [WebhookStore.Due], at endpoint: WebhookEndpoint) async -> [Tried] {
        let address: String
        do { address = try await sending.address.address(of: endpoint) } catch {
            return due.map { ($0, $0.body == nil ? nil : WebhookTrial(.failed("\(error)"))) }
        }
        let endMs = time.nowMs() + Self.lotMs
        return await withTaskGroup(of: Tried.self) { group in
            var rest = due[...], outcomes: [Tried] = []
            func begin() {
                guard time.nowMs() < endMs, let next = rest.popFirst() else { return }
                group.addTask {
                    guard let body = next.body else { return (next, nil) }
                    return (next, await sending.send(body, id: next.message, to: endpoint, at: address))
                }
            }
            for _ in 0..<Self.concurrency { begin() }
            for await tried in group {
                outcomes.append(tried)
                if tried.trial?.outcome != .gone { begin() }
            }
            return outcomes
        }
    }

    private func settlement(of outcomes: [Tried]) -> WebhookStore.Settlement {
        var settlement = WebhookStore.Settlement()
        let nowMs = time.nowMs()
        for (due, trial) in outcomes {
            guard let trial else {
                settlement.gone.append(due.message)
                continue
            }
            var retryAtMs: Int64?, ending: WebhookDelivery.Ending?
            switch trial.outcome {
            case .delivered: (ending, settlement.delivered) = (.delivered, settlement.delivered + 1)
            case .gone: ending = .off
            case .failed(let cause):
                settlement.failure = cause
                retryAtMs = WebhookSending.waitMs(afterTries: due.attempts + 1).map { nowMs + $0 }
                if retryAtMs == nil { (ending, settlement.givenUp) = (.givenUp, settlement.givenUp + 1) }
            }
            settlement.tried.append(WebhookStore.Tried(due: due, trial: trial, retryAtMs: retryAtMs, ending: ending))
        }
        return settlement
    }

    private func report(_ settlement: WebhookStore.Settlement, at endpoint: WebhookEndpoint) {
        telemetry.count("delivered", settlement.delivered)
        telemetry.count("failed", settlement.tried.count { $0.retryAtMs != nil })
        telemetry.count("given_up", settlement.givenUp)
        if settlement.givenUp > 0, let failure = settlement.failure { telemetry.givenUp(endpoint, settlement.givenUp, failure) }
    }
}
