// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// Keeps events, attribution claims, attribute changes and clicks until the server has taken them, and links until the app
/// has, across kills and relaunches.
///
/// A class with a lock and not an actor, because acceptance is synchronous: what `append` has stored is safe when it returns.
/// The lock guards memory only: no disk work happens under it, not even a caller's write to the open file.
final class Outbox: Sendable {
    /// In bytes: one item, as a line of the file.
    static let largestItem = 8 << 10
    static let mostItems = 10_000
    static let mostBytes = 4 << 20
    static let largestBatch = 100

    let storage: any Storage
    let log: @Sendable (LogLine) -> Void
    let memory = Locked(OutboxMemory())
    /// Work on the files is done one thing after the other.
    let turns: Turns
    private let date: @Sendable () -> Date
    private let flushing = Locked(Flushing.none)
    /// The background's latest write to the open file.
    let writing = Locked<Task<Void, any Error>?>(nil)

    private enum Flushing { case none, running, askedAgain }

    init(
        storage: any Storage, turns: Turns = Turns(), date: @escaping @Sendable () -> Date,
        log: @escaping @Sendable (LogLine) -> Void
    ) {
        self.storage = storage
        self.turns = turns
        self.date = date
        self.log = log
    }

    /// What waits, the oldest first; before ``open()`` only what this process has added.
    var pending: [OutboxItem] { entries.map(\.item) }

    var entries: [OutboxJournal.Entry] { memory.withLock { $0.entries } }

    /// Accepts an item and stores it: one write to the open file.
    /// - Parameter unit: the installation whose assignment the item carries, if it carries one.
    /// - Returns: true if it is stored. False if no file is open yet, or while the storage refuses (a locked device, a full
    ///   disk): the item is then kept in memory, sent from there, and stored together with the next one, or by ``store()``.
    /// - Throws: ``OutboxItemTooLarge``.
    @discardableResult
    func append(_ item: OutboxItem, of unit: InstallID? = nil) throws -> Bool {
        logDropped(try keepUnreported(item, of: unit, acceptedAt: now))
        return storeLast(1)
    }

    /// Accepts a link: its click and its arrival, both or neither. As ``append(_:)``.
    @discardableResult
    func append(_ receipt: LinkReceipt) throws -> Bool {
        let acceptedAt = now
        let entries = [OutboxItem.click(receipt.click), .arrival(receipt.arrival)].map {
            OutboxJournal.Entry(item: $0, acceptedAt: acceptedAt)
        }
        try add(entries, joint: try OutboxJournal.line(receipt, acceptedAt: acceptedAt))
        return storeLast(entries.count)
    }

    /// Accepts an item in memory; ``store()`` follows.
    /// - Throws: ``OutboxItemTooLarge``.
    func keep(_ item: OutboxItem) throws { logDropped(try keepUnreported(item, acceptedAt: now)) }

    /// As ``keep(_:)``, for a caller that holds a lock and may run no foreign code.
    /// - Parameter acceptedAt: in Unix milliseconds. The calendar is foreign code too.
    /// - Returns: how many items were dropped, for ``logDropped(_:)``.
    func keepUnreported(_ item: OutboxItem, of unit: InstallID? = nil, acceptedAt: Int64) throws -> Int {
        try put([OutboxJournal.Entry(item: item, acceptedAt: acceptedAt, unit: item.hasAssignment ? unit : nil)])
    }

    private func add(_ entries: [OutboxJournal.Entry], joint: Data? = nil) throws {
        logDropped(try put(entries, joint: joint))
    }

    private func put(_ entries: [OutboxJournal.Entry], joint: Data? = nil) throws -> Int {
        let lines = try entries.map(OutboxJournal.line)
        // With the line break that is written before it.
        let bytes = OutboxJournal.lineBreak.count + (joint?.count ?? lines.reduce(0) { $0 + $1.count })
        guard bytes <= Self.largestItem else { throw OutboxItemTooLarge(bytes: bytes) }
        return memory.withLock { $0.add(entries, lines: lines, joint: joint) }
    }

    /// One write of at most ``largestItem`` bytes.
    private func storeLast(_ count: Int) -> Bool {
        guard let load = memory.withLock({ $0.loadLast(count) }) else { return false }
        return (try? write(load)) != nil
    }

    /// On the caller's thread.
    private func write(_ load: OutboxMemory.Load) throws {
        do {
            // The line break first: the last line of the file may be half written, and nothing must be joined to it.
            try load.file.append(OutboxJournal.lineBreak + load.data)
        } catch {
            memory.withLock { $0.ended(load, isStored: false) }
            throw error
        }
        memory.withLock { $0.ended(load, isStored: true) }
    }

    /// The app is about to see this link: if it is killed now, the next launch says so.
    /// - Returns: false while the storage refuses, or if the caller is cancelled before it is stored; see ``store()``.
    @discardableResult
    func handOver(_ id: String) async -> Bool {
        do { try memory.withLock { try $0.handOver(id) } } catch {
            log(LogLine(.warning, "A link's state was not stored. \(error.inWords) Nothing to do.", category: .links))
            return true
        }
        guard (try? await writeInBackground()) != nil else { return false }
        return memory.withLock { $0.isStored }
    }

    func logDropped(_ count: Int) {
        guard count > 0 else { return }
        log(
            LogLine(
                .warning,
                "The outbox is full: its \(count) oldest items were dropped. It empties when the server is reached: check 'server'.",
                category: .events))
    }

