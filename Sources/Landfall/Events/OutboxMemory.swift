// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// The waiting items, and which of them are on disk. A value: its owner holds a lock around every call, never during disk work.
struct OutboxMemory {
    private enum Place { case memory, underWay, file }

    private struct Waiting {
        var entry: OutboxJournal.Entry
        var line: Data
        /// Only a click has it: one line for the click and its arrival, as long as both go into the file together.
        var joint: Data?
        var place: Place
    }

    /// The file that everything is appended to.
    struct Segment {
        let number: Int
        let file: any AppendableFile
        var bytes = 0
    }

    /// Lines that go into the file now.
    struct Load {
        var data = Data()
        fileprivate(set) var ids: Set<String> = []
        fileprivate var owed = Data()
        let file: any AppendableFile
    }

    private var waiting: [Waiting] = []
    private(set) var waitingBytes = 0
    /// Lines about items on disk (done, handed over) that could not be written yet.
    private var owed = Data()
    private(set) var segment: Segment?
    /// True while files of earlier segments exist whose content is not in the outbox's main file.
    var hasOldSegments = false
    /// True once the files have been read. From then on memory has every waiting item.
    private(set) var isOpen = false
    /// Lines of a later release, kept as they are.
    private var foreign = OutboxJournal.Foreign()

    var entries: [OutboxJournal.Entry] { waiting.map(\.entry) }
    var isStored: Bool { owed.isEmpty && waiting.allSatisfy { $0.place == .file } }

    // MARK: What comes

    /// - Parameter joint: one line that stands for all of them.
    /// - Returns: how many old items were dropped to make room.
    mutating func add(_ entries: [OutboxJournal.Entry], lines: [Data], joint: Data? = nil) -> Int {
        let dropped = makeRoom(for: lines.reduce(0) { $0 + $1.count })
        for (entry, line) in zip(entries, lines) {
            waiting.append(Waiting(entry: entry, line: line, place: .memory))
            waitingBytes += line.count
        }
        waiting[waiting.count - entries.count].joint = joint
        return dropped
    }

    /// Drops the oldest events, a hundred at a time, so that a full outbox does not write a line for each.
    private mutating func makeRoom(for bytes: Int) -> Int {
        var dropped = 0
        while waiting.count >= Outbox.mostItems || waitingBytes + bytes > Outbox.mostBytes {
            let events = waiting.lazy.map(\.entry.item).filter(\.isEvent).prefix(100).map(\.id)
            let victims = events.isEmpty ? waiting.prefix(1).map(\.entry.item.id) : Array(events)
            remove(Set(victims))
            dropped += victims.count
        }
        return dropped
    }

    // MARK: What changes

    /// Remembers that the app has seen a link.
    mutating func handOver(_ id: String) throws {
        guard let index = waiting.firstIndex(where: { $0.entry.item.id == id }) else { return }
        waitingBytes -= waiting[index].line.count
        waiting[index].entry = waiting[index].entry.handedOver
        waiting[index].line = try OutboxJournal.line(waiting[index].entry)
        waitingBytes += waiting[index].line.count
        if waiting[index].place != .memory { owed += try OutboxJournal.line(handedOver: id) }
    }

    mutating func remove(_ ids: Set<String>) {
        var stored: [String] = []
        waiting.removeAll { item in
            guard ids.contains(item.entry.item.id) else { return false }
            waitingBytes -= item.line.count
            if item.place != .memory { stored.append(item.entry.item.id) }
            return true
        }
        if !stored.isEmpty, let line = try? OutboxJournal.line(done: stored) { owed += line }
    }

    /// Forgets everything; what comes now waits for a new file.
    mutating func clear() {
        waiting = []
        waitingBytes = 0
        owed = Data()
        foreign = .init()
        segment = nil
        hasOldSegments = false
    }

    // MARK: What goes into the file

    /// Everything that is not in the file; nil where there is nothing to write, or no file yet.
    mutating func loadEverything() -> Load? {
        load(waiting.indices.filter { waiting[$0].place == .memory }, isAll: true)
    }

    /// The last items, together with the items before them that are only in memory, if all of them fit into one quick write. So the
    /// order is kept.
    mutating func loadLast(_ count: Int) -> Load? {
        var indices: [Int] = [], bytes = OutboxJournal.lineBreak.count + owed.count
        for index in waiting.indices.reversed() {
            guard waiting[index].place == .memory else { break }
            bytes += waiting[index].line.count
            if bytes > Outbox.largestItem, indices.count >= count {
                return load(indices.prefix(count).reversed(), isAll: false)
            }
            indices.append(index)
        }
        return load(indices.reversed(), isAll: bytes <= Outbox.largestItem)
    }

    private mutating func load(_ indices: [Int], isAll: Bool) -> Load? {
        guard let file = segment?.file else { return nil }
        var load = Load(file: file)
        var isWritten = false
        for index in indices {
            let joint = isWritten ? nil : jointLine(at: index)
            if !isWritten { load.data += joint ?? waiting[index].line }
            isWritten = joint != nil
            waiting[index].place = .underWay
            load.ids.insert(waiting[index].entry.item.id)
        }
        if isAll {
            load.owed = owed
            load.data += owed
            owed = Data()
        }
        guard !load.data.isEmpty else { return nil }
        segment?.bytes += load.data.count
        return load
    }

    /// The one line for a link's click and arrival; nil unless both are unwritten and unchanged.
    private func jointLine(at index: Int) -> Data? {
        guard let joint = waiting[index].joint, index + 1 < waiting.count, waiting[index + 1].place == .memory,
            let click = waiting[index].entry.item.click, case .arrival(let arrival) = waiting[index + 1].entry.item,
            arrival.click == click.key, arrival.wasHandedOver == nil
        else { return nil }
        return joint
    }

    mutating func ended(_ load: Load, isStored: Bool) {
        if !isStored { owed = load.owed + owed }
        var left = load.ids.count
        for index in waiting.indices.reversed() where left > 0 && load.ids.contains(waiting[index].entry.item.id) {
            left -= 1
            if waiting[index].place == .underWay { waiting[index].place = isStored ? .file : .memory }
        }
    }

    // MARK: Files

    mutating func begin(_ segment: Segment) { self.segment = segment }

    /// Puts the items of earlier launches before the items that this launch has accepted.
    mutating func opened(_ content: OutboxJournal.Content, lines: [Data]) {
        let ids = Set(content.entries.map(\.item.id))
        let read = zip(content.entries, lines).map { Waiting(entry: $0, line: $1, place: .file) }
        waiting = read + waiting.filter { !ids.contains($0.entry.item.id) }
        waitingBytes = waiting.reduce(0) { $0 + $1.line.count }
        foreign = content.foreign
        isOpen = true
    }

    /// All lines, to be written as one file, and the ids of their items.
    var snapshot: (lines: [Data], ids: Set<String>) {
        (foreign.lines + waiting.map(\.line), Set(waiting.map(\.entry.item.id)))
    }

    mutating func rewrote(_ ids: Set<String>) {
        for index in waiting.indices where waiting[index].place == .memory && ids.contains(waiting[index].entry.item.id) {
            waiting[index].place = .file
        }
    }

    var isWorthRewriting: Bool {
        guard let segment else { return false }
        return hasOldSegments || segment.bytes > 64 << 10 && segment.bytes > 4 * waitingBytes
    }
}
