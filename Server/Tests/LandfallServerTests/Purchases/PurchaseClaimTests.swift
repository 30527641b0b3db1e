// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallPurchases
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Whose a reported purchase is", .timeLimit(.minutes(1)))
struct PurchaseClaimTests {
    private static let nowMs = Int64((ManualClock().date.timeIntervalSince1970 * 1000).rounded(.down))
    private static let exposure = "0198f0c2-7b1a-7c3d-8e4f-000003000000"

    private static func configuration(_ owner: OwnerRule, _ sandbox: SandboxRule = .grant) -> Configuration {
        var configuration = Configuration.sample()
        configuration.purchases.accessLevels = [AccessLevel(rawValue: "premium")]
        configuration.purchases.products = [ProductRule(name: .exactly("yearly"), access: [AccessLevel(rawValue: "premium")])]
        (configuration.purchases.owner, configuration.purchases.sandbox) = (owner, sandbox)
        return configuration
    }

    private func running(
        _ owner: OwnerRule = .transfer, sandbox: SandboxRule = .grant, _ body: @Sendable (TestServer, SignedStore) async throws -> Void
    ) async throws {
        let store = try SignedStore(nowMs: Self.nowMs)
        try await TestServer.run(configuration: Self.configuration(owner, sandbox), trust: store.trust()) { try await body($0, store) }
    }

    private func first(_ number: Int) -> ProfileID { .first(of: InstallID(Phone(number).id)) }

    private func origins(_ server: TestServer) async throws -> [[SQLValue]] {
        try await server.rows("SELECT brought_by_install, exposure_id FROM purchase_chain ORDER BY chain_id").map(\.values)
    }

    private func report(
        _ text: String, exposure: String?, _ reason: PurchaseReason, key: String, by phone: Phone, to server: TestServer
    ) async throws -> PurchaseAnswer {
        let report = PurchaseReport(
            key: IdempotencyKey(key), reason: reason, transactions: [.init(jws: text, exposure: exposure)])
        return try await server.send(
            .post, WirePath.purchases, String(decoding: WireCoding.encode(report), as: UTF8.self), phone: phone
        ).decoded(PurchaseAnswer.self)
    }

    @Test("is one chain for each environment, also with one id")
    func environments() async throws {
        try await running { server, store in
            var sandbox = store
            sandbox.environment = "Sandbox"

            let answer = try await server.report([store.transaction(), sandbox.transaction()])

            #expect(answer.results.map(\.status) == [.accepted, .accepted])
            let chains = try await server.rows("SELECT chain_id FROM purchase_chain ORDER BY chain_id").map { try $0.text("chain_id") }
            #expect(chains == ["Production:1", "Sandbox:1"])
            #expect(try await server.counts(["purchase_fact", "profile_chain", "charge"]) == [2, 2, 1])
            let entries = try await server.access(of: Phone())?.entries
            // Each with its days of grace.
            #expect(entries?.map(\.isSandbox) == [false, false, true, true])
        }
    }

    @Test("waits for the server's clock if that is ten minutes behind: nothing is stored, and the same call succeeds later")
    func clock() async throws {
        try await running { server, store in
            let bought = try store.transaction(adding: ["signedDate": Self.nowMs + 600_000])
            let report = PurchaseReport(key: "k1", reason: .purchase, transactions: [.init(jws: bought)])

            let late = try await server.send(.post, WirePath.purchases, String(decoding: WireCoding.encode(report), as: UTF8.self))
            let counts = try await server.counts(["purchase_fact", "purchase_chain", "request_key"])
            server.clock.advance(by: .seconds(600))
            let taken = try await server.report([bought], .purchase)

            #expect(late.status == .serviceUnavailable && late.problem?.code == .busy && late.headers[.retryAfter] != nil)
            #expect(counts == [0, 0, 0])
            #expect(taken.results.map(\.status) == [.accepted])
        }
    }

    @Test("may be taken by a repeated call if the call before was refused, and nobody has it")
    func refusedBefore() async throws {
        try await running(.keep, sandbox: .refuse) { server, store in
            var sandbox = store
            sandbox.environment = "Sandbox"
            let bought = try sandbox.transaction()
            let refused = try await server.report([bought])

            _ = server.services.configuration.serve(Snapshot(Self.configuration(.keep), revision: 8))
            let repeated = try await server.report([bought])

            #expect(refused.results.map(\.code) == [.purchaseEnvironment])
            #expect(repeated.results == [.init(transactionId: "2", status: .accepted)])
            #expect(try await server.owners() == [first(1).rawValue])
        }
    }

