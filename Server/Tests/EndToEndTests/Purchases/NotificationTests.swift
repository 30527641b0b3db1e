// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallSimulator
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Purchases over HTTP, signed by a simulated App Store", .timeLimit(.minutes(1)))
struct NotificationTests {
    @Test("A notification is answered and worked on; one that another root has signed is refused")
    func notification() async throws {
        let chain = try SigningChain()
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("landfall-root-\(UUID().uuidString).pem")
        try chain.root.pem.write(to: root, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: root) }
        try await Site.run(appStoreRoot: root.path) { site in
            let forged = try await Self.send(try Self.purchase(JWSSigner(SigningChain())), to: site)
            let taken = try await Self.send(try Self.purchase(JWSSigner(chain)), to: site)

            #expect(forged.status == 400 && forged.text.contains("purchase_forged"))
            #expect(taken.status == 200)
            #expect(try await Self.text(of: "readyz", at: site).contains("\napp store root "))
            var metrics = ""
            while !metrics.contains(#"landfall_app_store_notifications_processed_total{outcome="done"} 1"#) {
                metrics = try await Self.text(of: "metrics", at: site)
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(metrics.contains(#"landfall_app_store_notifications_total{outcome="forged"} 1"#))
        }
    }

    /// A notification about one year of a subscription.
    private static func purchase(_ signer: JWSSigner) throws -> String {
        let nowMs = Int64(Date().timeIntervalSince1970 * 1000) - 1_000
        func sign(_ payload: [String: Any]) throws -> String { try signer.sign(JSONSerialization.data(withJSONObject: payload)) }
        let app: [String: Any] = ["bundleId": "com.example.app", "environment": "Sandbox"]
        let transaction: [String: Any] = [
            "transactionId": "1", "originalTransactionId": "1", "productId": "com.example.app.yearly", "purchaseDate": nowMs,
            "expiresDate": nowMs + 31_536_000_000, "type": "Auto-Renewable Subscription", "signedDate": nowMs,
        ]
        return try sign([
            "notificationType": "SUBSCRIBED", "subtype": "INITIAL_BUY", "notificationUUID": UUID().uuidString.lowercased(), "version": "2.0",
            "signedDate": nowMs, "data": app.merging(["appAppleId": 1_234_567_890, "signedTransactionInfo": try sign(transaction.merging(app) { $1 })]) { $1 },
        ])
    }

    private static func send(_ signedPayload: String, to site: Site) async throws -> (status: Int, text: String) {
        var request = URLRequest(url: site.server.appendingPathComponent("v1/app-store/notifications"))
        request.httpMethod = "POST"
        request.httpBody = try JSONSerialization.data(withJSONObject: ["signedPayload": signedPayload])
        let (body, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: body, as: UTF8.self))
    }

    private static func text(of path: String, at site: Site) async throws -> String {
        String(decoding: try await URLSession.shared.data(from: site.server.appendingPathComponent(path)).0, as: UTF8.self)
    }
}
