// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallSQLite
import LandfallSimulator
import LandfallStore
import Testing

extension RealProcessTests {
    @Suite(
        "Notifications of the App Store where the disk is full", .timeLimit(.minutes(1)),
        .enabled(if: FileLimit.isAvailable, "prlimit is not installed"))
    struct FullDiskNotificationTests {
        @Test("are refused so that they come again; what was answered is there after a kill, and so are its facts")
        func full() async throws {
            try await ServingProcess.withFolder { folder in
                let chain = try SigningChain(), root = folder.appending(path: "root.pem")
                try Data(chain.root.pem.utf8).write(to: root)
                let trusting = ["LANDFALL_APP_STORE_ROOT": root.path]
                var server = try await ServingProcess.start(in: folder, environment: trusting, launcher: FileLimit.launcher)
                let process = server.command.processID

                let answered = try await onThread { [server] () throws -> Int in
                    var store = AppStore(port: server.port, signer: JWSSigner(chain))
                    let atFirst = try store.posts(20)
                    #expect(atFirst == 20)
                    try FileLimit.set(try Self.logLength(in: folder) + 400_000, of: process)
                    let areRefused = try store.fails()
                    #expect(areRefused)

                    try FileLimit.set(nil, of: process)
                    let areAnswered = try store.postsAgain()
                    #expect(areAnswered)
                    return store.answered
                }
                server.command.kill()
                _ = await server.command.ending()
                server = try await ServingProcess.start(in: folder, environment: trusting)

                let database = try SQLiteDatabase(path: folder.appending(path: "landfall.sqlite").path, isAlone: false)
                for _ in 0..<200 where try await Self.count("app_store_notification WHERE processed_at_ms IS NULL", in: database) > 0 {
                    try await Task.sleep(for: .milliseconds(100))
                }
                #expect(try await Self.count("app_store_notification WHERE processed_at_ms IS NULL", in: database) == 0)
                #expect(try await Self.count("app_store_notification", in: database) == answered)
                let facts = try await Self.count("(SELECT DISTINCT chain_id, fact_id FROM purchase_fact WHERE kind = 'transaction')", in: database)
                #expect(facts == answered)
                try await server.ends()
            }
        }

        private static func count(_ rows: String, in database: SQLiteDatabase) async throws -> Int {
            try await database.read { Int(try $0.row("SELECT COUNT(*) AS rows FROM \(rows)")?.integer("rows") ?? -1) }
        }

        private static func logLength(in folder: URL) throws -> Int {
            try FileManager.default.attributesOfItem(atPath: folder.appending(path: "landfall.sqlite-wal").path)[.size] as? Int ?? 0
        }
    }
}

/// Posts the first notification of one subscription after the other.
private struct AppStore {
    let port: Int
    let signer: JWSSigner
    private(set) var answered = 0
    private var seed: UInt64 = 0
    private var refused: [Data] = []

    init(port: Int, signer: JWSSigner) {
        self.port = port
        self.signer = signer
    }

    /// How many of these were answered with 200.
    mutating func posts(_ count: Int) throws -> Int {
        let before = answered
        for _ in 0..<count { _ = try post(next()) }
        return answered - before
    }

    /// Posts until ten in a row are refused; true if each of them was refused for now.
    mutating func fails() throws -> Bool {
        var statuses: [Int?] = []
        refused = []
        for _ in 0..<2_000 where statuses.count < 10 {
            let body = try next(), status = try post(body)
            if status == 200 { (statuses, refused) = ([], []) } else {
                statuses.append(status)
                refused.append(body)
            }
        }
        return statuses == [Int?](repeating: 503, count: 10)
    }

    /// What was refused comes again, as the App Store would post it.
    mutating func postsAgain() throws -> Bool {
        for _ in 0..<100 where try ready() != 200 { Thread.sleep(forTimeInterval: 0.1) }
        return try refused.allSatisfy { try post($0) == 200 }
    }

    private struct NothingPosted: Error {}

    private mutating func next() throws -> Data {
        let start = Int64(Date().timeIntervalSince1970 * 1_000) - 1_000
        let life = try PurchaseLife(SimulatedPurchase(productId: "sim.renewals=0"), seed: seed, start: start)
        seed += 1
        for event in life.events { if let body = try life.post(event, signer: signer) { return body } }
        throw NothingPosted()
    }

    private mutating func post(_ body: Data) throws -> Int? {
        let status = try answer(to: RawConnection.request("POST", "/v1/app-store/notifications", body: body))
        if status == 200 { answered += 1 }
        return status
    }

    private func ready() throws -> Int? { try answer(to: RawConnection.request("GET", "/readyz")) }

    private func answer(to request: Data) throws -> Int? {
        let connection = try RawConnection(port: port)
        try connection.send(request)
        return connection.answer()?.status
    }
}
