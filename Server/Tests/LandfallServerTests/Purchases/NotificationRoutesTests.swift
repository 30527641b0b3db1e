// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallPurchases
import LandfallSimulator
import LandfallTesting
import LandfallWire
import NIOCore
import Testing

@testable import LandfallNode
@testable import LandfallServer
@testable import LandfallStore

@Suite("What the App Store reports", .timeLimit(.minutes(1)))
struct NotificationRoutesTests {
    private static let tables = ["jws_header", "app_store_notification", "purchase_fact", "purchase_chain", "charge", "job"]
    private static let nowMs = Int64((ManualClock().date.timeIntervalSince1970 * 1000).rounded(.down))

    /// A server that trusts the store's root.
    private func running(
        faults: StoreFaults? = nil, _ body: @Sendable (TestServer, SignedStore) async throws -> Void
    ) async throws {
        let store = try SignedStore(nowMs: Self.nowMs)
        try await TestServer.run(faults: faults, trust: store.trust()) { try await body($0, store) }
    }

    @Test("is answered when it is on disk with the job that works on it, without any key")
    func stored() async throws {
        try await running { server, store in
            let text = try store.subscribed()

            let response = try await server.notify(text)

            #expect(response.status == .ok && String(buffer: response.body) == "{}")
            #expect(try await server.counts(Self.tables) == [1, 1, 0, 0, 0, 1])
            let waiting = try await server.services.notifications.waiting(NotificationName(key: server.jobKeys()[0])!, in: server.app)
            #expect(waiting?.signedPayload == text)
            #expect(server.services.metrics.text().contains(#"landfall_app_store_notifications_total{outcome="stored"} 1"#))
        }
    }

    @Test("twice is 200 twice, and one row; the same id in another environment is another notification")
    func duplicates() async throws {
        try await running { server, store in
            var sandbox = store
            sandbox.environment = "Sandbox"

            for text in try [store.subscribed(), store.subscribed(), sandbox.subscribed()] {
                #expect(try await server.notify(text).status == .ok)
            }

            #expect(try await server.counts(["app_store_notification", "job"]) == [2, 2])
            #expect(server.services.metrics.text().contains(#"outcome="duplicate"} 1"#))
        }
    }

    /// What somebody sends who cannot sign as the App Store does.
    enum Forgery: String, CaseIterable, Sendable {
        case otherRoot, leafUnmarked, intermediateUnmarked, otherAlgorithm, twoCertificates, changedPayload, noSignature
        case innerOfOtherRoot, innerOfOtherApp, renewalOfOtherChain, otherApp, otherEnvironmentInside, text

        /// - Returns: a text, and the code of the refusal.
        func made(by store: SignedStore) throws -> (String, ErrorCode) {
            let whole = try store.subscribed()
            let parts = whole.split(separator: ".").map(String.init)
            let stranger = try SignedStore(nowMs: store.nowMs)
            var otherApp = store
            otherApp.bundleID = "com.example.other"
            var sandbox = store
            sandbox.environment = "Sandbox"
            func below(leaf: String?, intermediate: String?) throws -> SignedStore {
                var leafOrder = CertificateOrder.leaf, order = CertificateOrder.intermediate
                (leafOrder.marker, order.marker) = (leaf, intermediate)
                return try SignedStore(nowMs: store.nowMs, chain: SigningChain(root: store.chain.root, intermediate: order, leaf: leafOrder))
            }
            func inside(_ data: [String: Any]) throws -> String {
                try store.notification("00000000-0000-4000-8000-000000000009", data: data)
            }
            switch self {
            case .otherRoot: return (try stranger.subscribed(), .purchaseForged)
            case .leafUnmarked: return (try below(leaf: nil, intermediate: CertificateOrder.intermediate.marker).subscribed(), .purchaseForged)
            case .intermediateUnmarked: return (try below(leaf: CertificateOrder.leaf.marker, intermediate: nil).subscribed(), .purchaseForged)
            case .otherAlgorithm: return (JWSSigner(store.chain, algorithm: "HS256").header + "." + parts[1] + "." + parts[2], .purchaseForged)
            case .twoCertificates:
                let signer = JWSSigner(store.chain, certificates: Array(store.chain.certificates.prefix(2)))
                return (try signer.sign(Data("{}".utf8)), .purchaseForged)
            case .changedPayload: return (parts[0] + "." + (try stranger.subscribed()).split(separator: ".")[1] + "." + parts[2], .purchaseForged)
            case .noSignature: return (parts[0] + "." + parts[1] + ".", .purchaseForged)
            case .innerOfOtherRoot: return (try inside(["signedTransactionInfo": stranger.transaction()]), .purchaseForged)
            case .innerOfOtherApp: return (try inside(["signedTransactionInfo": otherApp.transaction()]), .purchaseForeign)
            case .renewalOfOtherChain:
                return (
                    try inside(["signedTransactionInfo": store.transaction(), "signedRenewalInfo": store.renewal(of: "7")]), .purchaseForged
                )
            case .otherApp: return (try otherApp.subscribed(), .purchaseForeign)
            case .otherEnvironmentInside: return (try inside(["signedTransactionInfo": sandbox.transaction()]), .purchaseEnvironment)
            case .text: return ("signed by nobody", .purchaseForged)
            }
        }
    }

