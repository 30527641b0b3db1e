// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallSQLite
import LandfallSimulator
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@testable import LandfallStore

extension RealProcessTests {
    /// `kill -9` of a real server at instants that a seed draws, while the App Store reports purchases.
    @Suite("A server killed while the App Store reports", .timeLimit(.minutes(1)))
    struct NotificationKillTests {
        @Test("has each notification that it answered, and completes the work after its next start", arguments: [51, 52] as [UInt64])
        func killed(seed: UInt64) async throws {
            try await ServingProcess.withFolder { folder in
                let chain = try SigningChain(), signer = JWSSigner(chain)
                let root = folder.appending(path: "root.pem")
                try chain.root.pem.write(to: root, atomically: true, encoding: .utf8)
                let environment = ["LANDFALL_APP_STORE_ROOT": root.path]
                var server = try await ServingProcess.startOnStablePort(in: folder, environment: environment)
                let port = server.port, purchases = Purchases()
                // If the test fails in between, nobody goes on sending.
                defer { purchases.isOver.store(true, ordering: .releasing) }
                async let sending: Void = purchases.send(by: signer, to: port)

                var random = SeededRandom(seed: seed)
                for _ in 0..<4 {
                    try await Task.sleep(for: .milliseconds(Int.random(in: 20...350, using: &random)))
                    server.command.kill()
                    _ = await server.command.ending()
                    server = try await ServingProcess.start(in: folder, port: port, environment: environment)
                }
                purchases.isOver.store(true, ordering: .releasing)
                try await sending

                let truth = try StoredTruth(in: folder), taken = purchases.answered.withLock(\.self)
                var facts: Set<String> = []
                for _ in 0..<400 where !taken.isSubset(of: facts) {
                    facts = try await truth.transactions()
                    try await Task.sleep(for: .milliseconds(25))
                }
                server.command.stop()
                #expect(await server.command.ending().status == 0)
                #expect(!taken.isEmpty, "seed \(seed): nothing was answered")
                #expect(taken.subtracting(facts) == [], "seed \(seed): answered, and not there")
            }
        }
    }
}

/// Purchases that the App Store reports, four at a time, until it is over.
private final class Purchases: Sendable {
    let answered = Mutex<Set<String>>([])
    let isOver = Atomic(false)

    func send(by signer: JWSSigner, to port: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 1...4 {
                group.addTask { [self] in
                    var number = 0
                    while !isOver.load(ordering: .acquiring) {
                        number += 1
                        let id = "\(sender)-\(number)"
                        if try await isTaken(id, signer, port) { answered.withLock { _ = $0.insert(id) } }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Sends a purchase of its own chain. A server that is gone has answered nothing.
    private func isTaken(_ id: String, _ signer: JWSSigner, _ port: Int) async throws -> Bool {
        let nowMs = Int64(Date().timeIntervalSince1970 * 1000) - 1_000
        func sign(_ payload: [String: Any]) throws -> String {
            try signer.sign(JSONSerialization.data(withJSONObject: payload))
        }
        let app: [String: Any] = ["bundleId": "com.example.app", "environment": "Production"]
        let transaction: [String: Any] = [
            "transactionId": id, "originalTransactionId": id, "productId": "com.example.app.yearly", "purchaseDate": nowMs,
            "type": "Non-Consumable", "signedDate": nowMs,
        ]
        let notification: [String: Any] = [
            "notificationType": "ONE_TIME_CHARGE", "notificationUUID": UUID().uuidString.lowercased(), "version": "2.0", "signedDate": nowMs,
            "data": app.merging(["appAppleId": 1_234_567_890, "signedTransactionInfo": try sign(transaction.merging(app) { $1 })]) { $1 },
        ]
        var request = URLRequest(url: URL(string: "http://127.0.0.1:\(port)/v1/app-store/notifications")!)
        request.httpMethod = "POST"
        request.httpBody = try JSONSerialization.data(withJSONObject: ["signedPayload": try sign(notification)])
        guard let (_, response) = try? await URLSession.shared.data(for: request) else {
            try await Task.sleep(for: .milliseconds(20))
            return false
        }
        return (response as? HTTPURLResponse)?.statusCode == 200
    }
}

extension StoredTruth {
    /// The transactions that are facts.
    fileprivate func transactions() async throws -> Set<String> {
        try await database.read { connection in
            Set(try connection.rows("SELECT fact_id FROM purchase_fact", []).map { try $0.text("fact_id") })
        }
    }
}