    /// Lets items go that have reached the server or the app, in memory; ``store()`` follows. If a kill comes before that, the
    /// next launch sends them again, and the server does the work once.
    func remove(_ ids: Set<String>) { memory.withLock { $0.remove(ids) } }

    /// As ``remove(_:)``, for a client that has ended: stores the change too, because nothing else does.
    func letGo(_ ids: Set<String>) {
        remove(ids)
        if memory.withLock({ $0.isStored }) { return }
        Task.detached(priority: .userInitiated) { [self] in
            await store()
            await storage.close()
        }
    }

    /// Sends what waits, the oldest first: events that follow one another in batches, everything else one by one.
    ///
    /// At most one flush runs at a time. A second call returns at once, and the first one also sends what was added meanwhile.
    /// - Parameter install: who sends.
    /// - Parameter others: items that are left out; see ``send(_:as:_:)``.
    @discardableResult
    func flush(
        as install: InstallID? = nil, except others: Set<String> = [],
        _ send: @Sendable (OutboxCall) async throws -> OutboxVerdict
    ) async -> OutboxRest {
        guard (try? await open()) != nil, begin() else { return .everything }
        while true {
            let rest = await sendEverything(as: install, except: others, send)
            await store()
            await rewriteIfWorthwhile()
            if end(unlessAskedAgain: rest == .nothing) { return rest }
        }
    }

    /// Sends one item that flushes leave out, at any time, alone.
    /// - Returns: what has become of it.
    func send(
        _ id: String, as install: InstallID?, _ send: @Sendable (OutboxCall) async throws -> OutboxVerdict
    ) async -> OutboxVerdict {
        // It may have been dropped.
        guard let lot = nextLot(id, as: install, except: [], alone: [id]) else { return .taken() }
        let verdict = (try? await send(lot.call)) ?? .later
        switch verdict {
        case .taken(let results):
            guard take(results, for: lot).isEmpty else { return .laterAlone }
        case .refused(let code): refuse(lot, code)
        case .laterAlone, .elsewhere, .later: break
        }
        return verdict
    }

    private func sendEverything(
        as install: InstallID?, except others: Set<String>, _ send: @Sendable (OutboxCall) async throws -> OutboxVerdict
    ) async -> OutboxRest {
        var unanswered: Set<String> = []
        var suspects: Set<String> = []
        var elsewhere = others
        var taken = Taken()
        while let lot = nextLot(as: install, except: unanswered.union(elsewhere), alone: suspects, taken) {
            // Suspends: items may have been added, dropped or removed; below only ids count.
            switch (try? await send(lot.call)) ?? .later {
            case .later: return .everything
            case .laterAlone: unanswered.formUnion(lot.ids)
            case .elsewhere:
                elsewhere.formUnion(lot.ids)
                // A later change must not come before an earlier one.
                if case .attributes = lot.call { taken.attributes = false }
            case .taken(let results):
                let left = take(results, for: lot)
                // Not one result: new events would get none either, and each would be tried at once.
                if left == lot.ids { taken.events = false } else { unanswered.formUnion(left) }
            case .refused where lot.ids.count > 1: suspects.formUnion(lot.ids)  // One item is wrong: each is sent alone.
            case .refused(let code): refuse(lot, code)
            }
        }
        guard taken.events else { return .everything }
        return unanswered.isEmpty ? .nothing : .items(unanswered)
    }

    /// - Returns: the items without a result, which stay.
    private func take(_ results: [EventBatchAnswer.Result], for lot: Lot) -> Set<String> {
        let answered = lot.isBatch ? lot.ids.intersection(results.map(\.id)) : lot.ids
        remove(answered)
        for result in results where result.status == .rejected { logRefusal(result.code) }
        return lot.ids.subtracting(answered)
    }

    private func refuse(_ lot: Lot, _ code: ErrorCode) {
        remove(lot.ids)
        logRefusal(code)
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
    /// The kinds of items that a pass still sends, beside those that it always does.
    private struct Taken {
        var events = true
        var attributes = true

        func contains(_ item: OutboxItem) -> Bool { item.isEvent ? events : attributes || item.attributeChanges == nil }
    }

    private struct Lot {
        let call: OutboxCall
        let ids: Set<String>
        var isBatch: Bool { if case .events = call { true } else { false } }
    }

    /// - Parameters:
    ///   - id: nil: the oldest item is the first.
    ///   - taken: items of other kinds are left out.
    private func nextLot(
        _ id: String? = nil, as install: InstallID?, except others: Set<String>, alone suspects: Set<String>,
        _ taken: Taken = Taken()
    ) -> Lot? {
        let waiting = entries.lazy.filter { entry in
            entry.item.isForFlush && !others.contains(entry.item.id) && (id == nil || id == entry.item.id)
                && taken.contains(entry.item)
        }
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
            let events = Array(waiting.prefix(limit).prefix { $0.item.isEvent }).compactMap { event($0, as: install) }
            (call, ids) = (.events(EventBatch(events: events)), events.map(\.id))
        }
        return Lot(call: call, ids: Set(ids))
    }

    private func event(_ entry: OutboxJournal.Entry, as install: InstallID?) -> Event? {
        guard case .event(var event) = entry.item else { return nil }
        event.assignment = entry.assignment(for: install)
        event.ageMilliseconds = age(of: entry)
        return event
    }

    private func age(of entry: OutboxJournal.Entry) -> Int64 { entry.age(at: now) }

    /// The phone's calendar in Unix milliseconds.
    private var now: Int64 { date().unixMilliseconds }
}
