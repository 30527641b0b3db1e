// SPDX-License-Identifier: Apache-2.0
/// Keeps one random id on this device only, outside the app's files: the keychain, in LandfallApple.
///
/// A file without this partner is a restored copy; this id without the file is a reinstall.
public protocol DeviceIDStore: Sendable {
    /// The stored id, or nil when there is none *for certain*.
    /// - Throws: ``DeviceIDUnavailable`` where it will not get better: the SDK goes on without a device id. Any other error (a
    ///   locked device, for example): the SDK waits and never makes a new id.
    func read() async throws -> String?
    /// Stores the id, replacing what is there.
    /// - Throws: as ``read()``.
    func write(_ id: String) async throws
}

/// This app has no place for a device id, and waiting would change nothing: an entitlement is missing, for example.
public struct DeviceIDUnavailable: Error, Hashable, Sendable, CustomStringConvertible {
    /// What the place said, and what to do.
    public let reason: String

    public init(_ reason: String) { self.reason = reason }

    public var description: String {
        "There is no device id: \(reason) The SDK goes on without one, and recognises neither reinstalls nor restored copies."
    }
}
