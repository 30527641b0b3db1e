// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallNode
import LandfallSQLite
import LandfallServer
import LandfallStore
import LandfallWire
import Synchronization

/// `landfall backup`.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies the store into a file, also while a server writes to the store.",
        discussion: """
            The file is a snapshot of the whole store, checked page by page and on disk before the command ends, with a checksum \
            that 'landfall restore' and 'landfall doctor' compare. The copy is not started if the disk has too little room for it. A server that runs \
            on the folder makes it, as its own user; without a server the command makes it. A server key does not permit a copy of \
            everything, so the command works only in the folder of the store, or on its database beside the nodes. The file is an \
            SQLite store for either engine.
            """
    )

    /// A store that takes longer should be copied with the tools of its disk.
    private static let patience = Duration.seconds(24 * 3600)

    @Argument(help: "The file, which must not exist yet.", completion: .file())
    var file: String

    @Flag(help: "Replace an existing file.")
    var replace = false

    @OptionGroup var store: StorePlaceOption

    @OptionGroup var output: JSONOption

    func run() async throws {
        let path = URL(filePath: file, relativeTo: URL(filePath: FileManager.default.currentDirectoryPath + "/")).standardized.path
        let outcome: StoreBackup.Outcome
        switch try store.place() {
        case .folder(let folder):
            if folder.isClosed { throw FolderClosed(folder: folder) }
            guard FileManager.default.fileExists(atPath: folder.database) else { throw NoStore(folder: folder) }
            outcome = try await self.outcome(in: folder, path)
        case .postgres(let address):
            outcome = try await onThread { [replace] in try DatabaseBackup(address: address).make(path, isReplacing: replace) }
        }
        // Checked here too: under the same path the server may see another file than this command.
        let seen = (try? FileManager.default.attributesOfItem(atPath: outcome.file))?[.size] as? Int64
        guard seen == outcome.bytes else { throw BackupNotSeen(file: outcome.file, bytes: outcome.bytes, seen: seen) }
        if output.json { return try output.write(outcome) }
        Output.line("\(outcome.file) contains the whole store: \(outcome.bytes) bytes, checked and on disk.")
    }

    private func outcome(in folder: StoreFolder, _ path: String) async throws -> StoreBackup.Outcome {
        switch try await Reach.takeOrFind(folder, open: { try SQLiteDatabase(path: $0.database, examines: false) }) {
        case .server(let socket):
            let call = try BackendCall("POST", "/v1/backups", json: Asked(file: path, replace: replace, folder: FolderIdentity(around: path)))
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
                return try await telling { try await backup.make(path, isReplacing: replace) } progress: { backup.progress }
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

struct NoStore: Error, CustomStringConvertible {
    let folder: StoreFolder
    var option = "--data"
    var description: String { "'\(folder.path)' holds no store. Name the folder with \(option)." }
}
