// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Landfall

/// Files in memory. Give one storage to two clients in turn, and the second is the next launch of the app.
///
/// Callable from any thread.
public final class MemoryStorage: Storage, Sendable {
    /// Why a scripted storage failed.
    public enum Failure: Error, Hashable, Sendable {
        /// As on a device that has not been unlocked since it was started: nothing can be read or written.
        case locked
        /// As on a full disk: nothing can be written.
        case full
    }

    private struct State: Sendable {
        var files: [StorageName: Data]
        /// How often the file of this name was replaced or removed.
        var turns: [StorageName: Int] = [:]
        var setAside: [StorageName: Data] = [:]
        var isLocked = false
        var isFull = false
        var unavailable: StorageUnavailable?

        /// An open handle of this name keeps the former file.
        mutating func replace(_ name: StorageName, with data: Data?) {
            files[name] = data
            turns[name, default: 0] += 1
        }
    }

    private let state: Watched<State>

    /// - Parameter files: the files that already exist.
    public init(_ files: [StorageName: Data] = [:]) { state = Watched(State(files: files)) }

    /// Everything that is stored. Pass a copy of it to ``init(_:)`` to test a kill at this instant.
    public var files: [StorageName: Data] { state.withLock { $0.files } }

    /// Broken files that were set aside, by their former names.
    public var filesSetAside: [StorageName: Data] { state.withLock { $0.setAside } }

    /// When true, every call throws ``Failure/locked``. Default false.
    public var isLocked: Bool {
        get { state.withLock { $0.isLocked } }
        set { state.withLock { $0.isLocked = newValue } }
    }

    /// When true, every call that writes throws ``Failure/full``. Default false.
    public var isFull: Bool {
        get { state.withLock { $0.isFull } }
        set { state.withLock { $0.isFull = newValue } }
    }

    /// If not nil, every call throws it, for example because another process has the files. Default nil.
    public var unavailable: StorageUnavailable? {
        get { state.withLock { $0.unavailable } }
        set { state.withLock { $0.unavailable = newValue } }
    }

    /// The files that exist.
    /// - Throws: ``Failure/locked``, ``unavailable``.
    public func names() throws -> Set<StorageName> { try look { Set($0.files.keys) } }

    /// The file, or nil if there is no such file.
    /// - Throws: ``Failure/locked``.
    public func read(_ name: StorageName) throws -> Data? {
        try look { $0.files[name] }
    }

    /// Writes the file in place of any other of this name.
    /// - Throws: ``Failure``.
    public func write(_ data: Data, to name: StorageName) throws {
        try change { $0.replace(name, with: data) }
    }

    /// The file to append to; created if it is missing.
    /// - Throws: ``Failure/locked`` or ``Failure/full``, as does an append.
    public func open(_ name: StorageName) throws -> any AppendableFile {
        let turn = try change {
            $0.files[name, default: Data()].append(Data())
            return $0.turns[name]
        }
        return File(storage: self, name: name, turn: turn)
    }

    /// Removes the file; does nothing if there is no such file.
    /// - Throws: ``Failure``.
    public func remove(_ name: StorageName) throws {
        try change { $0.replace(name, with: nil) }
    }

    /// Sets a broken file aside, see ``filesSetAside``.
    /// - Throws: ``Failure``.
    public func setAside(_ name: StorageName) throws {
        try change {
            $0.setAside[name] = $0.files[name]
            $0.replace(name, with: nil)
        }
    }

    private func look<Value>(_ body: (State) throws -> Value) throws -> Value {
        try state.withLock { state in
            if let unavailable = state.unavailable { throw unavailable }
            if state.isLocked { throw Failure.locked }
            return try body(state)
        }
    }

    private func change<Value>(_ body: (inout State) -> Value) throws -> Value {
        try state.withLock { state in
            if let unavailable = state.unavailable { throw unavailable }
            if state.isLocked { throw Failure.locked }
            if state.isFull { throw Failure.full }
            return body(&state)
        }
    }

    private struct File: AppendableFile {
        let storage: MemoryStorage
        let name: StorageName
        let turn: Int?

        func append(_ data: Data) throws {
            // A removed file stays removed, even if it is still open, and the next one of its name is another.
            try storage.change { if $0.turns[name] == turn { $0.files[name]?.append(data) } }
        }
    }
}
