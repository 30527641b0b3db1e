// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import Synchronization

extension WebhookWork {
    /// Makes messages of facts until the run is over. A message is several rows that phones' writes wait behind, so while no endpoint takes
    /// anything nearly all facts stay what they are: some become messages in each pause of an endpoint that fails, so that it is tried.
    func makeMessages(for endpoints: [WebhookEndpoint], in run: Run) async throws {
        var restsUntilMs = Int64.min
        while run.isCurrent, time.nowMs() < run.endMs || run.unfinished.load(ordering: .relaxed) > 0 {
            let reach = try await reach(endpoints)
            if reach.isTaking {
                if try await makeMessages(of: WebhookStore.lot, to: reach).isMore { continue }
            } else if time.nowMs() >= restsUntilMs {
                let (rows, isMore) = try await makeMessages(of: WebhookStore.lotPutOff, to: reach)
                if rows > 0 { restsUntilMs = time.nowMs() + Self.failingPauseMs }
                if isMore { try await makeMessages(ofSurplusTo: reach, in: run) }
            }
            try await time.sleep(Self.pause)
        }
    }

    /// Of what is more than may be put off.
    private func makeMessages(ofSurplusTo reach: Reach, in run: Run) async throws {
        var surplus = try await fanOut.surplus()
        while surplus > 0, run.isCurrent {
            let (rows, isMore) = try await makeMessages(of: WebhookStore.lot, to: reach)
            surplus -= Int64(rows)
            if !isMore { return }
        }
    }

    private func makeMessages(of lot: Int, to reach: Reach) async throws -> (rows: Int, isMore: Bool) {
        try await fanOut.take(for: reach.endpoints, offAtMs: reach.offAtMs, lot: lot, nowMs: time.nowMs()) {
            try await isCurrent(reach.endpoints)
        }
    }

    /// Who may want facts now.
    struct Reach: Sendable {
        let endpoints: [WebhookEndpoint]
        /// Of those that have answered 410, by their keys.
        let offAtMs: [String: Int64]
        /// Some endpoint is on and does not fail. True also if none is on: then nobody comes back for whom facts would wait.
        let isTaking: Bool
    }

    func reach(_ endpoints: [WebhookEndpoint]) async throws -> Reach {
        let states = Dictionary(try await store.endpoints().map { ($0.key, $0) }) { first, _ in first }
        let on = endpoints.filter { states[$0.key]?.offAtMs == nil }
        return Reach(
            endpoints: endpoints, offAtMs: states.compactMapValues(\.offAtMs),
            isTaking: on.isEmpty || on.contains { states[$0.key]?.failingSinceMs == nil })
    }

    /// Whether the served version has these endpoints, and no node serves one that this node has not heard of.
    func isCurrent(_ endpoints: [WebhookEndpoint]) async throws -> Bool {
        if store.database.isShared, let newest = try await ConfigurationStore(store.database).newestNumber(), newest > configuration.newest {
            return false
        }
        return configuration.snapshot.configuration.webhooks == endpoints
    }
}
