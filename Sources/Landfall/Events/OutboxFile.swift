// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// What waits in memory and the journal on disk, kept in step. Its owner holds a lock around every call.
struct OutboxFile {
    private struct Waiting {
        var entry: OutboxJournal.Entry
        var line: Data
    }

    private let storage: any Storage
    private var waiting: [Waiting] = []
    /// So many of them, from the oldest on, are on disk.
    private var storedCount = 0
    /// Lines about items on disk (done, handed over) that could not be written yet.
    private var owed = Data()
    private var waitingBytes = 0
    private var fileBytes = 0
    /// False while the file may end in half a line, to which nothing must be joined.
    private var endsInLineBreak = false
    /// True once the file has been read: what waits in memory is then everything there is.
    private(set) var isOpen = false

    init(storage: any Storage) { self.storage = storage }

    var entries: [OutboxJournal.Entry] { waiting.map(\.entry) }

    /// Reads and tidies the file; false where another process owns it.
    /// - Returns: nil where nothing was to be done, else how many lines could not be read.
    mutating func open() throws -> Int? {
        guard !isOpen, storage.isOwner else { return nil }
        var data = try storage.read(.outbox) ?? Data()
        if !owed.isEmpty { data += OutboxJournal.lineBreak + owed }
        let content = OutboxJournal.read(data)
        let read = try content.entries.map { Waiting(entry: $0, line: try OutboxJournal.line($0)) }
        let ids = Set(content.entries.map(\.item.id))
        waiting = read + waiting.filter { !ids.contains($0.entry.item.id) }
        storedCount = read.count
        waitingBytes = waiting.reduce(0) { $0 + $1.line.count }
        fileBytes = data.count
        endsInLineBreak = content.isCompact
        isOpen = true
        if !content.isCompact { compact() }
        store()
        return content.unreadableLines
    }

    /// - Returns: whether the item is on disk now, and how many old ones were dropped for it.
    mutating func add(_ entry: OutboxJournal.Entry, line: Data) -> (isStored: Bool, dropped: Int) {
        let dropped = makeRoom(for: line.count)
        keep(entry, line)
        return (store(), dropped)
    }

    /// Several items that one line stands for.
    mutating func add(_ entries: [OutboxJournal.Entry], line: Data) throws -> (isStored: Bool, dropped: Int) {
        let lines = try entries.map(OutboxJournal.line)
        let dropped = makeRoom(for: lines.reduce(0) { $0 + $1.count })
        let isAlone = storedCount == waiting.count
        for (entry, line) in zip(entries, lines) { keep(entry, line) }
        // What is in memory alone from before comes first in the file, too.
        guard isAlone else { return (store(), dropped) }
        guard append(line) else { return (false, dropped) }
        storedCount = waiting.count
        return (true, dropped)
    }

    private mutating func keep(_ entry: OutboxJournal.Entry, _ line: Data) {
        waiting.append(Waiting(entry: entry, line: line))
        waitingBytes += line.count
    }

    /// Remembers that the app has seen a link.
    /// - Returns: whether all that is known is on disk.
    mutating func handOver(_ id: String) throws -> Bool {
        guard let index = waiting.firstIndex(where: { $0.entry.item.id == id }) else { return true }
        waiting[index].entry = waiting[index].entry.handedOver
        waiting[index].line = try OutboxJournal.line(waiting[index].entry)
        waitingBytes = waiting.reduce(0) { $0 + $1.line.count }
        if index < storedCount { owed += try OutboxJournal.line(handedOver: id) }
        return store()
    }

    /// - Returns: whether all that is known is on disk. If a kill comes before that, the next launch sends them again, and the
    ///   server does the work once.
    mutating func remove(_ ids: Set<String>) -> Bool {
        guard waiting.contains(where: { ids.contains($0.entry.item.id) }) else { return isStored }
        let stored = waiting.prefix(storedCount).map(\.entry.item.id).filter(ids.contains)
        waiting.removeAll { ids.contains($0.entry.item.id) }
        storedCount -= stored.count
        waitingBytes = waiting.reduce(0) { $0 + $1.line.count }
        if !stored.isEmpty, let line = try? OutboxJournal.line(done: stored) { owed += line }
        return store()
    }

    /// Forgets everything, in memory and in the file.
    mutating func clear() throws {
        try storage.remove(.outbox)
        waiting = []
        storedCount = 0
        owed = Data()
        waitingBytes = 0
        fileBytes = 0
        endsInLineBreak = true
    }

    /// Rewrites a file that is mostly about items that have left.
    mutating func compactIfWorthwhile() {
        if fileBytes > 64 << 10 && fileBytes > 4 * waitingBytes { compact() }
    }

    private var isStored: Bool { storedCount == waiting.count && owed.isEmpty }

    /// Stores whatever is only in memory so far; false when the storage refuses.
    @discardableResult
    mutating func store() -> Bool {
        if isStored { return true }
        guard append(Data(waiting[storedCount...].map(\.line).joined()) + owed) else { return false }
        storedCount = waiting.count
        owed = Data()
        return true
    }

    /// Drops the oldest events, a hundred at a time, so that a full outbox does not write a line for each.
    private mutating func makeRoom(for bytes: Int) -> Int {
        var dropped = 0
        while waiting.count >= Outbox.mostItems || waitingBytes + bytes > Outbox.mostBytes {
            let events = waiting.lazy.map(\.entry.item).filter(\.isEvent).prefix(100).map(\.id)
            let victims = events.isEmpty ? waiting.prefix(1).map(\.entry.item.id) : Array(events)
            _ = remove(Set(victims))
            dropped += victims.count
        }
        return dropped
    }

    private mutating func compact() {
        let file = Data(waiting.map(\.line).joined())
        do {
            try storage.write(file, to: .outbox)
        } catch {
            return  // The file stays as it is; appending goes on, and the next launch tries again.
        }
        storedCount = waiting.count
        owed = Data()
        fileBytes = file.count
        endsInLineBreak = true
    }

    private mutating func append(_ lines: Data) -> Bool {
        let data = endsInLineBreak ? lines : OutboxJournal.lineBreak + lines
        do {
            try storage.append(data, to: .outbox)
        } catch {
            endsInLineBreak = false
            return false
        }
        endsInLineBreak = true
        fileBytes += data.count
        return true
    }
}
