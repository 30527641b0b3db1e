// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import LandfallStore

/// A file under a temporary name, which gets its own name once all of it is on disk. Readers of the folder see whole files only.
struct ExportFile {
    private let place: URL
    private let temporary: URL
    private let handle: FileHandle
    private var hash = SHA256()
    private(set) var bytes: Int64 = 0

    /// - Parameter folder: is made if it is not there.
    /// - Throws: ``ExportFileError``
    init(_ name: String, in folder: URL) throws(ExportFileError) {
        place = folder.appending(path: name)
        temporary = folder.appending(path: ".\(name).\(ProcessInfo.processInfo.processIdentifier).part")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // The owner's group may read it: a loader seldom runs as the same user.
            try Data().write(to: temporary)
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: temporary.path)
            handle = try FileHandle(forWritingTo: temporary)
        } catch {
            throw ExportFileError(place, error)
        }
    }

    mutating func append(_ part: [UInt8]) throws(ExportFileError) {
        guard !part.isEmpty else { return }
        do {
            try handle.write(contentsOf: part)
        } catch {
            throw ExportFileError(place, error)
        }
        hash.update(data: part)
        bytes += Int64(part.count)
    }

    /// Replaces an older file of that name.
    /// - Returns: the SHA-256 of its bytes, as hexadecimal text.
    func finish() throws(ExportFileError) -> String {
        do {
            try handle.synchronize()
            try handle.close()
        } catch {
            throw ExportFileError(place, error)
        }
        guard rename(temporary.path, place.path) == 0 else {
            throw ExportFileError(place, reason: String(cString: strerror(errno)))
        }
        return Array(hash.finalize()).hexadecimal
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
