// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallNode
import LandfallPostgres
import LandfallSQLite
import LandfallServer
import LandfallStore

/// A backup of a database: one snapshot of it, beside the nodes, as an SQLite store. Blocks its thread.
struct DatabaseBackup {
    let address: PostgresAddress

    func make(_ file: String, isReplacing: Bool) throws -> StoreBackup.Outcome {
        let began = ContinuousClock.now, beganMs = Int64(Date.now.timeIntervalSince1970 * 1000)
        let session = try PostgresSession(address), telling = TransferTelling()
        let transfer = StoreTransfer(Schema.migrations) { telling.tell($0) }
        let bytes = try BackupFile.make(at: file, isReplacing: isReplacing) { copy in
            _ = try transfer.run(from: session, to: copy, takesOlder: true)
        }
        // The copy is complete, whether or not the store can note it. Nodes on other machines do not see the file.
        try? session.write { try BackupMade(atMs: beganMs, bytes: bytes).store($0) }
        return StoreBackup.Outcome(file: file, bytes: bytes, milliseconds: Int64(began.duration(to: .now) / .milliseconds(1)))
    }
}

/// A backup becomes the store of a database. Blocks its thread.
struct DatabaseRestore {
    let address: PostgresAddress
    let now: Date

    func run(_ file: String) throws -> RestoreCommand.Outcome {
        guard FileManager.default.isReadableFile(atPath: file) else {
            throw StoreCopyError.notReadable(path: file, reason: "missing, or not readable for you")
        }
        let isSealed = try BackupFile(file).check()
        let source = try SQLiteSession(reading: file), telling = TransferTelling()
        // What has a checksum was examined before it got it.
        if !isSealed { try source.examine() }
        let session = try PostgresSession(address)
        let seenEpoch = try? session.read { try StoreRestore.epoch(of: $0) }
        let transfer = StoreTransfer(Schema.migrations) { telling.tell($0) }
        var prepared: StoreRestore.Prepared?
        let replaced = try session.replaceStore(
            of: Schema.migrations, keepingAs: "landfall_replaced_\(now.formatted(RestoreCommand.stamp).lowercased())") { target in
            _ = try transfer.run(from: source, to: target, takesOlder: true) { store, applied in
                prepared = try StoreRestore.prepare(
                    store, applied: applied, replacing: seenEpoch, nowMs: Int64(now.timeIntervalSince1970 * 1000))
            }
        }
        for left in (try? session.leftovers()) ?? [] {
            Output.remark("The schema '\(left)' is of a restore that was interrupted, or that runs just now. If none runs, drop it.")
        }
        let bytes = (try? FileManager.default.attributesOfItem(atPath: file))?[.size] as? Int64
        return RestoreCommand.Outcome(
            data: address.name, bytes: bytes ?? 0, epoch: prepared?.epoch ?? 0, replaced: replaced, stoppedVersions: prepared?.stoppedVersions ?? 0)
    }
}
