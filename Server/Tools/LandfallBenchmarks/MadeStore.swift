// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallNode
import LandfallSQLite
import LandfallStore
import NIOEmbedded

/// A store that a benchmark makes: with the tables of the server, and the node that made them.
struct MadeStore {
    /// The number of rows in one transaction.
    private static let lot = 10_000
    static let configuration = """
        app: { id: example, bundleId: com.example.app }
        keys: [{ sdk: pk_demo }]
        paywalls: { default: {} }
        placements: { onboarding: [{ audience: everyone, paywall: default }] }
        """

    let database: SQLiteDatabase
    let node: InProcessNode

    /// - Parameter nowMs: the time of the node; it does not move.
    init(path: String, nowMs: Int64) async throws {
        database = try SQLiteDatabase(path: path)
        node = try await InProcessNode(
            try InProcessNode.Serving(yaml: Self.configuration), database: database, channel: NIOAsyncTestingChannel(),
            clock: ContinuousClock(), nowMs: { nowMs }, askApple: { _ in throw CancellationError() }
        )
    }

    /// A store in a server's folder, with the file name that the server uses.
    init(folder: String, nowMs: Int64) async throws {
        try await self.init(path: URL(filePath: folder).appending(path: "landfall.sqlite").path, nowMs: nowMs)
    }

    /// Runs each text for every lot of numbers: `$1` is the first number, `$2` is how many there are, `values` follow.
    func fill(_ count: Int, by texts: [String], _ values: [SQLValue] = []) async throws {
        for begin in stride(from: 0, to: count, by: Self.lot) {
            let lot: [SQLValue] = [.integer(Int64(begin)), .integer(Int64(min(Self.lot, count - begin)))]
            try await database.write { connection in
                for text in texts { try connection.run(text, lot + values) }
            }
        }
    }
}
