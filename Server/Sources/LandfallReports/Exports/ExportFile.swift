// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallStore

/// A file under a temporary name, which gets its own name once all of it is on disk. Readers of the folder see whole files only.
///
/// The temporary file is locked as long as its writer lives. So the next export knows what killed writers left, and deletes it.
struct ExportFile: ExportWriting {
    private static let ending = ".part"

    private let place: URL
    private let temporary: URL
    private let handle: FileHandle

    /// - Parameter isMade: the folder is made if it is not there.
    /// - Throws: ``ExportFileError``
    init(_ name: String, in folder: URL, isMade: Bool = true) throws(ExportFileError) {
        place = folder.appending(path: name)
        temporary = folder.appending(path: ".\(name).\(UUID().uuidString)\(Self.ending)")
        if isMade {
            do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch { throw ExportFileError(place, error) }
        }
        guard let descriptor = Self.locked(temporary.path) else { throw ExportFileError(place, reason: String(cString: strerror(errno))) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// - Returns: nil with `errno` if there can be no file.
    private static func locked(_ path: String) -> Int32? {
        while true {
            let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
            guard file >= 0 else { return nil }
            // The owner's group may read it: a loader seldom runs as the same user.
            fchmod(file, 0o640)
            flock(file, LOCK_EX)
            var facts = stat()
            // Another export may have deleted it before it was locked.
            if fstat(file, &facts) != 0 || facts.st_nlink > 0 { return file }
            close(file)
        }
    }

    /// Deletes what killed writers left in a folder.
    static func clear(_ folder: URL) {
        let beginnings = ExportTable.allCases.map { ".\($0.rawValue)-" } + [".manifest"]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
            guard name.hasSuffix(ending), beginnings.contains(where: name.hasPrefix) else { continue }
            let path = folder.appending(path: name).path, file = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard file >= 0 else { continue }
            if flock(file, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
            close(file)
        }
    }

    func append(_ part: [UInt8]) throws(ExportFileError) {
        do {
            try handle.write(contentsOf: part)
        } catch {
            throw ExportFileError(place, error)
        }
    }

    /// The disk may take its time: another thread waits for it.
    func finish() async throws {
        try await onThread { [handle, temporary, place] () throws(ExportFileError) in
            do { try handle.synchronize() } catch { throw ExportFileError(place, error) }
            // Before it is closed: it is locked until then.
            guard rename(temporary.path, place.path) == 0 else {
                throw ExportFileError(place, reason: String(cString: strerror(errno)))
            }
            try? handle.close()
            // The name too has to outlast a power cut: what is written is not written again. Not every share can do that.
            let folder = open(place.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard folder >= 0 else { return }
            fsync(folder)
            close(folder)
        }
    }

    /// Leaves nothing behind; an older file of that name stays.
    func discard() {
        try? handle.close()
        try? FileManager.default.removeItem(at: temporary)
    }
}

/// A file of an export is not written.
package struct ExportFileError: Error, Hashable, Sendable, CustomStringConvertible {
    let path: String
    let reason: String

    init(_ place: URL, reason: String) { (path, self.reason) = (place.path, reason) }

    init(_ place: URL, _ error: any Error) {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey].flatMap { $0 as? any Error }.map { $0 as NSError } ?? error as NSError
        self.init(place, reason: cause.domain == NSPOSIXErrorDomain ? String(cString: strerror(Int32(cause.code))) : error.localizedDescription)
    }

    package var description: String {
        "The file '\(path)' cannot be written (\(reason)). Name a folder with room that you may write to. Files that were complete before stay, and a second run writes all of them again."
    }
}
