// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The folder into which a store is copied, for as long as the copy takes. Removes what killed copies have left, also of files with another name:
/// the name of a backup may have its time.
///
/// Every copy shares a lock on the folder. Only a copy that has the lock alone removes files, because then no other copy is writing. The
/// copy itself is not locked, because on macOS such a lock keeps SQLite out. If the folder cannot be locked, nothing is removed; that
/// stops no copy, because each has another name.
struct CopyFolder {
    private static let mark = "landfall-", ending = ".partial"

    /// Where the copy is written before it gets its own name.
    let partial: String
    /// Negative if the folder cannot be opened.
    private let descriptor: Int32

    /// Does not wait.
    /// - Parameter path: of the file that the copy becomes.
    init(of path: String) {
        partial = "\(path).\(Self.mark)\(String(UInt64.random(in: .min ... .max), radix: 36))\(Self.ending)"
        let place = URL(filePath: path), folder = place.deletingLastPathComponent().path
        // Not inherited: a child process that outlives this process would keep the folder locked.
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { Self.clear(folder, of: place.lastPathComponent) }
        flock(descriptor, LOCK_SH | LOCK_NB)
    }

    func release() {
        guard descriptor >= 0 else { return }
        // A child process has a copy of the descriptor until it executes its program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Earlier releases named a copy by the process.
    private static func clear(_ folder: String, of name: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for file in names where file.hasSuffix(ending) {
            let parts = file.dropLast(ending.count).split(separator: ".", omittingEmptySubsequences: false), middle = parts.last ?? ""
            let isOfName = parts.dropLast().joined(separator: ".") == name
            let isOurs = parts.count > 1 && middle.hasPrefix(mark) || isOfName && !middle.isEmpty && middle.utf8.allSatisfy { (48...57).contains($0) }
            guard isOurs else { continue }
            StoreCopy.discard(folder + "/" + file)
        }
    }
}
