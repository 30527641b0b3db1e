// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallSQLite

extension Reach.Place {
    /// Opening a folder makes a store there. A command that only reads must not: its answer would be about an empty store, and
    /// a mistyped folder would stay.
    /// - Throws: ``StoreMissing`` for a folder without a store.
    func requireStore() throws {
        guard case .folder(let folder, _, _) = self, !FileManager.default.fileExists(atPath: folder.database) else { return }
        throw StoreMissing(folder: folder)
    }
}

struct StoreMissing: Error, CustomStringConvertible {
    let folder: StoreFolder

    var description: String {
        "'\(folder.path)' holds no store, and this command makes none. Name the folder of a server with --data, or a server elsewhere "
            + "with --server and --key. 'landfall serve --config landfall.yaml' makes a store, and 'landfall apply landfall.yaml' does."
    }
}
