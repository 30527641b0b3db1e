// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The folder of an embedded store: its files, and who may read them.
public struct StoreFolder: Hashable, Sendable {
    /// Where a command looks that is told nothing else.
    public static let usual = "landfall-data"
    /// What the store's files begin with; no other file of the folder is touched.
    static let prefix = "landfall."

    public let path: String

    public init(_ path: String) { self.path = path.isEmpty ? "." : path }

    public var database: String { file("landfall.sqlite") }
    /// Held locked by the process that works on the store; see ``StoreLock``.
    public var lock: String { file("landfall.lock") }
    /// Where commands reach a server that works on the store; see ``StoreSocketPath``.
    public var socket: String { file(StoreSocketPath.name) }

    func file(_ name: String) -> String { path.hasSuffix("/") ? path + name : path + "/" + name }

    /// Makes the folder where it is missing, for this user alone. A folder that is there keeps its mode: somebody chose it.
    func make() throws {
        let parent = URL(filePath: path).standardizedFileURL.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        if mkdir(path, 0o700) == 0 {
            // The process's mask may have taken more, never less; 0700 is what the files need.
            _ = chmod(path, 0o700)
        } else if errno != EEXIST {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// Makes the database's file where it is missing. Before SQLite does: its companions get the mode of the file.
    func makeDatabase(_ path: String) {
        // Only a new file: closing a second descriptor of an open database would drop SQLite's locks on it.
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Takes from other users what they may do with the store's files. A file system that knows no modes changes nothing.
    func tighten() {
        for file in files where file.mode & 0o777 != 0o600 { _ = chmod(file.path, 0o600) }
    }

    /// The store's files, and the permissions of each.
    public var files: [(path: String, mode: UInt32)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasPrefix(Self.prefix) }.sorted().compactMap { name in
            let path = file(name)
            guard let mode = Self.mode(of: path), [S_IFREG, S_IFSOCK].contains(mode & S_IFMT) else { return nil }
            return (path, UInt32(mode & 0o777))
        }
    }

    /// Free part of the disk that holds the folder, 0…1.
    public var freeDiskShare: Double { FreeDisk.share(at: path) }

    /// The permissions of the folder; nil where it is missing.
    public var mode: UInt32? { Self.mode(of: path).map { UInt32($0 & 0o777) } }

    private static func mode(of path: String) -> mode_t? {
        var facts = stat()
        return stat(path, &facts) == 0 ? facts.st_mode : nil
    }
}