    @Test("that is forged or foreign is refused, and every table stays empty", arguments: Forgery.allCases)
    func forgeries(forgery: Forgery) async throws {
        try await running { server, store in
            let (text, code) = try forgery.made(by: store)

            let response = try await server.notify(text)

            #expect(response.status == .badRequest)
            #expect(response.problem?.code == code)
            #expect(try await server.counts(Self.tables).allSatisfy { $0 == 0 })
        }
    }

    @Test("without Apple's signature is refused by a server that trusts Apple alone")
    func appleOnly() async throws {
        let text = try SignedStore(nowMs: Self.nowMs).subscribed()
        try await TestServer.run { server in
            let response = try await server.notify(text)

            #expect(response.problem?.code == .purchaseForged)
        }
    }

    @Test("that is genuine and from the future is 503: this server's clock is behind, and Apple sends it again")
    func future() async throws {
        try await running { server, store in
            let text = try store.notification("00000000-0000-4000-8000-000000000008", data: [:], adding: ["signedDate": store.nowMs + 600_000])

            let response = try await server.notify(text)

            #expect(response.status == .serviceUnavailable && response.problem?.code == .busy)
            #expect(try await server.counts(Self.tables).allSatisfy { $0 == 0 })
        }
    }

    @Test("of 2 MiB, of no JSON and without its text is refused before anything is verified")
    func bodies() async throws {
        try await running { server, _ in
            let large = try await server.notify(String(repeating: "x", count: 2 << 20))
            let broken = try await server.send(.post, NotificationRoutes.path, "{", phone: nil, key: nil)
            let deep = try await server.send(
                .post, NotificationRoutes.path, String(repeating: #"{"signedPayload":"#, count: 5_000), phone: nil, key: nil)
            let empty = try await server.send(.post, NotificationRoutes.path, "{}", phone: nil, key: nil)

            #expect(large.status == .contentTooLarge && large.problem?.code == .bodyTooLarge)
            #expect(broken.problem?.code == .malformedJSON)
            #expect(deep.status == .badRequest)
            #expect(empty.problem?.code == .invalidValue)
            #expect(try await server.counts(Self.tables).allSatisfy { $0 == 0 })
        }
    }

    @Test("is 503 while the store takes nothing, so that Apple sends it again", arguments: [DatabaseError.busy, .diskLow, .retry("full"), .failed("?")])
    func trouble(error: DatabaseError) async throws {
        let faults = StoreFaults()
        try await running(faults: faults) { server, store in
            faults.writes(.refuse(error))
            let refused = try await server.notify(store.subscribed())
            faults.heal()
            let taken = try await server.notify(store.subscribed())

            #expect(refused.status == .serviceUnavailable && refused.headers[.retryAfter] != nil)
            #expect(taken.status == .ok)
            #expect(try await server.counts(["app_store_notification"]) == [1])
        }
    }

    @Test("waits out the store's trouble, which counts as no try of its work")
    func away() async throws {
        let faults = StoreFaults()
        try await running(faults: faults) { server, store in
            _ = try await server.notify(store.subscribed())
            try await server.services.database.write { _ = try $0.run("UPDATE job SET attempts = 7") }
            let nowMs = server.services.time.nowMs(), queue = JobQueue(database: server.services.database)
            let job = try #require(try await queue.lease(.notification, 1, nowMs: nowMs, leaseMs: 30_000).first)
            let work = try #require(server.services.works(.silent).first { $0.kind == .notification })

            faults.writes(.refuse(.retry("away")))

            #expect(job.attempts == 8)
            #expect(try await work.attempt(job) == .again(atMs: nowMs + 15_000))
        }
    }

    @Test("accepts POST only")
    func method() async throws {
        try await TestServer.run { server in
            let response = try await server.send(.get, NotificationRoutes.path, phone: nil, key: nil)

            #expect(response.status == .methodNotAllowed && response.headers[.allow] == "POST")
        }
    }
}