    @Test("goes with who bought before they signed in to their account, under every rule", arguments: OwnerRule.allCases)
    func signedIn(owner: OwnerRule) async throws {
        try await running(owner) { server, store in
            let bought = try store.transaction(), person = Identification(key: "i", customerID: "maya", isVerified: true)
            _ = try await server.services.installs.identify(server.app, Phone(1).credential, person, nowMs: Self.nowMs)
            _ = try await server.report([bought], .purchase, by: Phone(2))
            let customer = try await server.services.installs.identify(server.app, Phone(2).credential, person, nowMs: Self.nowMs)

            let answer = try await server.report([bought], key: "k2", by: Phone(2))

            #expect(customer.profileID == first(1))
            #expect(answer.results == [.init(transactionId: "2", status: .duplicate)])
            #expect(try await server.owners() == [first(1).rawValue])
            for phone in [Phone(1), Phone(2)] { #expect(try await server.access(of: phone)?.subscriptions.count == 1) }
            #expect(try await server.counts(["profile_chain"]) == [1])
        }
    }

    @Test("can be had back by whom its token names, however often somebody with a copy of the text took it")
    func named() async throws {
        try await running { server, store in
            let tokens = PurchaseTokens(key: server.services.mark.purchaseKey)
            _ = try await server.firstOpen("{}", phone: Phone(1))
            let bought = try store.transaction(adding: ["appAccountToken": #require(tokens.token(of: first(1)))])
            for (number, phone) in [1, 2, 1, 2].enumerated() {
                let answer = try await server.report([bought], .restore, key: "k\(number)", by: Phone(phone))
                #expect(answer.results.map(\.code) == [nil])
            }

            let back = try await server.report([bought], .restore, key: "back", by: Phone(1))
            let more = try await server.report([bought], .restore, key: "more", by: Phone(2))

            #expect(back.results.map(\.code) == [nil])
            #expect(more.results.map(\.code) == [.purchaseOwned])
            #expect(try await server.owners() == [first(1).rawValue])
        }
    }

    @Test("names the install and the exposure by which its first owner brought it, and no later owner's")
    func origin() async throws {
        try await running { server, store in
            let bought = try store.transaction(), other = "0198f0c2-7b1a-7c3d-8e4f-000003000001"

            _ = try await report(bought, exposure: "not an id", .sync, key: "k1", by: Phone(1), to: server)
            let before = try await origins(server)
            _ = try await report(bought, exposure: Self.exposure, .purchase, key: "k2", by: Phone(1), to: server)
            _ = try await report(bought, exposure: other, .restore, key: "k3", by: Phone(2), to: server)

            #expect(before == [[.text(Phone(1).id), .null]])
            #expect(try await origins(server) == [[.text(Phone(1).id), .text(Self.exposure)]])
            #expect(try await server.owners() == [first(2).rawValue])
        }
    }

    @Test("does not name a later owner's install if Apple reported it first")
    func originOfToken() async throws {
        try await running { server, store in
            let tokens = PurchaseTokens(key: server.services.mark.purchaseKey)
            _ = try await server.firstOpen("{}", phone: Phone(1))
            let bought = try store.transaction(adding: ["appAccountToken": #require(tokens.token(of: first(1)))])
            _ = try await server.notify(
                store.notification("00000000-0000-4000-8000-000000000001", data: ["status": 1, "signedTransactionInfo": bought]))
            try await server.workOnNotifications()

            _ = try await server.report([bought], .restore, by: Phone(2))
            let moved = try await origins(server)
            _ = try await server.report([bought], .sync, key: "k2", by: Phone(2))
            _ = try await server.report([bought], .restore, by: Phone(1))
            _ = try await server.report([bought], .sync, key: "k2", by: Phone(1))

            #expect(moved == [[.null, .null]])
            let back = try await origins(server)
            #expect(back == [[.text(Phone(1).id), .null]])
        }
    }

    @Test("is gone after its owner was erased, also when Apple reports a renewal with the owner's token; who brings it again has it")
    func erased() async throws {
        try await running(.keep) { server, store in
            let token = try #require(PurchaseTokens(key: server.services.mark.purchaseKey).token(of: first(1)))
            let chains = try (1...25).map { try store.transaction("\($0)", of: "\($0)", adding: ["appAccountToken": token]) }
            _ = try await report(chains[0], exposure: Self.exposure, .purchase, key: "k1", by: Phone(1), to: server)
            _ = try await server.report(chains, key: "k2", by: Phone(1))
            let owned = try await server.owners().count

            _ = try await server.send(.delete, WirePath.profile, phone: Phone(1))
            let renewed = try store.transaction("99", of: "1", daysAgo: 0, adding: ["appAccountToken": token, "transactionReason": "RENEWAL"])
            _ = try await server.notify(
                store.notification("00000000-0000-4000-8000-000000000001", "DID_RENEW", nil, data: ["status": 1, "signedTransactionInfo": renewed]))
            try await server.workOnNotifications()

            #expect(owned == 25)
            #expect(try await server.owners() == [])
            #expect(try await server.counts(["profile", "profile_chain", "install", "purchase_fact", "purchase_chain", "charge"]) == [0, 0, 0, 0, 0, 0])
            // With the renewal.
            #expect(try await server.money().values.reduce(0, +) == 25 + 1)
            let restored = try await server.report([renewed], .restore, by: Phone(2))
            #expect(restored.results == [.init(transactionId: "99", status: .accepted)])
            #expect(try await server.owners() == [first(2).rawValue])
        }
    }

    @Test("stays with those who share it when its owner or one of them is erased", arguments: [1, 2])
    func sharedAndErased(erased: Int) async throws {
        try await running(.share) { server, store in
            let bought = try store.transaction()
            for number in 1...3 { _ = try await server.report([bought], .restore, by: Phone(number)) }

            _ = try await server.send(.delete, WirePath.profile, phone: Phone(erased))

            for number in 1...3 where number != erased {
                #expect(try await server.access(of: Phone(number))?.subscriptions.count == 1)
            }
            let traces = try await StoredCells(server.services.database).places(of: [first(erased).rawValue, Phone(erased).id])
            #expect(traces == [])
            #expect(try await server.counts(["profile_chain"]) == [2])
        }
    }

    @Test("is refused with a body of 2 MiB or one that is nested deep, and nothing is stored")
    func bodies() async throws {
        try await running { server, _ in
            let deep = #"{"key":"k","reason":"sync","transactions":"# + String(repeating: "[", count: 500_000)

            let large = try await server.send(.post, WirePath.purchases, String(repeating: "x", count: 2 << 20))
            let nested = try await server.send(.post, WirePath.purchases, deep)

            #expect(large.problem?.code == .bodyTooLarge)
            #expect(nested.status == .badRequest)
            #expect(try await server.counts(["install", "request_key", "purchase_fact"]) == [0, 0, 0])
        }
    }
}
