// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The SDK's own files, a few kilobytes each. The live one is ``FileStorage``.
///
/// Calls are synchronous and quick; the SDK makes them off the main thread, but for `append` of at most 8 KiB.
public protocol Storage: Sendable {
    /// nil when there is no such file *for certain*.
    /// - Throws: any other outcome (a file protected on a locked device, for example): the SDK waits and writes nothing.
    func read(_ name: StorageName) throws -> Data?
    /// Replaces the file as a whole: after a kill at any instant there is the old content or the new.
    func write(_ data: Data, to name: StorageName) throws
    /// Adds to the end; survives a kill of the process once it has returned.
    func append(_ data: Data, to name: StorageName) throws
    func remove(_ name: StorageName) throws
    /// Keeps a copy of a file that cannot be read, under a name of its own, and removes the original.
    func setAside(_ name: StorageName) throws
    /// False where another process owns the directory: then only `append` is allowed.
    var isOwner: Bool { get }
}

/// The files that exist.
public struct StorageName: Hashable, Sendable, RawRepresentable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Install id and secret.
    public static let install = StorageName(rawValue: "install.json")
    /// Profile, attribution and collection mode as last known.
    public static let profile = StorageName(rawValue: "profile.json")
    /// Paywalls as last answered.
    public static let paywalls = StorageName(rawValue: "paywalls.json")
    /// What waits to be sent, one JSON object a line, appended.
    public static let outbox = StorageName(rawValue: "outbox.jsonl")
}
