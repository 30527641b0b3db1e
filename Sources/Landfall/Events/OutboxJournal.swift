// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// The text of the outbox's files. The first line names the format. Then there is one line for each accepted item, and one line
/// for each group of items that are done.
///
/// A later format only adds kinds of lines and fields. A release uses what it knows and keeps unknown lines as they are, so that a
/// downgrade loses nothing.
enum OutboxJournal {
    static let currentFormat = 2

    struct Entry: Hashable, Sendable {
        let item: OutboxItem
        /// By the phone's calendar, in Unix milliseconds: 0…``Foundation/Date/latestMilliseconds``, so that differences of times fit.
        let acceptedAt: Int64
        /// The installation whose assignment the event carries; nil if the event carries none.
        var unit: InstallID?

        /// The same, for a link that the app has seen.
        var handedOver: Entry {
            guard case .arrival(var arrival) = item else { return self }
            arrival.wasHandedOver = true
            return Entry(item: .arrival(arrival), acceptedAt: acceptedAt)
        }

        /// The assignment to send with the event. Nil if another installation recorded it, before the files were copied to this
        /// phone: the server would store it as this installation's own assignment.
        func assignment(for install: InstallID?) -> Assignment? {
            guard case .event(let event) = item, unit == nil || unit == install else { return nil }
            return event.assignment
        }

        /// In milliseconds, 0…30 days, even if the phone's calendar was changed meanwhile.
        func age(at date: Int64) -> Int64 { min(max(date - acceptedAt, 0), 30 * 86_400_000) }
    }

    /// The content of a file.
    struct Content {
        /// Accepted and not done, in order of acceptance, each id once.
        var entries: [Entry] = []
        /// Lines that are not JSON objects: half written, or damaged.
        var unreadableLines = 0
        /// Lines of a later release.
        var foreign = Foreign()
        /// False if the file has lines that are repeated, damaged or about finished items, or no line break at its end.
        var isCompact = true
    }

    /// Lines that this release does not know, unchanged, and the lines that may be about their items.
    struct Foreign {
        /// In bytes; above this the oldest lines are dropped.
        static let most = 1 << 20

        private(set) var lines: [Data] = []
        private var bytes = 0

        mutating func keep(_ line: Data) {
            lines.append(line)
            bytes += line.count
            while bytes > Self.most { bytes -= lines.removeFirst().count }
        }
    }

    /// The first line of each file.
    static let formatLine = Data("{\"format\":\(currentFormat)}\n".utf8)

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
            case .format: break
            case .accepted(let entry): accept(entry)
            case .received(let receipt, let acceptedAt):
                accept(Entry(item: .click(receipt.click), acceptedAt: acceptedAt))
                accept(Entry(item: .arrival(receipt.arrival), acceptedAt: acceptedAt))
            case .handedOver(let id): handedOver.insert(id)
            case .done(let ids): done.formUnion(ids)
            case nil:
                if case .object? = try? WireCoding.decode(JSONValue.self, from: line) {
                    content.foreign.keep(Data(line) + lineBreak)
                } else {
                    content.unreadableLines += 1
                }
            }
        }
        if !content.foreign.lines.isEmpty { content.foreign.keep(linesAbout: (done, handedOver), except: accepted) }
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

extension OutboxJournal.Foreign {
    /// Keeps the ids of done and handed-over items that this release does not know: they belong to items of a later release.
    fileprivate mutating func keep(linesAbout ids: (done: Set<String>, handedOver: Set<String>), except known: Set<String>) {
        let done = ids.done.subtracting(known).sorted()
        if !done.isEmpty, let line = try? OutboxJournal.line(done: done) { keep(line) }
        for id in ids.handedOver.subtracting(known).sorted() {
            if let line = try? OutboxJournal.line(handedOver: id) { keep(line) }
        }
    }
}

extension OutboxJournal {
    private enum Line: Codable {
        case format(Int)
        case accepted(Entry)
        case received(LinkReceipt, Int64)
        case handedOver(String)
        case done([String])

        private enum Key: String, CodingKey { case format, kind, body, acceptedAt, unit, handedOver, done }
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
            if let format = try container.decodeIfPresent(Int.self, forKey: .format) {
                self = .format(format)
                return
            }
            // A file can hold any number, and times are subtracted from each other.
            let acceptedAt = min(max(try container.decode(Int64.self, forKey: .acceptedAt), 0), Date.latestMilliseconds)
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
            let unit = try container.decodeIfPresent(InstallID.self, forKey: .unit)
            self = .accepted(Entry(item: item, acceptedAt: acceptedAt, unit: unit))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            switch self {
            case .format(let format): try container.encode(format, forKey: .format)
            case .done(let ids): try container.encode(ids, forKey: .done)
            case .handedOver(let id): try container.encode(id, forKey: .handedOver)
            case .received(let receipt, let acceptedAt):
                try container.encode(acceptedAt, forKey: .acceptedAt)
                try container.encode(Kind.link, forKey: .kind)
                try container.encode(receipt, forKey: .body)
            case .accepted(let entry):
                try container.encode(entry.acceptedAt, forKey: .acceptedAt)
                try container.encodeIfPresent(entry.unit, forKey: .unit)
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
