// SPDX-License-Identifier: Apache-2.0

/// What the team's endpoint got. Each guarantee has a name:
///
/// - W1: one id is one message, whenever and however often it comes.
/// - W2: no two messages have the same number, and a fact that happened after a message had come has a higher number.
/// - W3: every fact in the store is delivered, or still waits in the store.
/// - W4: the store says "delivered" only of what the endpoint took.
/// - W5: what the endpoint took does not come again, unless the server was disturbed.
///
/// A restored store counts on from its copy, so numbers are compared between two restores only.
struct WebhookLedger: Sendable {
    struct Message: Hashable, Sendable {
        let id: String
        let type: String
        let sequence: Int64
        /// The body without its number.
        let content: String
        /// When its fact was stored, in Unix milliseconds.
        let madeAtMs: Int64
    }

    private struct Known: Sendable {
        var sequence: Int64
        let content: String
        var store: Int
        var isTaken = false
    }

    /// The clocks of nodes differ.
    private static let slackMs: Int64 = 1_000

    private var known: [String: Known] = [:]
    private var owners: [Int64: String] = [:]
    /// The highest number that had come by an instant.
    private var heights: [(atMs: Int64, sequence: Int64)] = []
    private var store = 0
    private var isDisturbed = false
    /// How many tries there were.
    private(set) var tries = 0

    /// What the endpoint took.
    var taken: Set<String> { Set(known.filter(\.value.isTaken).keys) }

    /// From here on the server may send again what was taken.
    mutating func disturbed() { isDisturbed = true }

    /// Another store counts from its own number.
    mutating func storeReplaced() {
        store += 1
        owners = [:]
        heights = []
        disturbed()
    }

    /// A message has reached the endpoint.
    mutating func arrived(_ message: Message, atMs: Int64) -> [Breach] {
        tries += 1
        var breaches: [Breach] = []
        if let before = known[message.id] {
            if before.content != message.content || before.store == store && before.sequence != message.sequence {
                breaches.append(Breach(guarantee: "W1", text: "\(message.sequence) came as \(before.sequence), or with another body"))
            }
            if before.isTaken, !isDisturbed {
                breaches.append(Breach(guarantee: "W5", text: "\(message.sequence) was taken, and comes again"))
            }
        }
        if let owner = owners[message.sequence], owner != message.id {
            breaches.append(Breach(guarantee: "W2", text: "two messages have the number \(message.sequence)"))
        }
        let isFirst = known[message.id]?.store != store
        if isFirst, let height = heights.last(where: { $0.atMs + Self.slackMs < message.madeAtMs })?.sequence, height >= message.sequence {
            breaches.append(Breach(guarantee: "W2", text: "\(message.sequence) is of a later fact than \(height)"))
        }
        owners[message.sequence] = message.id
        known[message.id, default: Known(sequence: message.sequence, content: message.content, store: store)].sequence = message.sequence
        known[message.id]?.store = store
        if message.sequence > heights.last?.sequence ?? .min { heights.append((atMs, message.sequence)) }
        return breaches
    }

    /// The endpoint has answered that it has the message.
    mutating func took(_ id: String) { known[id]?.isTaken = true }

    /// - Parameters:
    ///   - facts: what the store has that the endpoint is told of, each as a text that only its message has.
    ///   - waiting: what waits in the store: bodies, and facts that are no message yet.
    ///   - delivered: the ids that the store calls delivered.
    func breaches(of facts: [String], waiting: [String], delivered: [String]) -> [Breach] {
        let taken = known.values.filter(\.isTaken).map(\.content)
        let lost = facts.filter { fact in !taken.contains { $0.contains(fact) } && !waiting.contains { $0.contains(fact) } }
        let invented = delivered.filter { known[$0]?.isTaken != true }
        return lost.map { Breach(guarantee: "W3", text: "nobody was told of \($0)") }
            + invented.map { Breach(guarantee: "W4", text: "\(known[$0]?.sequence ?? 0) counts as delivered, and was not taken") }
    }
}
