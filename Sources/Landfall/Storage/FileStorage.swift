// SPDX-License-Identifier: Apache-2.0
public import Foundation

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The live storage: files in one directory, which is made when it is first needed, is not backed up, and is readable from
/// the first unlock after a start of the device.
///
/// The first process (or `FileStorage`) that uses the directory owns it until it ends; nobody ever waits for it. Everybody
/// else appends to files of their own, which the next owner adopts. Callable from any thread; `init` touches no disk.
public final class FileStorage: Storage {
    private let directory: URL
    private let ownership = Locked<OpenFile?>(nil)
    private let writing = Locked(())
    /// A lock of its own: an append, which may come from the main thread, must not wait while another file is replaced.
    private let appending = Locked<[StorageName: Appender]>([:])

    private struct Appender {
        let file: OpenFile
        let isShared: Bool
    }

    public init(directory: URL = FileStorage.defaultDirectory) { self.directory = directory }

    /// `landfall` in the user's application support directory.
    public static var defaultDirectory: URL {
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        return (support ?? FileManager.default.temporaryDirectory).appendingPathComponent("landfall", isDirectory: true)
    }

    /// True from the moment at which nobody else owns the directory. Once true, it stays true.
    public var isOwner: Bool { (try? becomeOwner()) ?? false }

    public func read(_ name: StorageName) throws -> Data? {
        _ = try becomeOwner()
        do {
            return try OpenFile(path(of: name), O_RDONLY).readToEnd()
        } catch let failure as StorageFailure where failure.operation == "open" && failure.code == ENOENT {
            return nil
        }
    }

    public func write(_ data: Data, to name: StorageName) throws {
        try requireOwner(name)
        try writing.withLock { _ in
            let path = path(of: name), temporary = path + ".new"
            do {
                let file = try OpenFile(temporary, O_WRONLY | O_CREAT | O_TRUNC)
                try file.write(data)
                // Losing the other files to a power cut costs a request; losing the install id makes a new install.
                if name == .install { try file.sync() }
                try appending.withLock { appenders in
                    if rename(temporary, path) != 0 { throw StorageFailure("replace", path) }
                    // The open descriptor still means the file that was replaced.
                    if appenders.removeValue(forKey: name) != nil { appenders[name] = try owningAppender(name) }
                }
            } catch {
                unlink(temporary)
                throw error
            }
            if name == .install { try OpenFile(directory.path, O_RDONLY).sync() }
        }
    }

    public func append(_ data: Data, to name: StorageName) throws {
        let isOwner = try becomeOwner()
        try appending.withLock { appenders in
            if let open = appenders[name], open.isShared != isOwner { return try open.file.append(data) }
            let appender = try isOwner ? owningAppender(name) : Appender(file: ownFile(for: name), isShared: true)
            appenders[name] = appender
            try appender.file.append(data)
        }
    }

    public func remove(_ name: StorageName) throws {
        try requireOwner(name)
        try appending.withLock { appenders in
            appenders[name] = nil
            if unlink(path(of: name)) != 0 && errno != ENOENT { throw StorageFailure("remove", path(of: name)) }
        }
    }

    /// The copy is called `<name>.broken` and replaces an earlier one.
    public func setAside(_ name: StorageName) throws {
        try requireOwner(name)
        try appending.withLock { appenders in
            appenders[name] = nil
            let path = path(of: name)
            if rename(path, path + ".broken") != 0 && errno != ENOENT { throw StorageFailure("set aside", path) }
        }
    }

    private func path(of name: StorageName) -> String { directory.appendingPathComponent(name.rawValue).path }

    private func owningAppender(_ name: StorageName) throws -> Appender {
        Appender(file: try OpenFile(path(of: name), O_WRONLY | O_CREAT | O_APPEND), isShared: false)
    }
}

// MARK: Ownership

extension FileStorage {
    private func requireOwner(_ name: StorageName) throws {
        if try !becomeOwner() { throw StorageFailure.notOwner(name) }
    }

    private func becomeOwner() throws -> Bool {
        try ownership.withLock { owned in
            if owned != nil { return true }
            try makeDirectory()
            let lock = try OpenFile(directory.appendingPathComponent("lock").path, O_RDWR | O_CREAT)
            guard lock.lockIfFree() else { return false }
            appending.withLock { $0 = [:] }
            try adoptAppendedFiles()
            owned = lock
            return true
        }
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

// MARK: What others append

extension FileStorage {
    private static let infix = ".from-"

    /// A file that this process alone appends to and keeps locked, so that an owner adopts it only when this process is gone.
    private func ownFile(for name: StorageName) throws -> OpenFile {
        while true {
            let path = path(of: name) + Self.infix + UUID().uuidString.lowercased()
            let file = try OpenFile(path, O_WRONLY | O_CREAT | O_APPEND)
            // An owner may have adopted the empty file between these two calls; then it is a file without a name.
            if file.lockIfFree() && file.hasName { return file }
        }
    }

    private func adoptAppendedFiles() throws {
        for entry in try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() {
            guard let infix = entry.range(of: Self.infix) else { continue }
            let path = directory.appendingPathComponent(entry).path
            let file = try OpenFile(path, O_RDONLY)
            guard file.lockIfFree() else { continue }
            // A kill between append and unlink makes the lines come twice; each carries its own key. The line break first,
            // because the last line of either file may be half written.
            let name = StorageName(rawValue: String(entry[..<infix.lowerBound]))
            try owningAppender(name).file.append(Data("\n".utf8) + file.readToEnd())
            unlink(path)
        }
    }
}
