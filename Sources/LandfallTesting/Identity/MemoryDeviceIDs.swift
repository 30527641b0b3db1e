// SPDX-License-Identifier: Apache-2.0
public import Landfall

/// A keychain in memory. Keep it with a new storage to test a reinstall. Replace it and keep the storage to test a restored
/// copy.
public final class MemoryDeviceIDs: DeviceIDStore, Sendable {
    /// The device has not been unlocked since it was started.
    public struct Locked: Error, Hashable, Sendable {}

    private struct State: Sendable {
        var id: String?
        var isLocked = false
    }

    private let state: Watched<State>

    /// - Parameter id: the stored id; nil as on a device that never had the app.
    public init(_ id: String? = nil) { state = Watched(State(id: id)) }

    /// The stored id.
    public var id: String? { state.withLock { $0.id } }

    /// When true, every call throws ``Locked``. Default false.
    public var isLocked: Bool {
        get { state.withLock { $0.isLocked } }
        set { state.withLock { $0.isLocked = newValue } }
    }

    /// The stored id, or nil.
    /// - Throws: ``Locked``.
    public func read() async throws -> String? {
        try state.withLock { state in
            if state.isLocked { throw Locked() }
            return state.id
        }
    }

    /// Stores the id in place of any other.
    /// - Throws: ``Locked``.
    public func write(_ id: String) async throws {
        try state.withLock { state in
            if state.isLocked { throw Locked() }
            state.id = id
        }
    }
}
