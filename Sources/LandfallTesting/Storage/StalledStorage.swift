// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Landfall

/// A disk that hangs: after ``stall()`` each call blocks a thread until ``release()``, except an append on the app's own thread. No
/// call of a client waits for it.
///
/// Callable from any thread.
public final class StalledStorage: Storage, Sendable {
    private struct State: Sendable {
        var isStalled = false
        var blocked = 0
    }

    private let storage: MemoryStorage
    private let state = Watched(State())
    private let condition = NSCondition()

    /// - Parameter storage: holds the files.
    public init(_ storage: MemoryStorage = MemoryStorage()) { self.storage = storage }

    /// How many calls hang.
    public var blockedCalls: Int { state.withLock { $0.blocked } }

    /// From now on every call hangs.
    public func stall() { state.withLock { $0.isStalled = true } }

    /// Continues all hanging calls.
    public func release() {
        condition.withLock {
            state.withLock { $0.isStalled = false }
            condition.broadcast()
        }
    }

    /// Returns once this number of calls hangs.
    public func waitUntilBlocked(_ count: Int = 1) async { await state.wait { $0.blocked >= count } }

    /// As ``MemoryStorage/names()``.
    public func names() async throws -> Set<StorageName> { try await blocking { try $0.names() } }

    /// As ``MemoryStorage/read(_:)``.
    public func read(_ name: StorageName) async throws -> Data? { try await blocking { try $0.read(name) } }

    /// As ``MemoryStorage/write(_:to:)``.
    public func write(_ data: Data, to name: StorageName) async throws { try await blocking { try $0.write(data, to: name) } }

    /// As ``MemoryStorage/open(_:)``. Appends on the app's own thread never hang; those of the background do.
    public func open(_ name: StorageName) async throws -> any AppendableFile {
        try await blocking { [self] in File(storage: self, file: try $0.open(name)) }
    }

    private struct File: AppendableFile {
        let storage: StalledStorage
        let file: any AppendableFile

        func append(_ data: Data) throws { try file.append(data) }
        func appendInBackground(_ data: Data) async throws { try await storage.onOwnThread { try file.append(data) } }
    }

    /// As ``MemoryStorage/remove(_:)``.
    public func remove(_ name: StorageName) async throws { try await blocking { try $0.remove(name) } }

    /// As ``MemoryStorage/setAside(_:)``.
    public func setAside(_ name: StorageName) async throws { try await blocking { try $0.setAside(name) } }

    private func blocking<Value: Sendable>(_ body: @escaping @Sendable (MemoryStorage) throws -> Value) async throws -> Value {
        try await abandoning { [self] in try await onOwnThread { [storage] in try body(storage) } }
    }

    /// A separate thread: a blocked thread of a queue could be one that Swift's tasks need.
    private func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { caller in
            Thread.detachNewThread { [self] in
                hang()
                caller.resume(with: Result { try body() })
            }
        }
    }

    private func hang() {
        condition.withLock {
            guard state.withLock({ $0.isStalled }) else { return }
            state.withLock { $0.blocked += 1 }
            while state.withLock({ $0.isStalled }) { condition.wait() }
            state.withLock { $0.blocked -= 1 }
        }
    }
}
