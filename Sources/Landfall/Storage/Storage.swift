// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The SDK's own files, a few kilobytes each. The live one is ``FileStorage``.
///
/// Every call except an append is asynchronous and may take as long as a disk takes: no caller of the SDK waits for it, and the
/// SDK holds no lock meanwhile. A call that blocks must block a separate thread, never a thread of Swift's tasks. If its task is
/// cancelled, the call ends at once, and the disk's work continues without it. The SDK makes one call after the other; only
/// appends come from any thread at any time.
public protocol Storage: Sendable {
    /// The files that exist.
    /// - Throws: ``StorageUnavailable`` if this client may not use the files. After any other error the SDK tries again. The same
    ///   is true for all calls below.
    func names() async throws -> Set<StorageName>
    /// nil when there is no such file *for certain*.
    /// - Throws: any other outcome (a file protected on a locked device, for example): the SDK waits and writes nothing.
    func read(_ name: StorageName) async throws -> Data?
    /// Replaces the file as a whole: after a kill at any instant there is the old content or the new.
    func write(_ data: Data, to name: StorageName) async throws
    /// Opens a file, and creates it if it is missing. It stays open as long as the returned value exists.
    func open(_ name: StorageName) async throws -> any AppendableFile
    /// Removes the file, if there is one. Code that has the file open may still append to it, but nobody can read that.
    func remove(_ name: StorageName) async throws
    /// Keeps a copy of a file that cannot be read, under a name of its own, and removes the original.
    func setAside(_ name: StorageName) async throws
    /// A client has ended and leaves the files to the next one. A later call takes the files again. Default: does nothing.
    func close() async
}

extension Storage {
    public func close() async {}
}

/// An open file. ``append(_:)`` is the only call of a storage that runs on the app's own threads, including the main thread.
public protocol AppendableFile: Sendable {
    /// Adds the data to the end of the file. After it has returned, a kill of the process loses nothing. If it throws, a part of
    /// the data may be in the file, and later appends follow that part. One write(2) of usually less than 8 KiB: it takes no lock
    /// and waits for no other call.
    func append(_ data: Data) throws
    /// As ``append(_:)``, for tasks: up to 4 MiB, on a thread that may block. The SDK makes such calls one at a time for each file.
    /// Default: calls ``append(_:)``, for a file that blocks nobody.
    func appendInBackground(_ data: Data) async throws
}

extension AppendableFile {
    public func appendInBackground(_ data: Data) async throws { try append(data) }
}

/// The name of one of the SDK's files.
public struct StorageName: Hashable, Sendable, RawRepresentable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A copy of a file that could not be understood, or a file that was being written when the process ended.
    var isLeftOver: Bool { rawValue.hasSuffix(".broken") || rawValue.hasSuffix(".new") }

    /// Install id and secret.
    public static let install = StorageName(rawValue: "install.json")
    /// Profile, attribution and collection mode as last known.
    public static let profile = StorageName(rawValue: "profile.json")
    /// Paywalls as last answered.
    public static let paywalls = StorageName(rawValue: "paywalls.json")
    /// The assignments of experiments, and which decisions were reported.
    public static let experiments = StorageName(rawValue: "experiments.json")
    /// What the server says of the brand domains' links.
    public static let linkRules = StorageName(rawValue: "link-rules.json")
    /// Which of the store's transactions the server has.
    public static let purchases = StorageName(rawValue: "purchases.json")
    /// What the app has offered for sale, and which exposure led to it.
    public static let sales = StorageName(rawValue: "sales.json")
    /// What waits to be sent, one JSON object a line. New items are first appended to a numbered file beside it
    /// (`outbox-7.jsonl`), a new one for each launch, and are moved here later.
    public static let outbox = StorageName(rawValue: "outbox.jsonl")
}

/// Why a client cannot use the files. This stays so until the app, or another process, does something else.
public enum StorageUnavailable: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another process, or another client of this process, has the directory. It is free when that one has ended.
    case inUse(directory: String)
    /// An app extension has no files of the app: a client with files of its own would count as another installation.
    case appExtension

    public var description: String {
        switch self {
        case .inUse(let directory):
            "Another process or another client uses \(directory), and only one can use a directory at a time. Make one client per "
                + "app and keep it; give a second process a directory of its own with FileStorage(directory:)."
        case .appExtension:
            "This is an app extension: the app's files are not its own. Let the app itself use Landfall, and hand links and "
                + "events over to it; or give the extension FileStorage(directory:), and it counts as an installation of its own."
        }
    }
}
