// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import Synchronization

/// The app's files on one phone, during one launch: they may be locked, the disk may be full, and the last thing that is
/// appended before a kill may be on disk in part.
final class PhoneDisk: Storage, Sendable {
    enum Failure: Error, Hashable {
        case locked, full
        /// The process ended within this call: nobody sees this error.
        case cut
    }

    private struct State {
        var files: [StorageName: Data]
        var isLocked = false
        var isFull = false
        /// This part of the next append reaches the disk, 0…1, and nothing after it.
        var cut: Double?
        /// The files that are open to append to.
        var open: Set<StorageName> = []
    }

    private let state: Mutex<State>

    init(_ files: [StorageName: Data]) { state = Mutex(State(files: files)) }

    /// What a kill at this instant leaves behind.
    var files: [StorageName: Data] { state.withLock { $0.files } }

    var isLocked: Bool {
        get { state.withLock { $0.isLocked } }
        set { state.withLock { $0.isLocked = newValue } }
    }

    var isFull: Bool {
        get { state.withLock { $0.isFull } }
        set { state.withLock { $0.isFull = newValue } }
    }

    /// True if a thing that is accepted now is on disk when the call returns, or as soon as the background task has run.
    var isWritable: Bool { state.withLock { !$0.isLocked && !$0.isFull && $0.cut == nil } }

    /// True if a thing that a hook accepts now is on disk when the call returns: before a file is open, it is in memory.
    var isOpen: Bool { isWritable && state.withLock { !$0.open.isEmpty } }

    /// Things that an earlier launch accepted may wait here; things that were sent since may be in the files too.
    var mayHoldItems: Bool {
        files.contains { $0.key.rawValue.hasPrefix("outbox") && String(decoding: $0.value, as: UTF8.self).contains("acceptedAt") }
    }

    /// The process is killed within its next append.
    func cutNextAppend(at share: Double) { state.withLock { $0.cut = share } }

    func names() throws -> Set<StorageName> {
        try state.withLock { state in
            if state.isLocked { throw Failure.locked }
            return Set(state.files.keys)
        }
    }

    func read(_ name: StorageName) throws -> Data? {
        try state.withLock { state in
            if state.isLocked { throw Failure.locked }
            return state.files[name]
        }
    }

    func write(_ data: Data, to name: StorageName) throws { try change { $0[name] = data } }

    func open(_ name: StorageName) throws -> any AppendableFile {
        try change { $0[name, default: Data()].append(Data()) }
        state.withLock { _ = $0.open.insert(name) }
        return File(disk: self, name: name)
    }

    private struct File: AppendableFile {
        let disk: PhoneDisk
        let name: StorageName

        func append(_ data: Data) throws {
            let share = disk.state.withLock { $0.cut }
            // A removed file does not exist any more, although it is open.
            try disk.change { $0[name]?.append(data.prefix(Int(Double(data.count) * (share ?? 1)))) }
            if share != nil { throw Failure.cut }
        }
    }

    func remove(_ name: StorageName) throws {
        try change { $0[name] = nil }
        state.withLock { _ = $0.open.remove(name) }
    }

    func setAside(_ name: StorageName) throws { try remove(name) }

    private func change(_ body: (inout [StorageName: Data]) -> Void) throws {
        try state.withLock { state in
            if state.isLocked { throw Failure.locked }
            if state.isFull { throw Failure.full }
            body(&state.files)
        }
    }
}
