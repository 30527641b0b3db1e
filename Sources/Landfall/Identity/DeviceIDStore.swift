// SPDX-License-Identifier: Apache-2.0
/// Keeps one random id on this device only, outside the app's files: the keychain, in LandfallApple.
///
/// A file without this partner is a restored copy; this id without the file is a reinstall.
public protocol DeviceIDStore: Sendable {
    /// The stored id, or nil when there is none *for certain*.
    /// - Throws: any other outcome (a locked device, for example). The SDK then waits and never makes a new id.
    func read() async throws -> String?
    /// Stores the id, replacing what is there.
    func write(_ id: String) async throws
}
