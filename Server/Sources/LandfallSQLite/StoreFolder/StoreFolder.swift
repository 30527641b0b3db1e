// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The folder of an embedded store: its files, and their permissions.
package struct StoreFolder: Hashable, Sendable {
    /// The folder that a command uses by default.
    package static let usual = "landfall-data"
    /// The prefix of the store's files; no other file of the folder is touched.
    static let prefix = "landfall."

    package let path: String

    package init(_ path: String) { self.path = path.isEmpty ? "." : path }

    package var database: String { file("landfall.sqlite") }
    /// Locked by the process that uses the store; see ``StoreLock``.
    var lock: String { file("landfall.lock") }
    /// The copy of a backup until it is the store; left there if a restore is killed.
    var restoring: String { file("landfall.restoring") }
    /// The socket on which commands reach the server of this store; see ``StoreSocketPath``.
    package var socket: String { file(StoreSocketPath.name) }

    package func file(_ name: String) -> String { path.hasSuffix("/") ? path + name : path + "/" + name }

    /// Creates the folder if it is missing, for this user only. An existing folder keeps the mode that somebody chose.
    func make() throws {
        let parent = URL(filePath: path).standardizedFileURL.deletingLastPathComponent()
        var new = [parent]
        while let last = new.last, last.path != "/", access(last.path, F_OK) != 0 { new.append(last.deletingLastPathComponent()) }
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        if mkdir(path, 0o700) == 0 {
            // The process's umask can only have removed permissions; the files need 0700.
            _ = chmod(path, 0o700)
            // SQLite syncs the names of its files, not that of the folder: without it, a power cut soon after takes all that was answered.
            // Not every file system syncs folders; then the store begins all the same.
            for folder in new { try? StoreCopy.sync(folder.path) }
        } else if errno != EEXIST {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// Creates the database file if it is missing, before SQLite does: SQLite gives its other files the same mode.
    func makeDatabase(_ path: String) {
        // Only a new file: closing a second descriptor of an open database would release SQLite's locks on it.
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        adopt(descriptor)
        close(descriptor)
    }

    /// Removes other users' access to the store's files. Does nothing on a file system without modes.
    func tighten() {
        for file in files where file.mode & 0o777 != 0o600 { _ = chmod(file.path, 0o600) }
    }

    /// The store's files, and the permissions of each.
    package var files: [(path: String, mode: UInt32)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasPrefix(Self.prefix) }.sorted().compactMap { name in
            let path = file(name)
            guard let mode = Self.mode(of: path), [S_IFREG, S_IFSOCK].contains(mode & S_IFMT) else { return nil }
            return (path, UInt32(mode & 0o777))
        }
    }

    /// The free share of the disk that holds the folder, 0…1.
    package var freeDiskShare: Double { FreeDisk.share(at: path) }

    /// The permissions of the folder; nil if it is missing.
    package var mode: UInt32? { Self.mode(of: path).map { UInt32($0 & 0o777) } }

    private static func mode(of path: String) -> mode_t? {
        var facts = stat()
        return stat(path, &facts) == 0 ? facts.st_mode : nil
    }
}
