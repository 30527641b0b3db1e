// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallNode
import LandfallSQLite
import LandfallServer
import LandfallStore
import Logging

/// A server in this process with a store of its own, which has no endpoint or one.
enum WebhookServer {
    /// From rows that transactions have left to answers of a receiver: from its first message to its last one.
    static func deliveriesPerSecond(_ deliveries: Int) async throws -> Double {
        var receiver = try ReceiverProcess(deliveries: deliveries)
        defer { receiver.end() }
        let port = Int(try await receiver.number(named: "port"))
        return try await run(telling: port, filledWith: deliveries) { _ in
            Double(deliveries - 1) / (try await receiver.number(named: "seconds"))
        }
    }

    /// - Parameters:
    ///   - receiver: the port of an endpoint that wants first opens; nil for none.
    ///   - facts: how many rows wait for it.
    static func run<Value: Sendable>(
        telling receiver: Int?, filledWith facts: Int = 0, _ body: (_ port: Int) async throws -> Value
    ) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-webhooks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "landfall.yaml")
        let webhooks = receiver.map { "webhooks: [{ url: 'http://127.0.0.1:\($0)/deliveries', secretFrom: LANDFALL_WEBHOOK_SECRET, types: [first_open] }]\n" }
        try (MadeStore.configuration + "\n" + (webhooks ?? "")).write(to: file, atomically: true, encoding: .utf8)
        if facts > 0 {
            let store = try await MadeStore(folder: folder.path, nowMs: nowMs)
            try await store.fill(facts, by: [factsText], [.integer(nowMs)])
            try await store.database.close()
        }
        var options = ServerOptions()
        options.configurationFile = file.path
        options.port = 0
        options.webhooksToPrivate = true
        let quiet = Logger(label: "webhooks", factory: { _ in SwiftLogNoOpLogHandler() }), (ports, port) = AsyncStream.makeStream(of: Int.self)
        let database = try SQLiteDatabase(path: folder.appending(path: "landfall.sqlite").path)
        let server = try await LandfallServer(options: options, database: database, logger: quiet) { port.yield($0) }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            defer { group.cancelAll() }
            var iterator = ports.makeAsyncIterator()
            guard let port = await iterator.next() else { throw ValidationError("The server has not begun.") }
            return try await body(port)
        }
    }

    private static let nowMs = Int64(Date().timeIntervalSince1970 * 1000)

    /// As transactions of first opens leave them. SQLite's own dialect: this is no text of the server.
    private static let factsText = """
        WITH RECURSIVE n(i) AS (SELECT $1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $1 + $2)
        INSERT INTO webhook_outbox (app_id, outbox_id, profile_id, install_id, facts, created_at_ms)
        SELECT 'example', printf('0198f0c2-7b1a-7c3d-8e4f-%012x', i), printf('i_0198f0c2-7b1a-7c3d-8e4f-%012x', i),
          printf('0198f0c2-7b1a-7c3d-8e4f-%012x', i),
          printf('[{"atMs":1790000000000,"data":{"profileId":"i_0198f0c2-7b1a-7c3d-8e4f-%012x","installId":"0198f0c2-7b1a-7c3d-8e4f-%012x","attributes":{"plan":"gold"},"attribution":{"state":"unavailable","reason":"unsupported"},"install":{"appVersion":"1.2","osVersion":"19.0","platform":"ios","model":"iPhone16,2","locale":"en-US","storeCountry":"US","timeZone":"America/New_York","firstOpenAtMilliseconds":1790000000000,"isReinstall":false}},"type":"first_open"}]', i, i),
          $3 FROM n
        """
}
