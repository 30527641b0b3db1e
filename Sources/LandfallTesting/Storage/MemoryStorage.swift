// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Landfall

/// Files in memory. Give one storage to two clients, one after the other, and the second is the next launch of the app.
///
/// Callable from any thread.
public final class MemoryStorage: Storage, Sendable {
    /// Why a scripted storage refused.
    public enum Failure: Error, Hashable, Sendable {
        /// As on a device that has not been unlocked since it was started: nothing can be read or written.
        case locked
        /// As on a full disk: nothing can be written.
        case full
        /// `write`, `remove` and `setAside` belong to the process that owns the directory.
        case notOwner
    }

    private struct State: Sendable {
        var files: [StorageName: Data]
        var setAside: [StorageName: Data] = [:]
        var isLocked = false
        var isFull = false
    }

    private let state: Watched<State>
    /// False for what ``asSeenByAnotherProcess()`` returns.
    public let isOwner: Bool

    /// - Parameter files: what lies there already.
    public convenience init(_ files: [StorageName: Data] = [:]) {
        self.init(Watched(State(files: files)), isOwner: true)
    }

    private init(_ state: Watched<State>, isOwner: Bool) {
        self.state = state
        self.isOwner = isOwner
    }

    /// The same files as another process sees them: it does not own the directory and may only read and append.
    public func asSeenByAnotherProcess() -> MemoryStorage { MemoryStorage(state, isOwner: false) }

    /// Everything that is stored. A copy of it, given to ``init(_:)``, is what a kill at this instant leaves behind.
    public var files: [StorageName: Data] { state.withLock { $0.files } }

    /// Broken files that were put away, by their former names.
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

    /// The file, or nil if there is no such file.
    /// - Throws: ``Failure/locked``.
    public func read(_ name: StorageName) throws -> Data? {
        try state.withLock { state in
            if state.isLocked { throw Failure.locked }
            return state.files[name]
        }
    }

    /// Writes the file in place of any other of this name.
    /// - Throws: ``Failure``.
    public func write(_ data: Data, to name: StorageName) throws {
        try change(asOwner: true) { $0.files[name] = data }
    }

    /// Adds to the end of the file, and makes it where it is missing.
    /// - Throws: ``Failure/locked`` or ``Failure/full``.
    public func append(_ data: Data, to name: StorageName) throws {
        try change(asOwner: false) { $0.files[name, default: Data()].append(data) }
    }

    /// Removes the file; nothing happens if there is no such file.
    /// - Throws: ``Failure``.
    public func remove(_ name: StorageName) throws {
        try change(asOwner: true) { $0.files[name] = nil }
    }

    /// Puts a broken file away, see ``filesSetAside``.
    /// - Throws: ``Failure``.
    public func setAside(_ name: StorageName) throws {
        try change(asOwner: true) { $0.setAside[name] = $0.files.removeValue(forKey: name) }
    }

    private func change(asOwner: Bool, _ body: (inout State) -> Void) throws {
        if asOwner && !isOwner { throw Failure.notOwner }
        try state.withLock { state in
            if state.isLocked { throw Failure.locked }
            if state.isFull { throw Failure.full }
            body(&state)
        }
    }
}
