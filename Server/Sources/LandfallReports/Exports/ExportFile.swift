// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore

/// A file under a temporary name, which gets its own name once all of it is on disk. Readers of the folder see whole files only.
struct ExportFile: ExportWriting {
    private let place: URL
    private let temporary: URL
    private let handle: FileHandle

    /// - Parameter isMade: the folder is made if it is not there.
    /// - Throws: ``ExportFileError``
    init(_ name: String, in folder: URL, isMade: Bool = true) throws(ExportFileError) {
        place = folder.appending(path: name)
        temporary = folder.appending(path: ".\(name).\(ProcessInfo.processInfo.processIdentifier).part")
        do {
            if isMade { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
            // The owner's group may read it: a loader seldom runs as the same user.
            try Data().write(to: temporary)
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: temporary.path)
            handle = try FileHandle(forWritingTo: temporary)
        } catch {
            throw ExportFileError(place, error)
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
            do {
                try handle.synchronize()
                try handle.close()
            } catch {
                throw ExportFileError(place, error)
            }
            guard rename(temporary.path, place.path) == 0 else {
                throw ExportFileError(place, reason: String(cString: strerror(errno)))
            }
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
