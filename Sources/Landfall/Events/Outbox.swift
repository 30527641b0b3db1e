// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// Keeps events, attribution claims, attribute changes and clicks until the server has taken them, and links until the app
/// has, across kills and relaunches.
///
/// A class with a lock and not an actor, because acceptance is synchronous: what `append` has stored is safe when it returns.
final class Outbox: Sendable {
    /// Of one item, as a line of the file.
    static let largestItem = 8 << 10
    static let mostItems = 10_000
    static let mostBytes = 4 << 20
    static let largestBatch = 100

    private let date: @Sendable () -> Date
    private let log: @Sendable (LogLine) -> Void
    private let file: Locked<OutboxFile>
    private let flushing = Locked(Flushing.none)

    private enum Flushing { case none, running, askedAgain }

    init(storage: any Storage, date: @escaping @Sendable () -> Date, log: @escaping @Sendable (LogLine) -> Void) {
        self.date = date
        self.log = log
        file = Locked(OutboxFile(storage: storage))
    }

    /// What waits, the oldest first; before ``open()`` only what this process has added.
    var pending: [OutboxItem] { entries.map(\.item) }

    var entries: [OutboxJournal.Entry] { file.withLock { $0.entries } }

    /// Accepts an item. Synchronous and quick: one append to a file that is usually open already.
    /// - Returns: true when it is stored. False while the storage refuses (a locked device, a full disk): the item is then
    ///   kept in memory, sent from there, and stored together with the next one, or by ``store()``.
    /// - Throws: ``OutboxItemTooLarge``.
    @discardableResult
    func append(_ item: OutboxItem) throws -> Bool {
        let entry = OutboxJournal.Entry(item: item, acceptedAt: now)
        let line = try OutboxJournal.line(entry)
        guard line.count <= Self.largestItem else { throw OutboxItemTooLarge(bytes: line.count) }
        let (isStored, dropped) = file.withLock { $0.add(entry, line: line) }
        logDropped(dropped)
        return isStored
    }

    /// Accepts a link: its click and its arrival, both or neither. As ``append(_:)``.
    @discardableResult
    func append(_ receipt: LinkReceipt) throws -> Bool {
        let acceptedAt = now
        let line = try OutboxJournal.line(receipt, acceptedAt: acceptedAt)
        guard line.count <= Self.largestItem else { throw OutboxItemTooLarge(bytes: line.count) }
        let items: [OutboxItem] = [.click(receipt.click), .arrival(receipt.arrival)]
        let entries = items.map { OutboxJournal.Entry(item: $0, acceptedAt: acceptedAt) }
        let (isStored, dropped) = try file.withLock { try $0.add(entries, line: line) }
        logDropped(dropped)
        return isStored
    }

    /// The app is about to see this link: if it is killed now, the next launch says so.
    /// - Returns: false while the storage refuses, as for all below; see ``store()``.
    @discardableResult
    func handOver(_ id: String) -> Bool {
        do { return try file.withLock { try $0.handOver(id) } } catch {
            log(LogLine(.warning, "A link's state was not stored; nothing to do. \(error)", category: .links))
            return true
        }
    }

    private func logDropped(_ count: Int) {
        guard count > 0 else { return }
        log(
            LogLine(
                .warning,
                "The outbox is full: its \(count) oldest items were dropped. It empties when the server is reached: check 'server'.",
                category: .events))
    }

    /// Reads what earlier launches left and tidies the file; does nothing once it has succeeded. Off the main thread.
    /// - Returns: false where another process owns the files: that process sends.
    /// - Throws: what the storage throws; call again later.
    @discardableResult
    func open() throws -> Bool {
        let (unreadableLines, isOpen) = try file.withLock { (try $0.open() ?? 0, $0.isOpen) }
        if unreadableLines > 0 {
            let text = "\(unreadableLines) half-written lines of the outbox were left out. Nothing to do."
            log(LogLine(.warning, text, category: .storage))
        }
        return isOpen
    }

    /// Lets items go that have reached the server in another way (attributes within a first open).
    @discardableResult
    func remove(_ ids: Set<String>) -> Bool { file.withLock { $0.remove(ids) } }

    /// Forgets everything, here and in the file.
    func clear() throws { try file.withLock { try $0.clear() } }

    /// Stores what is only in memory so far.
    func store() -> Bool { file.withLock { $0.store() } }

