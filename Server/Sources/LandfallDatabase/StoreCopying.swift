// SPDX-License-Identifier: Apache-2.0

/// A store that can copy itself while it is written to.
public protocol StoreCopying: Sendable {
    /// Writes the store as it is at one moment into a file of SQLite. The file is there only once it is whole: checked page by page,
    /// on disk, and for this user alone. Writers are not held up.
    /// - Parameters:
    ///   - path: from the root.
    ///   - isReplacing: true takes the place of a file that is there; false refuses it.
    ///   - progress: called on any thread, with pages.
    /// - Returns: how many bytes it has.
    /// - Throws: ``StoreCopyError``, ``DatabaseError``, `CancellationError`.
    func copy(
        to path: String, isReplacing: Bool, progress: @escaping @Sendable (_ done: Int, _ all: Int) -> Void
    ) async throws -> Int64
}

/// Why a copy of a store was not made, or not taken over.
public enum StoreCopyError: Error, Hashable, Sendable, CustomStringConvertible {
    case fileExists(String)
    case notWritten(path: String, reason: String)
    case notReadable(path: String, reason: String)
    /// The copy is as damaged as what it was made from.
    case damaged(String)

    public var description: String {
        switch self {
        case .fileExists(let path): "The file '\(path)' is there already. Name another one, or use --replace."
        case .notWritten(let path, let reason):
            "The file '\(path)' cannot be written (\(reason)). Choose a folder that the user of the server may write, with room for the whole store."
        case .notReadable(let path, let reason):
            "The file '\(path)' is no store that can be read (\(reason)). Name a file that 'landfall backup' has made."
        case .damaged(let text):
            "The store is damaged (\(text)), so the copy was not kept. 'landfall doctor --store' says how far."
        }
    }
}
