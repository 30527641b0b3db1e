// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// The outbox's file: a line for each item that was accepted, and a line for each lot that is done.
enum OutboxJournal {
    struct Entry: Hashable, Sendable {
        let item: OutboxItem
        /// By the phone's calendar, in Unix milliseconds.
        let acceptedAt: Int64

        /// The same, for a link that the app has seen.
        var handedOver: Entry {
            guard case .arrival(var arrival) = item else { return self }
            arrival.wasHandedOver = true
            return Entry(item: .arrival(arrival), acceptedAt: acceptedAt)
        }

        /// In milliseconds, 0…30 days, whatever the calendar has done meanwhile.
        func age(at date: Int64) -> Int64 { min(max(date - acceptedAt, 0), 30 * 86_400_000) }
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

    /// A link's click and its arrival in one line, so that a hook writes once.
    static func line(_ receipt: LinkReceipt, acceptedAt: Int64) throws -> Data {
        try WireCoding.encode(Line.received(receipt, acceptedAt)) + lineBreak
    }

    static func line(handedOver id: String) throws -> Data { try WireCoding.encode(Line.handedOver(id)) + lineBreak }

    static func line(done ids: [String]) throws -> Data { try WireCoding.encode(Line.done(ids)) + lineBreak }

    static func read(_ data: Data) -> Content {
        var content = Content(), accepted: Set<String> = [], done: Set<String> = [], handedOver: Set<String> = []
        func accept(_ entry: Entry) {
            if accepted.insert(entry.item.id).inserted { content.entries.append(entry) } else { content.isCompact = false }
        }
        for line in data.split(separator: lineBreak[0]) {
            switch try? WireCoding.decode(Line.self, from: line) {
            case .accepted(let entry): accept(entry)
            case .received(let receipt, let acceptedAt):
                accept(Entry(item: .click(receipt.click), acceptedAt: acceptedAt))
                accept(Entry(item: .arrival(receipt.arrival), acceptedAt: acceptedAt))
            case .handedOver(let id): handedOver.insert(id)
            case .done(let ids): done.formUnion(ids)
            case nil: content.unreadableLines += 1
            }
        }
        content.entries.removeAll { done.contains($0.item.id) }
        content.entries = content.entries.map { handedOver.contains($0.item.id) ? $0.handedOver : $0 }
        if !done.isEmpty || !handedOver.isEmpty || content.unreadableLines > 0 || data.last.map({ $0 != lineBreak[0] }) ?? false
        {
            content.isCompact = false
        }
        return content
    }

    static let lineBreak = Data("\n".utf8)
}

extension OutboxJournal {
    private enum Line: Codable {
        case accepted(Entry)
        case received(LinkReceipt, Int64)
        case handedOver(String)
        case done([String])

        private enum Key: String, CodingKey { case kind, body, acceptedAt, handedOver, done }
        private enum Kind: String, Codable { case event, claim, attributes, click, arrival, deferredToken, link }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            if let ids = try container.decodeIfPresent([String].self, forKey: .done) {
                self = .done(ids)
                return
            }
            if let id = try container.decodeIfPresent(String.self, forKey: .handedOver) {
                self = .handedOver(id)
                return
            }
            let acceptedAt = try container.decode(Int64.self, forKey: .acceptedAt)
            let item: OutboxItem
            switch try container.decode(Kind.self, forKey: .kind) {
            case .event: item = .event(try container.decode(Event.self, forKey: .body))
            case .claim: item = .claim(try container.decode(AttributionClaim.self, forKey: .body))
            case .attributes: item = .attributes(try container.decode(AttributeChanges.self, forKey: .body))
            case .click: item = .click(try container.decode(LinkClick.self, forKey: .body))
            case .arrival: item = .arrival(try container.decode(LinkArrival.self, forKey: .body))
            case .deferredToken: item = .deferredToken(try container.decode(DeferredToken.self, forKey: .body))
            case .link:
                self = .received(try container.decode(LinkReceipt.self, forKey: .body), acceptedAt)
                return
            }
            self = .accepted(Entry(item: item, acceptedAt: acceptedAt))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            switch self {
            case .done(let ids): try container.encode(ids, forKey: .done)
            case .handedOver(let id): try container.encode(id, forKey: .handedOver)
            case .received(let receipt, let acceptedAt):
                try container.encode(acceptedAt, forKey: .acceptedAt)
                try container.encode(Kind.link, forKey: .kind)
                try container.encode(receipt, forKey: .body)
            case .accepted(let entry):
                try container.encode(entry.acceptedAt, forKey: .acceptedAt)
                let (kind, body): (Kind, any Encodable) =
                    switch entry.item {
                    case .event(let event): (.event, event)
                    case .claim(let claim): (.claim, claim)
                    case .attributes(let changes): (.attributes, changes)
                    case .click(let click): (.click, click)
                    case .arrival(let arrival): (.arrival, arrival)
                    case .deferredToken(let token): (.deferredToken, token)
                    }
                try container.encode(kind, forKey: .kind)
                try container.encode(body, forKey: .body)
            }
        }
    }
}
