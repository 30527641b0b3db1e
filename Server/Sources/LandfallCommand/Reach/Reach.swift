// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallNode
import LandfallPostgres
import LandfallSQLite
import LandfallServer
import LandfallStore
import NIOEmbedded

/// Sends a command's request to a store: through a server with a key, through the server that runs on the folder, or in this
/// process, which then is the only one in the folder. Commands do not see the difference.
struct Reach: Sendable {
    enum Place {
        case server(ServerAddress, key: String)
        /// - Parameter isForEmptyStore: the file counts only if the store holds no version.
        case store(StorePlace, configurationFile: String?, isForEmptyStore: Bool = false)
    }

    private enum Way {
        case connection(ServerConnection)
        case held(HeldStore)
    }

    /// How long a command waits for another command that uses the folder, and for a server that starts or stops.
    private static let patience = Duration.seconds(5)

    private let way: Way

    /// A server answers, which phones call too.
    var isThroughServer: Bool { if case .connection = way { true } else { false } }

    /// - Returns: the body of the answer.
    /// - Throws: ``BackendRefusal`` for an answer that is an error.
    func call(_ call: BackendCall, within limit: Duration = .seconds(60)) async throws -> [UInt8] {
        switch way {
        case .connection(let connection): try await connection.call(call, within: limit)
        case .held(let store): try await store.call(call)
        }
    }

    /// - Parameter makesStore: an empty database gets the schema; otherwise that is an error.
    static func with<Value>(_ place: Place, makesStore: Bool, _ body: (Reach) async throws -> Value) async throws -> Value {
        switch place {
        case .server(let address, let key):
            return try await ServerConnection.with(address: address, key: key) { try await body(Reach(way: .connection($0))) }
        case .store(.folder(let folder), let file, let isForEmptyStore):
            switch try await takeOrFind(folder) {
            case .server(let path):
                return try await ServerConnection.with(socket: path) { try await body(Reach(way: .connection($0))) }
            case .database(let database):
                return try await holding(database) { try await body(held(database, file, isForEmptyStore)) }
            }
        case .store(.postgres(let address), let file, let isForEmptyStore):
            // Beside the nodes: they see what it changes.
            let database = try await PostgresDatabase.open(address)
            if !makesStore, try await database.isEmpty { throw DatabaseEmpty() }
            let value = try await body(held(database, file, isForEmptyStore))
            await database.close()
            return value
        }
    }

    private static func held(_ database: any Database, _ file: String?, _ isForEmptyStore: Bool) async throws -> Reach {
        // The root that the server of this store was given.
        let trust = try AppStoreTrust(rootFile: FlagEnvironment().text("app-store-root"), takesStoreKitTesting: false)
        return Reach(
            way: .held(
                try await HeldStore(
                    database: database, configurationFile: file, isForEmptyStore: isForEmptyStore, trust: trust, channel: EmbeddedChannel())))
    }

    /// Closes the store after the body, also if the body throws.
    static func holding<Value>(_ database: SQLiteDatabase, _ body: () async throws -> Value) async throws -> Value {
        do {
            let value = try await body()
            try await database.close()
            return value
        } catch {
            try? await database.close()
            throw error
        }
    }

    enum Found {
        case server(StoreSocketPath)
        case database(SQLiteDatabase)
    }

    /// The folder's lock, or the server that holds it.
    static func takeOrFind(
        _ folder: StoreFolder, open: (StoreFolder) async throws -> SQLiteDatabase = { try SQLiteDatabase(path: $0.database) }
    ) async throws -> Found {
        let end = ContinuousClock.now + patience
        while true {
            do {
                return .database(try await open(folder))
            } catch let error as DatabaseError {
                guard case .inUse(_, let process) = error else { throw error }
                guard let path = StoreSocketPath(folder) else { throw StoreBusy(folder: folder, process: process, isTooLong: true) }
                if await ServerConnection.answers(path) { return .server(path) }
                guard ContinuousClock.now < end else { throw StoreBusy(folder: folder, process: process) }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}

/// Another process uses the folder, and does not answer commands.
struct StoreBusy: Error, CustomStringConvertible {
    let folder: StoreFolder
    let process: Int?
    /// The folder's path is too long for the address of a socket.
    var isTooLong = false

    var description: String {
        let other = process.map { "process \($0)" } ?? "another process"
        if isTooLong {
            return "The store in '\(folder.path)' is in use by \(other), and the folder's path is too long for a socket. "
                + "Use --server and --key."
        }
        return "The store in '\(folder.path)' is in use by \(other), which does not answer at '\(folder.socket)'. "
            + "Try again when it has ended; to reach a server on a file system without sockets, use --server and --key."
    }
}
