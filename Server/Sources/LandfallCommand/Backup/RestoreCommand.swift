// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallNode
import LandfallSQLite
import LandfallStore

/// `landfall restore`.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Replaces the store of a folder or a database with a backup. Its servers must be stopped.",
        discussion: """
            The backup is compared with its checksum, copied and checked before anything is changed. The backup itself stays unchanged. The previous store is kept \
            beside the new one: in a folder, or in a schema of the database. The restored store gets a new epoch, so that phones accept its profiles as the newest. Members, their \
            roles and passwords, and the keys are those of the backup. Sessions and invitations end, and versions that waited for \
            their time are stopped.
            """
    )

    @Argument(help: "The backup.", completion: .file())
    var file: String

    @OptionGroup var store: StorePlaceOption

    @OptionGroup var output: JSONOption

    struct Outcome: Encodable {
        let data: String
        let bytes: Int64
        let epoch: Int64
        let replaced: String?
        let stoppedVersions: Int

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(data, forKey: .data)
            try container.encode(bytes, forKey: .bytes)
            try container.encode(epoch, forKey: .epoch)
            try container.encode(replaced, forKey: .replaced)  // Null if there was none.
            try container.encode(stoppedVersions, forKey: .stoppedVersions)
        }

        private enum CodingKeys: String, CodingKey { case data, bytes, epoch, replaced, stoppedVersions }
    }

    func run() async throws {
        // Files of this process must not be accessible to other users, whatever umask it inherited.
        umask(0o077)
        let now = Date.now, outcome: Outcome
        switch try store.place() {
        case .folder(let folder): outcome = try restore(into: folder, now: now)
        case .postgres(let address): outcome = try await onThread { [file] in try DatabaseRestore(address: address, now: now).run(file) }
        }
        if output.json { return try output.write(outcome) }
        Output.line("'\(outcome.data)' contains the restored store: \(outcome.bytes) bytes, with the new epoch \(outcome.epoch).")
        if let replaced = outcome.replaced { Output.line("The previous store is in '\(replaced)'; drop it when you no longer need it.") }
        Output.line(
            "Members, roles, passwords and keys are those of the backup. Members and keys that were removed since then are back: remove them again.")
        Output.line("Nobody is signed in to the console, and no invitation is open.")
        let stopped = outcome.stoppedVersions
        if stopped > 0 {
            let versions = stopped == 1 ? "1 version that waited for its time was" : "\(stopped) versions that waited for their time were"
            Output.line("\(versions) stopped. 'landfall versions' lists what was stopped.")
        }
    }

    /// The time in the name of a store that was replaced.
    static var stamp: Date.ISO8601FormatStyle { Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted) }

    private func restore(into folder: StoreFolder, now: Date) throws -> Outcome {
        var epoch: Int64 = 0
        var stopped = 0
        var told = 0
        let restored = try folder.restore(
            from: file, keepingAs: "landfall.replaced-\(now.formatted(Self.stamp))",
            progress: { done, all in
                let percent = all > 0 ? done * 100 / all : 0
                if percent >= told + 10 { Output.remark("\(percent) % copied") }
                told = max(told, percent / 10 * 10)
            },
            preparing: { store, applied, replaced in
                let prepared = try StoreRestore.prepare(
                    store, applied: applied, replacing: replaced.flatMap { try? StoreRestore.epoch(of: $0) },
                    nowMs: Int64(now.timeIntervalSince1970 * 1000))
                (epoch, stopped) = (prepared.epoch, prepared.stoppedVersions)
            })
        return Outcome(data: folder.path, bytes: restored.bytes, epoch: epoch, replaced: restored.replaced, stoppedVersions: stopped)
    }
}
