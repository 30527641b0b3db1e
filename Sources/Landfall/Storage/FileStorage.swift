// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
public import Foundation

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The live storage: files in one directory. The directory is created when it is first needed and is not backed up. Its files can
/// be read from the first unlock after a start of the device.
///
/// The first process (or `FileStorage`) that uses the directory owns it until it ends or calls ``close()``. For all others each
/// call throws ``StorageUnavailable/inUse(directory:)``: at once, except that the first call waits a second if the owner is another
/// `FileStorage` of this process, which may be ending. Do not choose a directory in an app group: iOS ends a suspended app that
/// holds a lock there. Callable from any thread; `init` uses no file.
///
/// Only regular files of at most 32 MiB are read. Something else in the place of a file is set aside.
public final class FileStorage: Storage {
    private let directory: URL
    private let isForbidden: Bool
    /// In bytes. The SDK's own files are much smaller.
    static let largestFile = 32 << 20

    /// How long the first call waits for another owner of this process to end, in seconds.
    private let patience: TimeInterval
    /// A separate queue, because a disk may hang. It runs one call after the other.
    private let queue = DispatchQueue(label: "landfall.files", qos: .userInitiated)
    /// Only used on the queue.
    private let ownership = Locked(Ownership.unknown)

    private enum Ownership {
        case unknown
        /// This storage owns the directory as long as this file is open.
        case ours(OpenFile)
        /// Another owner did not end in time.
        case refused
    }

    /// - Parameter directory: a directory that nothing else uses. In an app extension the default one cannot be used
    ///   (``StorageUnavailable/appExtension``).
    public convenience init(directory: URL = FileStorage.defaultDirectory) {
        let isExtension = Bundle.main.bundleURL.pathExtension == "appex"
        self.init(directory: directory, isForbidden: isExtension && directory == Self.defaultDirectory)
    }

    init(directory: URL, isForbidden: Bool, patience: TimeInterval = 1) {
        self.directory = directory
        self.isForbidden = isForbidden
        self.patience = patience
    }

    /// `landfall` in the user's application support directory.
    public static var defaultDirectory: URL {
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        return (support ?? FileManager.default.temporaryDirectory).appendingPathComponent("landfall", isDirectory: true)
    }

    public func names() async throws -> Set<StorageName> {
        try await onDisk {
            Set(try FileManager.default.contentsOfDirectory(atPath: $0.directory.path).map(StorageName.init(rawValue:)))
        }
    }

    public func read(_ name: StorageName) async throws -> Data? {
        try await onDisk { storage in
            let path = storage.path(of: name)
            let file: OpenFile
            do {
                // Without waiting for somebody who writes into a pipe.
                file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
            } catch let failure as StorageFailure where failure.code == ENOENT {
                return nil
            } catch let failure as StorageFailure where [ELOOP, ENXIO, ENODEV].contains(failure.code) {
                throw StrangeFile(path: path, what: "is a link to itself, a socket or a device")
            }
            return try file.readToEnd(path, atMost: Self.largestFile)
        }
    }

    public func write(_ data: Data, to name: StorageName) async throws {
        let isPrecious = [.install, .profile].contains(name)
        try await onDisk { storage in
            let path = storage.path(of: name), temporary = path + ".new"
            do {
                let flags = O_WRONLY | O_CREAT | O_EXCL
                let file: OpenFile
                do { file = try OpenFile(temporary, flags) } catch {
                    // A kill has left it, or it is something else.
                    try Self.delete(temporary)
                    file = try OpenFile(temporary, flags)
                }
                try file.write(data)
                // Losing the other files to a power cut costs a request. Losing these makes a new install, or forgets an opt-out.
                if isPrecious { try file.sync() }
                if rename(temporary, path) != 0 {
                    guard errno == EISDIR else { throw StorageFailure("replace", path) }
                    try Self.moveAside(path)
                    if rename(temporary, path) != 0 { throw StorageFailure("replace", path) }
                }
            } catch {
                unlink(temporary)
                throw error
            }
            if isPrecious { try OpenFile(storage.directory.path, O_RDONLY).sync() }
        }
    }