    /// Sends what waits, the oldest first: events that follow one another in batches, everything else one by one.
    ///
    /// At most one flush runs at a time; a second returns at once, and what was added meanwhile leaves with the first.
    /// - Returns: true when nothing is left to send.
    @discardableResult
    func flush(_ send: @Sendable (OutboxCall) async throws -> OutboxVerdict) async -> Bool {
        guard (try? open()) == true, begin() else { return false }
        while true {
            let isEmpty = await sendEverything(send)
            file.withLock { $0.compactIfWorthwhile() }
            if end(unlessAskedAgain: isEmpty) { return isEmpty }
        }
    }

    private func sendEverything(_ send: @Sendable (OutboxCall) async throws -> OutboxVerdict) async -> Bool {
        var unanswered: Set<String> = []
        var suspects: Set<String> = []
        var elsewhere: Set<String> = []
        while let lot = nextLot(except: unanswered.union(elsewhere), alone: suspects) {
            // Suspends: items may have been added, dropped or removed; below only ids count.
            switch (try? await send(lot.call)) ?? .later {
            case .later: return false
            case .laterAlone: unanswered.formUnion(lot.ids)
            case .elsewhere: elsewhere.formUnion(lot.ids)
            case .taken(let results):
                let answered = lot.isBatch ? lot.ids.intersection(results.map(\.id)) : lot.ids
                unanswered.formUnion(lot.ids.subtracting(answered))
                remove(answered)
                for result in results where result.status == .rejected { logRefusal(result.code) }
            case .refused where lot.ids.count > 1: suspects.formUnion(lot.ids)  // One is at fault; the others shall not suffer.
            case .refused(let code):
                remove(lot.ids)
                logRefusal(code)
            }
        }
        return unanswered.isEmpty
    }

    private func begin() -> Bool {
        flushing.withLock { flushing in
            defer { flushing = flushing == .none ? .running : .askedAgain }
            return flushing == .none
        }
    }

    private func end(unlessAskedAgain mayGoOn: Bool) -> Bool {
        flushing.withLock { flushing in
            let goesOn = mayGoOn && flushing == .askedAgain
            flushing = goesOn ? .running : .none
            return !goesOn
        }
    }

    private func logRefusal(_ code: ErrorCode?) {
        log(
            LogLine(
                .warning,
                "The server refused an item of the outbox for good (\(code?.rawValue ?? "no code")); it is dropped. Correct what the "
                    + "app sends.",
                category: .events))
    }
}

/// An item that would not fit into one quick write.
struct OutboxItemTooLarge: Error, Hashable, CustomStringConvertible {
    let bytes: Int
    var description: String {
        "The item has \(bytes) bytes as JSON; at most \(Outbox.largestItem) are allowed. Shorten its values."
    }
}

// MARK: What goes into one request

extension Outbox {
    private struct Lot {
        let call: OutboxCall
        let ids: Set<String>
        var isBatch: Bool { if case .events = call { true } else { false } }
    }

    private func nextLot(except unanswered: Set<String>, alone suspects: Set<String>) -> Lot? {
        let waiting = entries.lazy.filter { $0.item.isForFlush && !unanswered.contains($0.item.id) }
        guard let first = waiting.first else { return nil }
        let ids: [String]
        let call: OutboxCall
        switch first.item {
        case .attributes(let changes): (call, ids) = (.attributes(changes), [first.item.id])
        case .claim(var claim):
            claim.ageMilliseconds = age(of: first)
            (call, ids) = (.claim(claim), [first.item.id])
        case .click(let click):
            let request = LinkOpenRequest(url: click.url, key: click.key, ageMilliseconds: age(of: first))
            (call, ids) = (.click(request), [first.item.id])
        case .arrival, .deferredToken: return nil
        case .event:
            let limit = suspects.contains(first.item.id) ? 1 : Self.largestBatch
            let events = Array(waiting.prefix(limit).prefix { $0.item.isEvent }).compactMap(event)
            (call, ids) = (.events(EventBatch(events: events)), events.map(\.id))
        }
        return Lot(call: call, ids: Set(ids))
    }

    private func event(_ entry: OutboxJournal.Entry) -> Event? {
        guard case .event(var event) = entry.item else { return nil }
        event.ageMilliseconds = age(of: entry)
        return event
    }

    private func age(of entry: OutboxJournal.Entry) -> Int64 { entry.age(at: now) }

    /// The phone's calendar in Unix milliseconds.
    private var now: Int64 { date().unixMilliseconds }
}
