// SPDX-License-Identifier: Apache-2.0
internal import Foundation

// What the outbox does with files, in the background: one thing after the other.
extension Outbox {
    /// Opens the file that everything is appended to, and stores what was accepted before.
    /// - Throws: what the storage throws; call again later.
    func openForAppending() async throws {
        _ = try await turns.run { try await segment() }
        _ = await store()
    }

    /// Reads what earlier launches left, and moves it into one file; does nothing once it has succeeded.
    /// - Throws: what the storage throws; call again later.
    func open() async throws {
        let content: OutboxJournal.Content? = try await turns.run {
            guard !memory.withLock({ $0.isOpen }) else { return nil }
            // On a full disk there is no new file, and the others are read all the same.
            let current = try? await segment()
            let old = try await segments(before: current)
            var data = Data()
            // The line break first, because the last line of a file may be half written.
            for name in [.outbox] + old {
                do { data += OutboxJournal.lineBreak + (try await storage.read(name) ?? Data()) } catch let error as StrangeFile {
                    try await storage.setAside(name, because: error, log)
                }
            }
            let content = OutboxJournal.read(data)
            let lines = try content.entries.map(OutboxJournal.line)
            memory.withLock { memory in
                memory.opened(content, lines: lines)
                memory.hasOldSegments = !old.isEmpty
            }
            if !content.isCompact || !old.isEmpty { await rewrite(upTo: current) }
            return content
        }
        await store()
        guard let content else { return }
        if content.unreadableLines > 0 {
            let text = "\(content.unreadableLines) half-written lines of the outbox were left out. Nothing to do."
            log(LogLine(.warning, text, category: .storage))
        }
        if !content.foreign.lines.isEmpty {
            let text = "The outbox has lines of a later release of the SDK. They are kept for that release; nothing to do."
            log(LogLine(.info, text, category: .storage))
        }
    }

    /// Stores what is only in memory so far.
    /// - Returns: whether all that is known is on disk.
    @discardableResult
    func store() async -> Bool {
        do {
            try await storeOrThrow()
            return true
        } catch {
            return false
        }
    }

    /// As ``store()``.
    /// - Throws: the reason why something is still only in memory.
    func storeOrThrow() async throws {
        if memory.withLock({ $0.isStored }) { return }
        if memory.withLock({ $0.segment == nil }) { _ = try await turns.run { try await segment() } }
        try await writeInBackground()
    }

    /// Writes what is only in memory, after the background's earlier writes. The disk blocks no thread of Swift's tasks, and a
    /// cancelled caller does not wait for it.
    func writeInBackground() async throws {
        let task = writing.withLock { last in
            let earlier = last
            let task = Task {
                _ = await earlier?.result
                guard let load = memory.withLock({ $0.loadEverything() }) else { return }
                do {
                    try await load.file.appendInBackground(OutboxJournal.lineBreak + load.data)
                } catch {
                    memory.withLock { $0.ended(load, isStored: false) }
                    throw error
                }
                memory.withLock { $0.ended(load, isStored: true) }
            }
            last = task
            return task
        }
        try await abandoning { try await task.value }
    }

    /// Rewrites files that are mostly about items that have left.
    func rewriteIfWorthwhile() async {
        guard memory.withLock({ $0.isOpen && $0.isWorthRewriting }) else { return }
        _ = try? await turns.run {
            var current = try await segment()
            if !memory.withLock({ $0.hasOldSegments }) {
                current += 1
                try await begin(current)
            }
            await rewrite(upTo: current)
        }
    }

    /// Forgets everything, here and in the files.
    func clear() async throws {
        try await turns.run {
            memory.withLock { $0.clear() }
            for name in try await storage.names() where name == .outbox || Self.number(of: name) != nil {
                try await storage.remove(name)
            }
        }
    }

    // MARK: In a turn

    /// The number of the file that is appended to.
    private func segment() async throws -> Int {
        if let segment = memory.withLock({ $0.segment }) { return segment.number }
        let number = (try await storage.names().compactMap(Self.number).max() ?? 0) + 1
        try await begin(number)
        return number
    }

    private func begin(_ number: Int) async throws {
        let file = try await storage.open(Self.name(ofSegment: number))
        try await abandoning { try await file.appendInBackground(OutboxJournal.formatLine) }
        memory.withLock { memory in
            if memory.segment != nil { memory.hasOldSegments = true }
            memory.begin(.init(number: number, file: file))
        }
    }

    /// Writes all known items to the main file and removes the files before the current one. Items that were accepted earlier are
    /// in memory, so the main file has them; later items go to the current file.
    private func rewrite(upTo current: Int?) async {
        do {
            let (lines, ids) = memory.withLock { $0.snapshot }
            if lines.isEmpty {
                try await storage.remove(.outbox)
            } else {
                try await storage.write(OutboxJournal.formatLine + Data(lines.joined()), to: .outbox)
            }
            memory.withLock { $0.rewrote(ids) }
            // The oldest first: the line that says that an item is done must not be removed before the item's own line.
            for name in try await segments(before: current) { try await storage.remove(name) }
            memory.withLock { $0.hasOldSegments = false }
        } catch {
            // The files stay as they are; appending goes on, and the next flush or launch tries again.
        }
    }

    private func segments(before current: Int?) async throws -> [StorageName] {
        let numbers = try await storage.names().compactMap(Self.number).filter { $0 < current ?? .max }
        return numbers.sorted().map(Self.name)
    }

    private static func name(ofSegment number: Int) -> StorageName { StorageName(rawValue: "outbox-\(number).jsonl") }

    private static func number(of name: StorageName) -> Int? {
        guard name.rawValue.hasPrefix("outbox-"), name.rawValue.hasSuffix(".jsonl") else { return nil }
        let number = Int(name.rawValue.dropFirst("outbox-".count).dropLast(".jsonl".count))
        // Only the names that are made here, and never one without a next one.
        return number.flatMap { $0 < .max && Self.name(ofSegment: $0) == name ? $0 : nil }
    }
}
