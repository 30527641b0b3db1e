// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// The outbox's file: a line for each item that was accepted, and a line for each lot that is done.
enum OutboxJournal {
    struct Entry: Hashable, Sendable {
        let item: OutboxItem
        /// By the phone's calendar, in Unix milliseconds.
        let acceptedAt: Int64
    }

    /// What a file says.
    struct Content {
        /// Accepted and not done, in order of acceptance, each id once.
        var entries: [Entry] = []
        /// Lines that are no JSON of ours: half written, or damaged.
        var unreadableLines = 0
        /// False where the file holds more than the entries, one whole line each.
        var isCompact = true
    }

    static func line(_ entry: Entry) throws -> Data { try WireCoding.encode(Line.accepted(entry)) + lineBreak }

    static func line(done ids: [String]) throws -> Data { try WireCoding.encode(Line.done(ids)) + lineBreak }

    static func read(_ data: Data) -> Content {
        var content = Content(), accepted: Set<String> = [], done: Set<String> = []
        for line in data.split(separator: lineBreak[0]) {
            switch try? WireCoding.decode(Line.self, from: line) {
            case .accepted(let entry):
                if accepted.insert(entry.item.id).inserted { content.entries.append(entry) } else { content.isCompact = false }
            case .done(let ids): done.formUnion(ids)
            case nil: content.unreadableLines += 1
            }
        }
        content.entries.removeAll { done.contains($0.item.id) }
        if !done.isEmpty || content.unreadableLines > 0 || data.last.map({ $0 != lineBreak[0] }) ?? false {
            content.isCompact = false
        }
        return content
    }

    static let lineBreak = Data("\n".utf8)
}

extension OutboxJournal {
    private enum Line: Codable {
        case accepted(Entry)
        case done([String])

        private enum Key: String, CodingKey { case kind, body, acceptedAt, done }
        private enum Kind: String, Codable { case event, claim, attributes }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            if let ids = try container.decodeIfPresent([String].self, forKey: .done) {
                self = .done(ids)
                return
            }
            let item: OutboxItem =
                switch try container.decode(Kind.self, forKey: .kind) {
                case .event: .event(try container.decode(Event.self, forKey: .body))
                case .claim: .claim(try container.decode(AttributionClaim.self, forKey: .body))
                case .attributes: .attributes(try container.decode(AttributeChanges.self, forKey: .body))
                }
            self = .accepted(Entry(item: item, acceptedAt: try container.decode(Int64.self, forKey: .acceptedAt)))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            switch self {
            case .done(let ids): try container.encode(ids, forKey: .done)
            case .accepted(let entry):
                try container.encode(entry.acceptedAt, forKey: .acceptedAt)
                switch entry.item {
                case .event(let event):
                    try container.encode(Kind.event, forKey: .kind)
                    try container.encode(event, forKey: .body)
                case .claim(let claim):
                    try container.encode(Kind.claim, forKey: .kind)
                    try container.encode(claim, forKey: .body)
                case .attributes(let changes):
                    try container.encode(Kind.attributes, forKey: .kind)
                    try container.encode(changes, forKey: .body)
                }
            }
        }
    }
}
