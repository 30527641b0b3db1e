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

@Suite("A phone that reports its purchases", .timeLimit(.minutes(1)))
struct PurchaseRoutesTests {
    private static let nowMs = Int64((ManualClock().date.timeIntervalSince1970 * 1000).rounded(.down))
    private static let premium = AccessLevel(rawValue: "premium")

    private func running(
        _ owner: OwnerRule = .transfer, sandbox: SandboxRule = .grant,
        _ body: @Sendable (TestServer, SignedStore) async throws -> Void
    ) async throws {
        let store = try SignedStore(nowMs: Self.nowMs)
        var configuration = Configuration.sample()
        configuration.purchases.accessLevels = [Self.premium]
        configuration.purchases.products = [ProductRule(name: .exactly("yearly"), access: [Self.premium])]
        (configuration.purchases.owner, configuration.purchases.sandbox) = (owner, sandbox)
        try await TestServer.run(configuration: configuration, trust: store.trust()) { try await body($0, store) }
    }

    @Test("gets a result for each, and its profile has access when the answer arrives")
    func accepted() async throws {
        try await running { server, store in
            let bought = try store.transaction(), forged = try SignedStore(nowMs: Self.nowMs).transaction()
            var other = store
            other.bundleID = "com.example.other"

            let first = try await server.report([bought, forged, other.transaction()])
            let second = try await server.report([bought], key: "k2")

            #expect(
                first.results == [
                    .init(transactionId: "2", status: .accepted), .init(status: .rejected, code: .purchaseForged),
                    .init(status: .rejected, code: .purchaseForeign),
                ])
            #expect(second.results == [.init(transactionId: "2", status: .duplicate)])
            #expect(try await server.access(of: Phone())?.entry(of: Self.premium, at: Self.nowMs)?.period.state == .active)
            #expect(try await server.counts(["purchase_fact", "purchase_chain", "profile_chain"]) == [1, 1, 1])
        }
    }

    @Test("does its work once for each key: a call that comes again late moves nothing back")
    func repeated() async throws {
        try await running { server, store in
            let bought = try store.transaction()
            _ = try await server.report([bought], .restore, key: "k1", by: Phone(1))
            _ = try await server.report([bought], .restore, key: "k1", by: Phone(2))

            let late = try await server.report([bought], .restore, key: "k1", by: Phone(1))

            #expect(late.results == [.init(transactionId: "2", status: .rejected, code: .purchaseOwned)])
            #expect(try await server.owners() == [ProfileID.first(of: InstallID(Phone(2).id)).rawValue])
            #expect(try await server.access(of: Phone(1))?.entries.isEmpty == true)
        }
    }

    @Test("takes purchases of an anonymous person without being asked, and of a customer only if the person restores them")
    func transfer() async throws {
        try await running { server, store in
            let bought = try store.transaction()
            _ = try await server.report([bought], by: Phone(1))
            _ = try await server.report([bought], by: Phone(2))
            _ = try await server.send(.post, WirePath.identify, #"{"key":"i","customerId":"maya"}"#, phone: Phone(2))

            let passive = try await server.report([bought], key: "k2", by: Phone(1))
            let before = try await server.owners()
            let restored = try await server.report([bought], .restore, key: "k3", by: Phone(1))

            #expect(passive.results.map(\.code) == [.purchaseOwned])
            #expect(before == [ProfileID.first(of: InstallID(Phone(2).id)).rawValue])
            #expect(restored.results.map(\.status) == [.duplicate])
            #expect(try await server.access(of: Phone(1))?.entry(of: Self.premium, at: Self.nowMs)?.period.state == .active)
            #expect(try await server.access(of: Phone(2))?.entry(of: Self.premium, at: Self.nowMs) == nil)
        }
    }

    @Test("leaves one owner when fifty profiles report one chain at once, under every rule", arguments: OwnerRule.allCases)
    func crowd(owner: OwnerRule) async throws {
        try await running(owner) { server, store in
            let bought = try store.transaction()

            let codes = try await withThrowingTaskGroup(of: ErrorCode?.self) { group in
                for number in 1...50 {
                    group.addTask { try await server.report([bought], .restore, by: Phone(number)).results[0].code }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            let users = owner == .keep ? 1 : owner == .share ? 4 : 1
            #expect(codes.filter { $0 == nil }.count == (owner == .keep ? 1 : 4))
            #expect(codes.compactMap(\.self).allSatisfy { $0 == .purchaseOwned })
            #expect(try await server.owners().count == 1)
            #expect(try await server.counts(["profile_chain", "purchase_chain", "purchase_fact"]) == [Int64(users), 1, 1])
        }
    }

    @Test("finds the buyer by the token in the purchase, also on another phone, and a notification finds them alone")
    func token() async throws {
        try await running(.keep) { server, store in
            let tokens = PurchaseTokens(key: server.services.mark.purchaseKey), buyer = ProfileID.first(of: InstallID(Phone(1).id))
            let token = try #require(tokens.token(of: buyer)?.uppercased())
            _ = try await server.firstOpen("{}", phone: Phone(1))

            let reported = try await server.report([store.transaction(adding: ["appAccountToken": token])], .purchase, by: Phone(2))
            let renewed = try store.transaction("9", of: "9", adding: ["appAccountToken": token])
            _ = try await server.notify(
                store.notification("00000000-0000-4000-8000-000000000001", data: ["status": 1, "signedTransactionInfo": renewed]))
            try await server.workOnNotifications()

            #expect(reported.results.map(\.code) == [.purchaseOwned])
            #expect(try await server.owners() == [buyer.rawValue, buyer.rawValue])
            #expect(try await server.access(of: Phone(1))?.subscriptions.map(\.standing.transactionID) == ["2", "9"])
        }
    }

    @Test("sees an end that passes in the next answer, cached or not, and neither the version nor the store changes")
    func end() async throws {
        try await running { server, store in
            let bought = try await server.report([store.transaction(daysAgo: 1)]).profile
            let before = try await server.send(.get, WirePath.profile).decoded(ProfileAnswer.self).profile
            let rows = try await server.rows("SELECT version, access FROM profile").map(\.values)

            server.clock.advance(by: .seconds(29 * 86_400))
            let after = try await server.send(.get, WirePath.profile).decoded(ProfileAnswer.self).profile

            let level = try #require(before.accessLevels?["premium"]), ended = try #require(after.accessLevels?["premium"])
            #expect(bought.accessLevels == before.accessLevels)
            #expect((level.isActive, level.state, level.productId) == (true, .active, "yearly"))
            #expect(level.endsAtMilliseconds == Self.nowMs + 29 * 86_400_000)
            #expect((ended.isActive, ended.state) == (false, .expired))
            #expect((after.version, after.asOfMilliseconds) == (before.version, Self.nowMs + 29 * 86_400_000))
            #expect(after.subscriptions?.map(\.isActive) == [false])
            #expect(try await server.rows("SELECT version, access FROM profile").map(\.values) == rows)
        }
    }

    @Test("without a purchase sees its token, and that nothing is known; then that everything is")
    func known() async throws {
        try await running { server, _ in
            let before = try await server.send(.get, WirePath.profile).decoded(ProfileAnswer.self).profile
            let report = PurchaseReport(key: "k", reason: .sync, historyComplete: true, transactions: [])

            let after = try await server.send(
                .post, WirePath.purchases, String(decoding: WireCoding.encode(report), as: UTF8.self)
            ).decoded(PurchaseAnswer.self).profile

            #expect((before.purchasesKnown, after.purchasesKnown) == (false, true))
            #expect(before.accessLevels == [:] && before.subscriptions == [] && before.oneTimePurchases == [])
            #expect(before.purchaseToken.flatMap { UUID(uuidString: $0) } != nil)
            #expect(after.purchaseToken == before.purchaseToken)
        }
    }

    @Test("hears of a refund that Apple reports, on every phone of the person")
    func notified() async throws {
        try await running { server, store in
            let person = Identification(key: "i", customerID: "maya", isVerified: true)
            for phone in [Phone(1), Phone(2)] {
                _ = try await server.services.installs.identify(server.app, phone.credential, person, nowMs: Self.nowMs)
            }
            _ = try await server.report([store.transaction()], by: Phone(1))
            let after = try await server.send(.get, WirePath.profile, phone: Phone(2)).decoded(ProfileAnswer.self).profile.version
            async let held = server.send(.get, "/v1/profiles/me?after=\(after)&wait=30000", phone: Phone(2))
            await server.clock.waitForSleeper()

            let refund = try store.transaction(adding: ["revocationDate": Self.nowMs - 900, "signedDate": Self.nowMs - 500])
            _ = try await server.notify(
                store.notification("00000000-0000-4000-8000-000000000001", "REFUND", nil, data: ["signedTransactionInfo": refund]))
            try await server.workOnNotifications()

            #expect(try await held.decoded(ProfileAnswer.self).profile.version > after)
            for phone in [Phone(1), Phone(2)] {
                #expect(try await server.access(of: phone)?.entry(of: Self.premium, at: Self.nowMs)?.period.state == .revoked)
            }
        }
    }

    @Test("with purchases of the sandbox is refused where the configuration refuses them, or takes them from test devices")
    func sandbox() async throws {
        for rule in [SandboxRule.refuse, .testers] {
            try await running(sandbox: rule) { server, store in
                var sandbox = store
                sandbox.environment = "Sandbox"

                let answer = try await server.report([sandbox.transaction()])

                #expect(answer.results == [.init(transactionId: "2", status: .rejected, code: .purchaseEnvironment)])
                #expect(try await server.counts(["purchase_fact", "purchase_chain", "profile_chain"]) == [0, 0, 0])
            }
        }
    }

    @Test("is refused as a whole with too many transactions, and with a body that is too large")
    func limits() async throws {
        try await running { server, _ in
            let many = try await server.send(
                .post, WirePath.purchases, PurchaseReport.body((0..<51).map { _ in "x" }, .sync, key: "k"))
            let large = try await server.send(
                .post, WirePath.purchases, PurchaseReport.body([String(repeating: "x", count: 1_100_000)], .sync, key: "k"))

            #expect(many.problem?.code == .invalidValue)
            #expect(large.status == .contentTooLarge)
            #expect(try await server.report((0..<50).map { _ in "x" }).results.allSatisfy { $0.code == .purchaseForged })
        }
    }

    @Test("who is erased leaves nothing of the purchases, and who restores them has them")
    func erased() async throws {
        try await running(.keep) { server, store in
            let bought = try store.transaction()
            _ = try await server.report([bought], by: Phone(1))

            _ = try await server.send(.delete, WirePath.profile, phone: Phone(1))
            let left = try await server.counts(["purchase_chain", "profile_chain", "purchase_fact"])
            let restored = try await server.report([bought], .restore, by: Phone(2))

            #expect(left == [0, 0, 0])
            #expect(restored.results == [.init(transactionId: "2", status: .accepted)])
            #expect(try await server.counts(["profile_chain", "purchase_fact"]) == [1, 1])
        }
    }
}

extension PurchaseReport {
    fileprivate static func body(_ texts: [String], _ reason: PurchaseReason, key: String) throws -> String {
        let report = PurchaseReport(key: IdempotencyKey(key), reason: reason, transactions: texts.map { Transaction(jws: $0) })
        return String(decoding: try WireCoding.encode(report), as: UTF8.self)
    }
}

extension TestServer {
    /// What a phone sends, with the answer to it.
    func report(
        _ texts: [String], _ reason: PurchaseReason = .sync, key: String = "k1", by phone: Phone = Phone()
    ) async throws -> PurchaseAnswer {
        let response = try await send(.post, WirePath.purchases, PurchaseReport.body(texts, reason, key: key), phone: phone)
        #expect(response.status == .ok)
        return try response.decoded(PurchaseAnswer.self)
    }

    func access(of phone: Phone) async throws -> ProfileAccess? {
        try await services.installs.install(app, phone.credential, nowMs: services.time.nowMs()).access
    }

    /// Of each chain that has one.
    func owners() async throws -> [String] {
        try await rows("SELECT owner_profile FROM purchase_chain WHERE owner_profile IS NOT NULL ORDER BY chain_id").map {
            try $0.text("owner_profile")
        }
    }
}
