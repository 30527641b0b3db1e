// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallNode
import LandfallRules
import LandfallSQLite
import LandfallServer
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
            their time are stopped. --from takes the newest backup of a folder or of s3://BUCKET/PREFIX, or the object that is named; it is \
            downloaded part by part into the folder --scratch first, with the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. --from-stream \
            takes what 'landfall serve --stream-to' has sent there: the newest whole copy and every change since, up to the last that is whole.
            """
    )

    @Argument(help: "The backup.", completion: .file())
    var file: String?

    @Option(help: "In place of FILE: a folder or s3://BUCKET/PREFIX with backups, or s3://BUCKET/NAME of one.", completion: .directory)
    var from: String?

    @Option(help: "In place of FILE: the folder or s3://BUCKET/PREFIX of 'landfall serve --stream-to'.", completion: .directory)
    var fromStream: String?

    @Option(help: "With --from s3:// and --from-stream: the folder of the download (that of the store; of a database the system's for temporary files).", completion: .directory)
    var scratch: String?

    @OptionGroup var s3: S3Options

    @OptionGroup var store: StorePlaceOption

    @OptionGroup var output: JSONOption

    struct Outcome: Encodable {
        let data: String
        let bytes: Int64
        let epoch: Int64
        let replaced: String?
        let stoppedVersions: Int
        /// Of a stream: what was committed before is restored.
        var streamedToMilliseconds: Int64?

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(data, forKey: .data)
            try container.encode(bytes, forKey: .bytes)
            try container.encode(epoch, forKey: .epoch)
            try container.encode(replaced, forKey: .replaced)  // Null if there was none.
            try container.encode(stoppedVersions, forKey: .stoppedVersions)
            try container.encodeIfPresent(streamedToMilliseconds, forKey: .streamedToMilliseconds)
        }

        private enum CodingKeys: String, CodingKey { case data, bytes, epoch, replaced, stoppedVersions, streamedToMilliseconds }
    }

    func validate() throws {
        if fromStream != nil, file != nil || from != nil { throw ValidationError("--from-stream names another place than FILE or --from. Use one of them.") }
        _ = try BackupPlace(file: file, place: fromStream ?? from, option: fromStream == nil ? "from" : "from-stream")
    }

    func run() async throws {
        // Files of this process must not be accessible to other users, whatever umask it inherited.
        umask(0o077)
        let began = ContinuousClock.now, store = try store.place()
        let outcome = if let fromStream { try await restore(stream: fromStream, into: store) } else { try await restoreBackup(into: store) }
        Output.remark("Restored in \(Output.seconds(began.duration(to: .now) / .seconds(1))).")
        if output.json { return try output.write(outcome) }
        tell(outcome)
    }

    private func restoreBackup(into store: StorePlace) async throws -> Outcome {
        let began = ContinuousClock.now
        switch try BackupPlace(file: file, place: from, option: "from") {
        case .file(let path): return try await restore(path, into: store)
        case .store(.folder(let folder)):
            guard let newest = BackupName.newest(try FileManager.default.contentsOfDirectory(atPath: folder)) else { throw NoBackup(place: folder) }
            Output.remark("The newest backup is \(newest).")
            return try await restore(folder + "/" + newest, into: store)
        case .store(.bucket(let place)):
            let access = try s3.access(), file = try ScratchFile(BackupPlace.scratch(scratch, for: store) + "/backup-to-restore.sqlite")
            defer {
                file.remove()
                file.release()
            }
            let fetched = try await LiveOutboundHTTP.with { try await BackupBucket(place, access, by: $0).fetch(into: file.path) }
            Output.remark("\(fetched) is here after \(Output.seconds(began.duration(to: .now) / .seconds(1))).")
            return try await restore(file.path, into: store)
        }
    }

    private func restore(stream text: String, into store: StorePlace) async throws -> Outcome {
        let began = ContinuousClock.now, scratch = BackupPlace.scratch(scratch, for: store)
        let target = try StreamTarget(text, option: "from-stream", scratch: scratch, access: s3.access), file = try ScratchFile(scratch + "/stream-to-restore.sqlite")
        defer {
            file.remove()
            file.release()
        }
        let fetched = try await LiveOutboundHTTP.with { try await StreamRestore(place: target.stream(by: $0)).fetch(into: file.path) }
        Output.remark(
            "The copy goes up to \(Output.time(fetched.atMs)), with \(fetched.segments) segments after a whole copy. It is here after \(Output.seconds(began.duration(to: .now) / .seconds(1))).")
        var outcome = try await restore(file.path, into: store)
        outcome.streamedToMilliseconds = fetched.atMs
        return outcome
    }

    private func tell(_ outcome: Outcome) {
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

    private func restore(_ file: String, into store: StorePlace) async throws -> Outcome {
        let now = Date.now
        switch store {
        case .folder(let folder): return try restore(file, into: folder, now: now)
        case .postgres(let address): return try await onThread { try DatabaseRestore(address: address, now: now).run(file) }
        }
    }

    private func restore(_ file: String, into folder: StoreFolder, now: Date) throws -> Outcome {
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
