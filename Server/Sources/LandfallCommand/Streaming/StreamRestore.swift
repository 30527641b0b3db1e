// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallSQLite
import LandfallServer
import LandfallStore

/// Makes a backup of the latest state that a stream has.
struct StreamRestore {
    let place: any StreamPlace

    struct Fetched {
        /// What was committed before is in it.
        let atMs: Int64
        let segments: Int64
    }

    /// - Parameter file: does not exist yet.
    func fetch(into file: String) async throws -> Fetched {
        let listing = StreamListing(try await place.files())
        guard listing.stores.count < 2 else { throw StreamOfAnother(place: "\(place)") }
        for copy in listing.copies {
            guard case .copy(let copiedMs) = copy.kind else { continue }
            unlink(file)
            try await place.fetch(copy, into: file)
            do {
                // Without its checksum the end is missing.
                guard try BackupFile(file).check() else { throw StoreCopyError.changed(path: file) }
            } catch {
                Output.remark("'\(copy.name)' is damaged (\(error)), so an older copy is used.")
                continue
            }
            if let latest = listing.newestMs, latest > copy.generation.beganAtMs {
                Output.remark("A later stream begins at \(Output.time(latest)). It has no usable whole copy, so it cannot be restored.")
            }
            let reached = try await StreamedStore(file).append(
                of: copy.generation.name, after: copy.number, newest: listing.newestSegment(of: copy.generation)
            ) { [place] in try await place.read(StreamFile(copy.generation, $0, .segment)) }
            if let ending = reached.ending { Output.remark("The stream is used up to segment \(reached.number): \(ending). Later changes are not in the restored store.") }
            return Fetched(atMs: reached.atMs ?? copiedMs, segments: reached.number - copy.number)
        }
        throw NoStream(place: "\(place)", isDamaged: !listing.copies.isEmpty)
    }
}

struct NoStream: Error, CustomStringConvertible {
    let place: String
    let isDamaged: Bool

    var description: String {
        isDamaged
            ? "Every whole copy in '\(place)' is damaged. Restore a backup, and look for what changed them."
            : "'\(place)' has no stream with a whole copy. Name the place that 'landfall serve --stream-to' names."
    }
}
