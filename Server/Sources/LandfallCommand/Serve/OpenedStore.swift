// SPDX-License-Identifier: Apache-2.0
import LandfallPostgres
import LandfallSQLite
import LandfallStore

/// The store that a node serves from, of either engine.
struct OpenedStore {
    let database: any Database
    /// Nil for a database that nodes share: it has no folder.
    let folder: StoreFolder?
    /// Where commands of this machine reach the server; nil without a folder, and if the folder's path is too long.
    let socket: StoreSocketPath?
    private let closing: @Sendable () async throws -> Void

    /// - Parameter replica: of a database that nodes share.
    static func open(_ place: StorePlace, _ replica: PostgresAddress?, _ limits: WriteLimits) async throws -> OpenedStore {
        switch place {
        case .folder(let folder):
            let database = try SQLiteDatabase(path: folder.database, limits: limits)
            return OpenedStore(
                database: database, folder: folder, socket: StoreSocketPath(folder), closing: { try await database.close() })
        case .postgres(let address):
            var limitsOfPool = PostgresLimits()
            limitsOfPool.writes = limits
            let database = try await PostgresDatabase.open(address, replica: replica, limits: limitsOfPool)
            return OpenedStore(database: database, folder: nil, socket: nil, closing: { await database.close() })
        }
    }

    /// Waits for the accepted work.
    func close() async throws {
        try await closing()
        withExtendedLifetime(socket) {}
    }
}
