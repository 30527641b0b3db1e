// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore

/// Makes messages of the rows that transactions have left, one node at a time.
struct WebhookFanOut: Sendable {
    /// So many of the newest messages wait at most; older ones make room, and are counted.
    static let mostWaiting: Int64 = 200_000
    /// The same while less than ``leastFreeDisk`` of the disk is free.
    static let mostOnFullDisk: Int64 = 20_000
    static let leastFreeDisk = 0.1

    /// While no endpoint takes anything: so many facts at most stay as they are. More become messages at once.
    static let mostPutOff: Int64 = 100_000

    let store: WebhookStore
    let freeDiskShare: @Sendable () -> Double
    let telemetry: WebhookTelemetry
    var mostWaiting = Self.mostWaiting
    var mostPutOff = Self.mostPutOff

    /// How many facts are more than may be put off.
    func surplus() async throws -> Int64 {
        let most = isFull ? min(mostPutOff, Self.mostOnFullDisk / 2) : mostPutOff
        return try await store.factCount(upTo: 2 * most) - most
    }

    private var isFull: Bool { freeDiskShare() < Self.leastFreeDisk }

    /// One transaction, see ``take(for:offAtMs:lot:nowMs:while:)``.
    /// - Returns: true if there may be more.
    func pass(to endpoints: [WebhookEndpoint], nowMs: Int64, while isCurrent: () async throws -> Bool = { true }) async throws -> Bool {
        try await take(for: endpoints, nowMs: nowMs, while: isCurrent).isMore
    }

    /// One transaction.
    /// - Parameters:
    ///   - endpoints: who may want facts.
    ///   - offAtMs: since when some of them are off, by their keys. They get what happened before.
    ///   - lot: the most rows.
    ///   - isCurrent: false once other endpoints are served: they may want facts that these do not. Asked after the facts are read.
    /// - Returns: how many rows it found, and whether there may be more.
    func take(
        for endpoints: [WebhookEndpoint], offAtMs: [String: Int64] = [:], lot: Int = WebhookStore.lot, nowMs: Int64,
        while isCurrent: () async throws -> Bool = { true }
    ) async throws -> (rows: Int, isMore: Bool) {
        let rows = try await store.waiting(most: lot)
        guard !rows.isEmpty, try await isCurrent() else { return (0, false) }
        let facts = rows.map { row in
            // No release writes a text that this cannot read; a later one may write types that this does not know.
            (row: row, facts: (try? StoredWebhookFacts.stored(row.facts))?.facts ?? [])
        }
        let keys = facts.flatMap(\.facts).flatMap { $0.data.appleAdsKeys.map(\.key) }
        let names = keys.isEmpty ? [:] : try await AppleAdsNames(store.database, app: store.app).names(of: keys)
        let messages = facts.map { row, facts in
            let messages = facts.enumerated().compactMap { index, fact -> WebhookMessage? in
                guard let type = WebhookType(rawValue: fact.type) else { return nil }
                let wanting = endpoints.filter { $0.types.contains(type) && row.createdAtMs < offAtMs[$0.key] ?? .max }
                guard !wanting.isEmpty else { return nil }
                return WebhookMessage(
                    id: WebhookMessage.id(of: row.id, index), type: type, atMs: fact.atMs, data: fact.data.naming(names),
                    endpoints: wanting.map(\.key))
            }
            return (outbox: row.id, messages: messages)
        }
        let isFull = isFull, most = isFull ? min(mostWaiting, Self.mostOnFullDisk) : mostWaiting
        let kept = isFull ? WebhookKeeping.mostOnFullDisk : WebhookKeeping.most
        telemetry.dropped(try await store.add(messages, most: most, kept: kept, nowMs: nowMs))
        // With only a few, a pause lets more come into the next transaction.
        return (rows.count, rows.count >= lot || rows.reduce(0) { $0 + Int64($1.facts.utf8.count) } >= WebhookStore.lotLength)
    }
}
