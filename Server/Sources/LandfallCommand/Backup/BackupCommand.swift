// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallNode
import LandfallRules
import LandfallSQLite
import LandfallServer
import LandfallStore
import LandfallWire
import Synchronization

/// `landfall backup`.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies the store into a file or a bucket, also while a server writes to the store.",
        discussion: """
            The file is a snapshot of the whole store, checked page by page and on disk before the command ends, with a checksum \
            that 'landfall restore' and 'landfall doctor' compare. The copy is not started if the disk has too little room for it. A server that runs \
            on the folder makes it, as its own user; without a server the command makes it. A server key does not permit a copy of \
            everything, so the command works only in the folder of the store, or on its database beside the nodes. The file is an \
            SQLite store for either engine. With --to DIR or --to s3://BUCKET/PREFIX it has its time as its name, such as \
            landfall-20261128T031500Z.sqlite. A bucket gets the checked copy part by part, with the keys in AWS_ACCESS_KEY_ID and \
            AWS_SECRET_ACCESS_KEY; until it is there the copy takes room in the folder --scratch.
            """
    )

    /// A store that takes longer should be copied with the tools of its disk.
    private static let patience = Duration.seconds(24 * 3600)

    @Argument(help: "The file, which must not exist yet.", completion: .file())
    var file: String?

    @Option(help: "In place of FILE: a folder that exists, or s3://BUCKET/PREFIX.", completion: .directory)
    var to: String?

    @Option(help: "With --to: the newest backups that stay there; older ones are deleted (all stay).")
    var keep: Int?

    @Option(help: "With --to s3://: the folder of the copy until it is uploaded (that of the store; of a database the system's for temporary files).", completion: .directory)
    var scratch: String?

    @OptionGroup var s3: S3Options

    @Flag(help: "Replace an existing file.")
    var replace = false

    @OptionGroup var store: StorePlaceOption

    @OptionGroup var output: JSONOption

    func validate() throws {
        _ = try BackupPlace(file: file, place: to, option: "to")
        if let keep, to == nil || keep < 1 { throw ValidationError("--keep is a number from 1 on, and goes with --to.") }
    }

    func run() async throws {
        let store = try store.place(), name = BackupName.text(.now)
        let outcome: StoreBackup.Outcome
        switch try BackupPlace(file: file, place: to, option: "to") {
        case .file(let path): outcome = try await copy(store, to: path, isReplacing: replace)
        case .store(.folder(let folder)):
            outcome = try await copy(store, to: folder + "/" + name, isReplacing: replace)
            if let keep {
                let older = BackupName.older(try FileManager.default.contentsOfDirectory(atPath: folder), keeping: keep, and: name)
                for name in older { try FileManager.default.removeItem(atPath: folder + "/" + name) }
                tellDeleted(older.count)
            }
        case .store(.bucket(let place)):
            // Before anything is copied.
            let access = try s3.access()
            outcome = try await LiveOutboundHTTP.with { http in
                let bucket = BackupBucket(place, access, by: http)
                let outcome = try await upload(store, to: bucket, as: name)
                if let keep { tellDeleted(try await bucket.deleteOlder(keeping: keep, and: name)) }
                return outcome
            }
        }
        if output.json { return try output.write(outcome) }
        Output.line("\(outcome.file) contains the whole store: \(outcome.bytes) bytes, \(to?.hasPrefix(S3Place.scheme) == true ? "checked and uploaded" : "checked and on disk").")
    }

    private func tellDeleted(_ count: Int) {
        if count > 0 { Output.remark("\(count) older backup(s) deleted") }
    }

    /// The store changes while it is copied, so a copy is checked before any of it leaves.
    private func upload(_ store: StorePlace, to bucket: BackupBucket, as name: String) async throws -> StoreBackup.Outcome {
        let began = ContinuousClock.now, file = try ScratchFile(BackupPlace.scratch(scratch, for: store) + "/backup-to-upload.sqlite")
        defer { file.release() }
        let copy = try await copy(store, to: file.path, isReplacing: true)
        do { try await bucket.send(file.path, as: name, bytes: copy.bytes) } catch {
            throw BackupNotUploaded(file: file.path, cause: "\(error)")
        }
        file.remove()
        return StoreBackup.Outcome(
            file: S3Place.scheme + bucket.place.bucket + "/" + bucket.place.key(name), bytes: copy.bytes,
            milliseconds: Int64(began.duration(to: .now) / .milliseconds(1)))
    }

    private func copy(_ store: StorePlace, to path: String, isReplacing: Bool) async throws -> StoreBackup.Outcome {
        let outcome: StoreBackup.Outcome
        switch store {
        case .folder(let folder):
            if folder.isClosed { throw FolderClosed(folder: folder) }
            guard FileManager.default.fileExists(atPath: folder.database) else { throw NoStore(folder: folder) }
            outcome = try await self.outcome(in: folder, path, isReplacing)
        case .postgres(let address):
            outcome = try await onThread { try DatabaseBackup(address: address).make(path, isReplacing: isReplacing) }
        }
        // Checked here too: under the same path the server may see another file than this command.
        let seen = (try? FileManager.default.attributesOfItem(atPath: outcome.file))?[.size] as? Int64
        guard seen == outcome.bytes else { throw BackupNotSeen(file: outcome.file, bytes: outcome.bytes, seen: seen) }
        return outcome
    }

    private func outcome(in folder: StoreFolder, _ path: String, _ isReplacing: Bool) async throws -> StoreBackup.Outcome {
        switch try await Reach.takeOrFind(folder, open: { try SQLiteDatabase(path: $0.database, examines: false) }) {
        case .server(let socket):
            let call = try BackendCall("POST", "/v1/backups", json: Asked(file: path, replace: isReplacing, folder: FolderIdentity(around: path)))
            return try await ServerConnection.with(socket: socket) { server in
                let body = try await telling {
                    try await server.call(call, within: Self.patience)
                } progress: {
                    let body = try await server.call(BackendCall("GET", "/v1/backups"), within: .seconds(10))
                    return try WireCoding.decode([StoreBackup.Progress].self, from: Data(body)).first
                }
                return try WireCoding.decode(StoreBackup.Outcome.self, from: Data(body))
            }
        case .database(let database):
            return try await Reach.holding(database) {
                // The store notes its backup, and this one must not change.
                try await Schema.checkRelease(of: database)
                let backup = StoreBackup(database)
                return try await telling { try await backup.make(path, isReplacing: isReplacing) } progress: { backup.progress }
            }
        }
    }

    /// Prints the progress each second.
    private func telling<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value,
        progress: @escaping @Sendable () async throws -> StoreBackup.Progress?
    ) async throws -> Value {
        let telling = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .seconds(1))
                guard let progress = try? await progress(), progress.all > 0 else { continue }
                Output.remark(
                    progress.done < progress.all ? "\(progress.done * 100 / progress.all) % copied" : "checking the copy")
            }
        }
        defer { telling.cancel() }
        return try await body()
    }

    private struct Asked: Encodable {
        let file: String
        let replace: Bool
        let folder: FolderIdentity?
    }
}

struct BackupNotSeen: Error, CustomStringConvertible {
    let file: String
    let bytes: Int64
    let seen: Int64?

    var description: String {
        "The server says that it wrote \(bytes) bytes into '\(file)', and this command finds \(seen.map { "\($0)" } ?? "no such file") there. "
            + "The server may have its own folder under this path. Name a folder that both see, such as one in the folder of the store."
    }
}

/// The copy is whole, and still on this machine.
struct BackupNotUploaded: Error, CustomStringConvertible {
    let file: String
    let cause: String

    var description: String { "\(cause) The whole backup is in '\(file)' and stays there until the next run." }
}

struct NoStore: Error, CustomStringConvertible {
    let folder: StoreFolder
    var option = "--data"
    var description: String { "'\(folder.path)' holds no store. Name the folder with \(option)." }
}
