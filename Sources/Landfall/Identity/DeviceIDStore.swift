// SPDX-License-Identifier: Apache-2.0
/// Keeps one random id only on this device, outside the app's files: the keychain, in LandfallApple.
///
/// Files without this id are a restored copy; this id without the files is a reinstall.
public protocol DeviceIDStore: Sendable {
    /// The stored id, or nil if there is *certainly* none.
    /// - Throws: ``DeviceIDUnavailable`` for a lasting error: the SDK continues without a device id. After any other error (a
    ///   locked device, for example) the SDK waits and never makes a new id.
    func read() async throws -> String?
    /// Stores the id, replacing any other.
    /// - Throws: as ``read()``.
    func write(_ id: String) async throws
}

/// This app has no place for a device id, and waiting would not change that: an entitlement is missing, for example.
public struct DeviceIDUnavailable: Error, Hashable, Sendable, CustomStringConvertible {
    /// The platform's error, and what to do.
    public let reason: String

    public init(_ reason: String) { self.reason = reason }

    public var description: String {
        "There is no device id: \(reason.asSentence) The SDK goes on without one, and does not recognise reinstalls or restored copies."
    }
}
