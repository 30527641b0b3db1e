// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallNode
import LandfallPostgres
import LandfallSQLite
import LandfallStore

/// `landfall move`.
struct MoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Moves a store into an empty folder or database, of the same engine or the other. Every server must be stopped.",
        discussion: """
            Every row is copied, read back and compared. Nobody can write to the old store meanwhile, and at the end it is marked as moved: \
            no server starts on it any more. A move that \
            was interrupted goes on when the command is run again; until it has ended, no server starts on the new store. The new store \
            has the same id and epoch, so phones notice nothing.
            """
    )

    @Option(help: "The store: postgres://USER@HOST:PORT/DB, or sqlite:DIR (LANDFALL_FROM, which process lists do not show).")
    var from: String?

    @Option(help: "Where it goes, an empty database or folder: as --from (LANDFALL_TO).")
    var to: String?

    @OptionGroup var output: JSONOption

    struct Outcome: Encodable {
        let tables: [StoreTransfer.Table]
        /// Every row was read back and is the same.
        let verified: Bool
        /// The old store says that it was moved.
        let marked: Bool
    }

    func run() async throws {
        // Files of this process must not be accessible to other users, whatever umask it inherited.
        umask(0o077)
        let (from, to) = (try place(from, "from"), try place(to, "to"))
        let (tables, unmarked) = try await onThread { try Self.move(from, to) }
        if let unmarked { Output.remark("'\(from.name)' could not be marked as moved (\(unmarked)). Never start a server on it again.") }
        if output.json { return try output.write(Outcome(tables: tables, verified: true, marked: unmarked == nil)) }
        for line in TransferTable(tables: tables).lines { Output.line(line) }
        Output.line("'\(to.name)' has every row of '\(from.name)': read back and compared.")
        Output.line("Start the servers on the new store, and never again on the old one: what phones do would be in one of them only.")
    }

    private func place(_ url: String?, _ option: String) throws -> StorePlace {
        guard let text = url ?? FlagEnvironment().text(option) else {
            throw ValidationError("--\(option) is missing: postgres://USER@HOST:PORT/DB, or sqlite:DIR for a folder.")
        }
        return try StorePlace(url: text, of: option)
    }

    /// - Returns: also why the old store could not be marked; nil if it was.
    private static func move(_ from: StorePlace, _ to: StorePlace) throws -> ([StoreTransfer.Table], unmarked: String?) {
        let telling = TransferTelling()
        let transfer = StoreTransfer(Schema.migrations) { telling.tell($0) }
        let target: any StoreSession
        let source: any StoreSession
        switch from {
        case .folder(let folder):
            if folder.isClosed { throw FolderClosed(folder: folder) }
            guard FileManager.default.fileExists(atPath: folder.database) else { throw NoStore(folder: folder, option: "--from sqlite:DIR") }
            // Before it is locked: a second session of one folder would be refused as a server's.
            if case .folder(let other) = to, SQLiteSession.place(of: folder.database) == SQLiteSession.place(of: other.database) {
                throw StoreTransferError.samePlace(folder.path)
            }
            let session = try SQLiteSession(folder)
            try session.examine()
            source = session
        case .postgres(let address):
            let session = try PostgresSession(address)
            try session.excludeWriters(of: Schema.migrations)
            source = session
        }
        switch to {
        case .folder(let folder): target = try SQLiteSession(folder)
        case .postgres(let address):
            let session = try PostgresSession(address)
            try session.excludeTransfers()
            target = session
        }
        let tables = try transfer.run(from: source, to: target)
        // The move itself is complete.
        do { try StoreTransfer.mark(source, movedTo: to.name) } catch { return (tables, "\(error)") }
        return (tables, nil)
    }
}

extension StorePlace {
    /// For people; without a password.
    var name: String {
        switch self {
        case .folder(let folder): folder.path
        case .postgres(let address): address.name
        }
    }
}
