// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The file of `--audit-log`, and beside it the small file that names the last line written.
///
/// Every call opens the file by its path: it may be renamed at any time, and the next lines go to a new one. Calls wait for the disk.
struct AuditFile: Sendable {
    let path: String

    /// Where the last line that was written is kept.
    var positionPath: String { path + ".position" }

    /// Appends whole lines in one write and syncs them. Creates the file, for its owner alone. Without lines it only opens the file.
    ///
    /// A write that fails leaves the file as it was. A line that a power cut tore is ended first, so that it spoils no other one.
    /// - Throws: if the file cannot be written, or is a link or not a regular file.
    func append(_ lines: [UInt8]) throws(AuditFileError) {
        let file = open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw AuditFileError(path) }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0 else { throw AuditFileError(path) }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw AuditFileError(path, reason: "It is not a regular file") }
        guard !lines.isEmpty else { return }

        var last = UInt8(ascii: "\n")
        if facts.st_size > 0, pread(file, &last, 1, facts.st_size - 1) != 1 { throw AuditFileError(path) }
        let bytes = last == UInt8(ascii: "\n") ? lines : [UInt8(ascii: "\n")] + lines
        let count = write(file, bytes, bytes.count)
        guard count == bytes.count else {
            let error = count < 0 ? AuditFileError(path) : AuditFileError(path, reason: "The disk took only a part of the lines")
            ftruncate(file, facts.st_size)
            throw error
        }
        guard fsync(file) == 0 else { throw AuditFileError(path) }
        // The name of a new file too has to outlast a power cut: the position says that its lines are written.
        if facts.st_size == 0 { syncFolder() }
    }

    /// The id of the last line that was written.
    /// - Returns: nil without a file of the position.
    /// - Throws: ``AuditFileError``; `isTorn` if the file has something else than an id.
    func position() throws(AuditFileError) -> String? {
        let file = open(positionPath, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw AuditFileError(positionPath)
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { throw AuditFileError(positionPath) }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        guard text.hasSuffix("\n"), Self.isID(text.dropLast()) else {
            throw AuditFileError(positionPath, reason: "It has no id", isTorn: true)
        }
        return String(text.dropLast())
    }

    /// Replaces the position: after a kill the old one or the new one is there.
    func store(position: String) throws(AuditFileError) {
        let fresh = positionPath + ".new"
        let file = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw AuditFileError(fresh) }
        defer { close(file) }
        let bytes = Array("\(position)\n".utf8), count = write(file, bytes, bytes.count)
        guard count < 0 || count == bytes.count else { throw AuditFileError(fresh, reason: "The disk took only a part of it") }
        guard count == bytes.count, fsync(file) == 0, rename(fresh, positionPath) == 0 else { throw AuditFileError(fresh) }
    }

    private func syncFolder() {
        let folder = open(URL(filePath: path).deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        // Not every share can do that.
        fsync(folder)
        close(folder)
    }

    private static func isID(_ text: Substring) -> Bool {
        text.utf8.count == 36
            && text.utf8.enumerated().allSatisfy { place, byte in
                [8, 13, 18, 23].contains(place)
                    ? byte == UInt8(ascii: "-")
                    : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }
}

/// The file of `--audit-log`, or its position, cannot be used.
struct AuditFileError: Error, Hashable, CustomStringConvertible {
    let path: String
    let reason: String
    /// Whether the file was read and has something else than an id.
    let isTorn: Bool

    init(_ path: String, reason: String = errno == ELOOP ? "It is a symbolic link" : String(cString: strerror(errno)), isTorn: Bool = false) {
        (self.path, self.reason, self.isTorn) = (path, reason, isTorn)
    }

    var description: String {
        "'\(path)' of --audit-log cannot be used: \(reason). It has to be in a folder that exists and that the server's user may write to."
    }
}
