// SPDX-License-Identifier: Apache-2.0
import Foundation
import SystemCalls

/// A file system of a few megabytes in memory that a test can fill to the last byte. It is gone with this value, and with the
/// process. Mounted where this process sees it, so that SQLite opens it as any other: root alone may do that.
final class OwnDisk {
    private let process: SpawnedProcess
    private let ended = DispatchSemaphore(value: 0)
    private let life = Pipe()
    private let folder: URL

    var path: String { folder.path }

    /// - Throws: if this user may not mount a file system.
    init(megabytes: Int) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "landfall-disk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Ends when the other end of its input is closed.
        let script = #"mount -t tmpfs -o size=\#(megabytes)m tmpfs "$0" && echo && cat && umount -l "$0"; rmdir "$0""#
        process = try SpawnedProcess(
            ["/bin/sh", "-c", script, folder.path], input: life.fileHandleForReading, onEnd: { [ended] in ended.signal() })
        guard process.output.availableData.count > 0 else { throw CocoaError(.featureUnsupported) }
    }

    deinit {
        try? life.fileHandleForWriting.close()
        ended.wait()
    }

    static let isAvailable = (try? OwnDisk(megabytes: 1)) != nil

    /// Writes until there is no room, then frees that many bytes.
    func fill(leaving room: Int) throws {
        let descriptor = open(path + "/ballast", O_CREAT | O_WRONLY | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        defer { close(descriptor) }
        let block = [UInt8](repeating: 1, count: 4_096)
        var length = 0
        while case let written = write(descriptor, block, block.count), written > 0 { length += written }
        guard errno == ENOSPC, ftruncate(descriptor, off_t(max(0, length - room))) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    func empty() throws { try FileManager.default.removeItem(atPath: path + "/ballast") }
}
