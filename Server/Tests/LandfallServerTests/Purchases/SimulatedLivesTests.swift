// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallSimulator
import LandfallTesting
import Testing

@testable import LandfallServer
@testable import LandfallStore

@Suite("Whole lives of purchases", .timeLimit(.minutes(2)))
struct SimulatedLivesTests {
    private static let nowMs = Int64((ManualClock().date.timeIntervalSince1970 * 1000).rounded(.down))

    @Test("end in the same rows, whether they come one by one or shuffled and repeated", arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func order(seed: UInt64) async throws {
        let store = try SignedStore(nowMs: Self.nowMs)
        let texts = try (0..<5).flatMap { try Self.posts(of: seed * 10 + $0, signer: store.signer) }
        var random = SeededRandom(seed: seed)
        let shuffled = (texts + texts.prefix(texts.count / 2)).shuffled(using: &random)

        try await TestServer.run(trust: store.trust()) { ordered in
            for text in texts {
                #expect(try await ordered.notify(text).status == .ok)
                try await ordered.workOnNotifications()
            }
            try await TestServer.run(trust: store.trust()) { other in
                for text in shuffled { #expect(try await other.notify(text).status == .ok) }
                try await other.workOnNotifications(1_000)

                #expect(try await other.folded() == ordered.folded())
                #expect(try await other.counts(["job"]) == [0])
                #expect(try await other.rows("SELECT 1 FROM app_store_notification WHERE reason IS NOT NULL").isEmpty)
                #expect(try await other.counts(["app_store_notification"]) == [Int64(texts.count)])
            }
        }
    }

    /// What is posted about one life. A purchase without an environment is refused, so none is drawn here.
    private static func posts(of seed: UInt64, signer: JWSSigner) throws -> [String] {
        let id = SimulatedProduct.drawnID(seed).replacing("environment=none", with: "environment=Sandbox")
        let life = try PurchaseLife(SimulatedPurchase(productId: id), seed: seed, start: nowMs - 1_500 * 86_400_000)
        return try life.events.filter { $0.at <= nowMs }.compactMap { event in
            try life.notification(event, signer: signer).map { try signer.sign($0) }
        }
    }
}