    public func open(_ name: StorageName) async throws -> any AppendableFile {
        try await onDisk { storage in
            AppendedFile(
                file: try OpenFile(storage.path(of: name), O_WRONLY | O_CREAT | O_APPEND), queue: storage.queue)
        }
    }

    private struct AppendedFile: AppendableFile {
        let file: OpenFile
        let queue: DispatchQueue

        func append(_ data: Data) throws { try file.append(data) }

        func appendInBackground(_ data: Data) async throws {
            try await withCheckedThrowingContinuation { (caller: CheckedContinuation<Void, any Error>) in
                queue.async { caller.resume(with: Result { try file.append(data) }) }
            }
        }
    }

    public func remove(_ name: StorageName) async throws {
        try await onDisk { storage in
            try Self.delete(storage.path(of: name))
        }
    }

    /// The copy is called `<name>.broken` and replaces an earlier one.
    public func setAside(_ name: StorageName) async throws {
        try await onDisk { storage in
            try Self.moveAside(storage.path(of: name))
        }
    }

    private static func moveAside(_ path: String) throws {
        let aside = path + ".broken"
        if rename(path, aside) == 0 || errno == ENOENT { return }
        // An earlier one of another kind: a folder.
        try delete(aside)
        if rename(path, aside) != 0 { throw StorageFailure("set aside", path) }
    }

    /// Deletes a file, or a folder with all its files, if there is one.
    private static func delete(_ path: String) throws {
        if unlink(path) == 0 || errno == ENOENT { return }
        let code = errno
        do { try FileManager.default.removeItem(atPath: path) } catch { throw StorageFailure("remove", path, code: code) }
    }

    /// Leaves the directory to another process or client, after all earlier calls are done.
    public func close() async {
        await withCheckedContinuation { caller in
            queue.async { [ownership] in
                ownership.withLock { $0 = .unknown }
                caller.resume()
            }
        }
    }

    private func path(of name: StorageName) -> String { directory.appendingPathComponent(name.rawValue).path }

    private func onDisk<Value: Sendable>(_ body: @escaping @Sendable (FileStorage) throws -> Value) async throws -> Value {
        // Released before the caller continues, because the last reference to this storage keeps the ownership of the directory.
        let hand = Locked<FileStorage?>(self)
        return try await abandoning { [queue] in
            try await withCheckedThrowingContinuation { caller in
                queue.async {
                    let result = Result<Value, any Error> {
                        guard let storage = hand.withLock({ $0 }) else { throw CancellationError() }
                        hand.withLock { $0 = nil }
                        try storage.own()
                        return try body(storage)
                    }
                    caller.resume(with: result)
                }
            }
        }
    }
}

// MARK: Ownership

extension FileStorage {
    private func own() throws {
        if isForbidden { throw StorageUnavailable.appExtension }
        let before = ownership.withLock(\.self)
        if case .ours = before { return }
        try makeDirectory()
        let path = directory.appendingPathComponent("lock").path
        let lock = try OpenFile(path, O_RDWR | O_CREAT)
        let us = "\(ProcessInfo.processInfo.processIdentifier)"
        // An owner of this process that is ending may still be writing. This waits in real time, which is allowed on the disk's own
        // thread. An owner that has just come has not written its number yet: two looks tell.
        var waited = 0.0
        while !lock.lockIfFree() {
            let isOurs = (try? OpenFile(path, O_RDONLY).readToEnd(path, atMost: 64)) == Data(us.utf8)
            let patience = if case .refused = before { 0.0 } else { isOurs ? self.patience : 0.01 }
            guard waited < patience else {
                ownership.withLock { $0 = .refused }
                throw StorageUnavailable.inUse(directory: directory.path)
            }
            waited += 0.01
            Thread.sleep(forTimeInterval: 0.01)
        }
        lock.put(us)
        ownership.withLock { $0 = .ours(lock) }
    }

    private func makeDirectory() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        // Files inherit it: a background launch after the first unlock can read them although the device is locked again.
        try FileManager.default.setAttributes(
            [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: directory.path
        )
        #endif
        #if canImport(Darwin)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        var directory = directory
        try directory.setResourceValues(values)
        #endif
    }
}
