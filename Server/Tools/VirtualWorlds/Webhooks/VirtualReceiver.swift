// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallSQLite
import LandfallServer
import LandfallStore
import Synchronization

/// The endpoint of the team's webhooks: takes, refuses, is slow or silent, or takes and its answer is lost.
final class VirtualReceiver: OutboundHTTP {
    /// A digit address, so nobody has to be asked for it.
    private static let url = "https://9.9.9.9/hooks"
    static let secret = (name: "LANDFALL_WEBHOOK_SECRET", value: "whsec_dmlydHVhbC13b3JsZHMtdmlydHVhbC13b3JsZHM=")

    /// - Returns: the configuration with the endpoint; nil if it has some already.
    static func added(to yaml: String) -> String? {
        guard !yaml.contains("\nwebhooks:") else { return nil }
        return yaml + """

            webhooks:
              - url: \(url)
                secretFrom: \(secret.name)
                types: [first_open, attribution.decided, link.opened, paywall.shown, experiment.assigned, purchase.recorded, access.changed]

            """
    }

    private struct Lost: Error {}

    private let seed: UInt64
    private let clock: VirtualClock
    private let trace: VirtualTrace
    private let ledger = Mutex(WebhookLedger())
    private let attempts = Mutex<[String: UInt64]>([:])
    private let isWorking = Mutex(false)

    private let planted: PlantedError?

    init(_ dice: Dice, _ clock: VirtualClock, _ trace: VirtualTrace, planted: PlantedError? = nil) {
        (seed, self.clock, self.trace, self.planted) = (dice.next(), clock, trace, planted)
    }

    /// From here on it takes everything at once.
    func works() { isWorking.withLock { $0 = true } }

    func disturbed() { ledger.withLock { $0.disturbed() } }
    func storeReplaced() { ledger.withLock { $0.storeReplaced() } }

    func send(_ call: OutboundCall) async throws -> OutboundReply {
        let body = String(decoding: call.body ?? [], as: UTF8.self)
        let sent = call.headers["webhook-id"]
        let id = planted == .changingIDs ? sent.map { $0 + "-\(ledger.withLock(\.tries))" } : sent
        guard let id, let message = WebhookLedger.Message(id: id, body: body) else {
            trace.broke("W1", "the endpoint got something else than a message")
            return OutboundReply(status: 400, body: [])
        }
        let atMs = VirtualServer.epochMs + clock.elapsed.exactMilliseconds
        for breach in ledger.withLock({ $0.arrived(message, atMs: atMs) }) { trace.broke(breach.guarantee, breach.text) }
        let fate = fate(of: message)
        trace.say("endpoint: \(message.type) is \(fate.ending) after \(fate.delay)")
        try await clock.sleep(for: fate.delay)
        try Task.checkCancellation()
        switch fate.ending {
        case .taken:
            ledger.withLock { $0.took(id) }
            return OutboundReply(status: 200, body: [])
        case .takenUnheard: throw Lost()
        case .refused(let status): return OutboundReply(status: planted == .ignoredRefusals ? 200 : status, body: [])
        }
    }

    private enum Ending: Hashable {
        case taken
        /// It has the message, and the server does not hear of that: it has to come again.
        case takenUnheard
        case refused(Int)
    }

    /// Follows from what the message says, not from its turn: the ids of messages do not follow from the seed.
    private func fate(of message: WebhookLedger.Message) -> (ending: Ending, delay: Duration) {
        let attempt = attempts.withLock { attempts in
            attempts[message.id, default: 0] += 1
            return attempts[message.id, default: 0]
        }
        if isWorking.withLock(\.self) { return (.taken, .milliseconds(20)) }
        let dice = Dice(seed: seed ^ message.mark ^ attempt)
        let ending: Ending = dice.happens(0.7) ? .taken : dice.one(of: [.takenUnheard, .refused(500), .refused(429), .refused(404)])
        // The server waits for ten seconds; at that very instant either may come first.
        let slowly = dice.one(of: [dice.time(5_000...9_500), dice.time(10_500...20_000)])
        return (ending, dice.happens(0.1) ? slowly : dice.time(5...400))
    }

    /// What must be true in the end.
    func check(_ database: MemoryDatabase) async throws {
        typealias Found = (facts: [String], waiting: [String], delivered: [String])
        let found = try await database.read { (connection: any ReadConnection) throws -> Found in
            func texts(_ text: String) throws -> [String] { try connection.rows(text, []).map { try $0.text("found") } }
            return (
                try texts("SELECT event_id AS found FROM event WHERE type = 'paywall_shown' ORDER BY event_id")
                    + texts("SELECT install_id AS found FROM install ORDER BY install_id"),
                try texts(
                    """
                    SELECT m.body AS found FROM webhook_message m JOIN webhook_delivery d ON d.message_id = m.message_id
                    WHERE d.outcome IS NULL
                    """) + texts("SELECT facts AS found FROM webhook_outbox"),
                try texts("SELECT message_id AS found FROM webhook_delivery WHERE outcome = 'delivered'")
            )
        }
        for breach in ledger.withLock({ $0.breaches(of: found.facts, waiting: found.waiting, delivered: found.delivered) }) {
            trace.broke(breach.guarantee, breach.text)
        }
    }
}

extension WebhookLedger.Message {
    private struct Body: Decodable {
        struct Content: Decodable { let sequence: Int64 }
        let type: String
        let data: Content
    }

    /// - Returns: nil if it is no message.
    init?(id: String, body: String) {
        guard let read = try? JSONDecoder().decode(Body.self, from: Data(body.utf8)) else { return nil }
        self.id = id
        type = read.type
        sequence = read.data.sequence
        content = body.replacing("\"sequence\":\(sequence)", with: "\"sequence\":0")
        madeAtMs = UUIDv7.milliseconds(of: id)
    }

    /// The same for the same message of the same seed.
    fileprivate var mark: UInt64 {
        let type = content.utf8.suffix(48), made = UInt64(bitPattern: madeAtMs)
        return type.reduce(made ^ 0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
