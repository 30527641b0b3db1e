// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallSQLite

extension Reach.Place {
    /// Opening a folder creates a store there. A command that only reads must not do that: its answer would be about an empty store, and
    /// the folder of a mistyped path would remain.
    /// - Throws: ``StoreMissing`` for a folder without a store.
    func requireStore() throws {
        guard case .store(.folder(let folder), _, _) = self else { return }
        if folder.isClosed { throw FolderClosed(folder: folder) }
        guard !FileManager.default.fileExists(atPath: folder.database) else { return }
        throw StoreMissing(folder: folder)
    }
}

/// A folder that this user may not look into: whether it holds a store is not known.
struct FolderClosed: Error, CustomStringConvertible {
    static let advice = "Run the command as the folder's owner (sudo -u), or as root."

    let folder: StoreFolder

    var what: String { "This user may not read '\(folder.path)'\(folder.owner.map { ", which belongs to user \($0)" } ?? "")" }
    var description: String { "\(what). \(Self.advice)" }
}

struct StoreMissing: Error, CustomStringConvertible {
    let folder: StoreFolder

    var description: String {
        "'\(folder.path)' holds no store, and this command does not create one. Name the folder of a server with --data, or a server elsewhere "
            + "with --server and --key. 'landfall serve --config landfall.yaml' makes a store, and 'landfall apply landfall.yaml' does."
    }
}

/// The database of a URL has no tables yet.
struct DatabaseEmpty: Error, CustomStringConvertible {
    let description =
        "The database holds no store, and this command does not create one. 'landfall serve --database URL --config landfall.yaml' makes one."
}
