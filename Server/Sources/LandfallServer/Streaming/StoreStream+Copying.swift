// SPDX-License-Identifier: Apache-2.0
import LandfallStore
import Logging

/// The whole copies of a stream.
extension StoreStream {
    var isCopyDue: Bool {
        guard let following, following.copying == nil, time.nowMs() >= following.copyAgainMs else { return false }
        // One that failed counted segments anew, so it is due until it succeeds.
        guard let copy = following.copy, copyFailure == nil else { return true }
        return time.nowMs() - copy.atMs >= limits.copyAgeMs || following.number - copy.number >= limits.segments
            || following.bytes >= max(limits.bytes, copy.bytes * 2)
    }

    /// Takes a snapshot exactly behind a segment. It is copied and sent while further segments are sent.
    /// - Parameter isFirst: of a generation that has nothing yet.
    func beginCopy(_ now: Following, isFirst: Bool) async throws {
        let nowMs = time.nowMs()
        let (batch, snapshot) = try await now.log.nextWithSnapshot()
        // The first copy has what was committed since the log was followed. Of a later one it is a segment, also if no copy is known to be there:
        // the answer to one that is may have been lost.
        try take(isFirst ? nil : batch, of: now, atMs: nowMs)
        try await sendPending(now)
        guard let number = following?.number else { return }
        let file = StreamFile(now.generation, number, .copy(atMs: nowMs))
        following?.bytes = 0
        following?.copying = Task { await self.copy(snapshot, as: file, atMs: nowMs) }
    }

    private func copy(_ snapshot: any StoreSnapshot, as file: StreamFile, atMs: Int64) async {
        do {
            let (bytes, path) = try await place.receive(file) { try await snapshot.copy(to: $0) }
            // Suspended: another generation may have begun, for which this copy is no beginning.
            guard following?.generation == file.generation else { return }
            following?.copying = nil
            following?.copy = (atMs, file.number, bytes)
            copyFailure = nil
            following?.copiesFailed = 0
            note { $0.bytes += bytes }
            logger.notice("A whole copy of the store is in the place of the stream.", metadata: ["stream.bytes": "\(bytes)"])
            let made = BackupMade(atMs: atMs, bytes: bytes, file: path)
            try? await database.write(.bulk, locking: []) { try made.store($0) }
            await tidy()
        } catch is CancellationError {
        } catch {
            guard following?.generation == file.generation else { return }
            following?.copying = nil
            // Each reads and checks the whole store.
            following?.copyAgainMs = time.nowMs() + limits.copyPauseMs << Int64(min(following?.copiesFailed ?? 0, limits.copyPauseDoublings))
            following?.copiesFailed += 1
            copyFailure = "\(error)"
            failed(error)
        }
    }

    /// Deletes what no restore needs. A key that may not delete leaves that to a rule of its bucket.
    private func tidy() async {
        guard let own = following?.generation else { return }
        do {
            for file in try await listing().superfluous(keeping: limits.copies, own: own) { try await place.remove(file) }
        } catch {
            logger.info("Older files of the stream were not deleted.", metadata: ["error.text": "\(error)"])
        }
    }
}
