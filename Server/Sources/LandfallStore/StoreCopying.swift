// SPDX-License-Identifier: Apache-2.0

/// A store that can copy itself while it is in use.
package protocol StoreCopying: Sendable {
    /// Writes a snapshot of the store into an SQLite file. The file appears only once it is complete: checked page by page, with a
    /// checksum, on disk, and accessible to this user only. The copy is not started if the disk has too little room. Writers are not
    /// blocked.
    /// - Parameters:
    ///   - path: an absolute path.
    ///   - isReplacing: true replaces an existing file; false refuses it.
    ///   - progress: called on any thread, with pages.
    /// - Returns: the size of the file in bytes.
    /// - Throws: ``StoreCopyError``, ``DatabaseError``, `CancellationError`.
    func copy(
        to path: String, isReplacing: Bool, progress: @escaping @Sendable (_ done: Int, _ all: Int) -> Void
    ) async throws -> Int64

    /// Reads a whole copy, and compares it with its checksum.
    /// - Returns: false if the copy has no checksum.
    /// - Throws: ``StoreCopyError``.
    func checkCopy(at path: String) async throws -> Bool
}

/// Why a copy of a store was not made, or not accepted.
package enum StoreCopyError: Error, Hashable, Sendable, CustomStringConvertible {
    case fileExists(String)
    case notWritten(path: String, reason: String)
    case notReadable(path: String, reason: String)
    /// The copy has the same damage as the store.
    case damaged(String)
    /// The copy was not started. Sizes in bytes.
    case noRoom(folder: String, needed: Int64, free: Int64)
    /// The backup's bytes have changed since it was written.
    case changed(path: String)

    package var description: String {
        switch self {
        case .fileExists(let path): "The file '\(path)' is there already. Name another one, or use --replace."
        case .notWritten(let path, let reason):
            "The file '\(path)' cannot be written (\(reason)). Choose a folder with room for the store that the server's user may write to."
        case .notReadable(let path, let reason):
            "The file '\(path)' is not a readable store (\(reason)). Name a file that 'landfall backup' made."
        case .damaged(let text):
            "The store is damaged (\(text)), so the copy was not kept. 'landfall doctor --store' says how far."
        case .noRoom(let folder, let needed, let free):
            "The copy needs \(Self.megabytes(needed, up: true)) MB on the disk of '\(folder)', and \(Self.megabytes(free, up: false)) MB are free there, so the copy was not started. Free some room, or choose a folder on another disk."
        case .changed(let path):
            "The backup '\(path)' is not as it was written: its checksum differs, or its end is missing. Use another backup, and look for what changed this one."
        }
    }

    private static func megabytes(_ bytes: Int64, up: Bool) -> Int64 { (bytes + (up ? 999_999 : 0)) / 1_000_000 }
}
