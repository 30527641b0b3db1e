// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The SDK's own files, a few kilobytes each. The live one is ``FileStorage``.
///
/// Everything but an append is asynchronous and may take as long as a disk takes: no caller of the SDK waits for it, and no
/// lock is held around it. What blocks does so on a thread of its own, never on one of Swift's, and a call whose task is
/// cancelled ends at once and leaves the disk's work to itself. The SDK asks for one thing after the other, but for appends,
/// which come from any thread at any time.
public protocol Storage: Sendable {
    /// The files that exist.
    /// - Throws: ``StorageUnavailable`` where the files are not this process's; any other error: the SDK tries again. So for
    ///   all below.
    func names() async throws -> Set<StorageName>
    /// nil when there is no such file *for certain*.
    /// - Throws: any other outcome (a file protected on a locked device, for example): the SDK waits and writes nothing.
    func read(_ name: StorageName) async throws -> Data?
    /// Replaces the file as a whole: after a kill at any instant there is the old content or the new.
    func write(_ data: Data, to name: StorageName) async throws
    /// Opens a file, which is made where it is missing, for as long as the answer is kept.
    func open(_ name: StorageName) async throws -> any AppendableFile
    /// Removes the file; nothing happens where there is none. What has it open may still append, to nobody's use.
    func remove(_ name: StorageName) async throws
    /// Keeps a copy of a file that cannot be read, under a name of its own, and removes the original.
    func setAside(_ name: StorageName) async throws
    /// A client has ended and leaves the files to the next one; a call after this begins anew. Default: does nothing.
    func close() async
}

extension Storage {
    public func close() async {}
}

/// A file that is open. The only part of a storage that runs on an app's own thread, the main thread too.
public protocol AppendableFile: Sendable {
    /// Adds to the end, all or a part that the next append does not touch; once it has returned, a kill of the process loses
    /// nothing. One write(2) of usually less than 8 KiB: it takes no lock and waits for no other call.
    func append(_ data: Data) throws
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
    /// The assignments of experiments, and which decisions were reported.
    public static let experiments = StorageName(rawValue: "experiments.json")
    /// What waits to be sent, one JSON object a line. What is accepted is appended to numbered files beside it
    /// (`outbox-7.jsonl`), a new one for each launch, and moved here later.
    public static let outbox = StorageName(rawValue: "outbox.jsonl")
}

/// These files are not this process's, and will not be while it goes on like this.
public enum StorageUnavailable: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another process, or another client of this one, has the directory. It is free once that has ended.
    case inUse(directory: String)
    /// An app extension has no files of the app: a client with files of its own would count as another installation.
    case appExtension

    public var description: String {
        switch self {
        case .inUse(let directory):
            "Another process or another client works in \(directory), and one has a directory at a time. Make one client per "
                + "app and keep it; give a second process a directory of its own with FileStorage(directory:)."
        case .appExtension:
            "This is an app extension: the app's files are not its own. Let the app itself use Landfall, and hand links and "
                + "events over to it; or give the extension FileStorage(directory:), and it counts as an installation of its own."
        }
    }
}
