// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore

extension BackupFile {
    /// Makes a backup of rows that come from elsewhere. The file appears only once it is complete, checked and on disk.
    /// - Parameters:
    ///   - path: an absolute path.
    ///   - filling: writes the rows.
    /// - Returns: its size in bytes.
    /// - Throws: ``LandfallStore/StoreCopyError``, what the closure throws.
    package static func make(at path: String, isReplacing: Bool, filling: (SQLiteSession) throws -> Void) throws -> Int64 {
        if !isReplacing, FileManager.default.fileExists(atPath: path) { throw StoreCopyError.fileExists(path) }
        let folder = CopyFolder(of: path)
        defer { folder.release() }
        let copy = try StoreCopy(at: folder.partial)
        do {
            try copy.fill(filling)
            try BackupFile(copy.path).seal()
            let bytes = StoreCopy.size(of: copy.path)
            try copy.move(to: path, isReplacing: isReplacing)
            return bytes
        } catch {
            copy.discard()
            throw error
        }
    }
}
