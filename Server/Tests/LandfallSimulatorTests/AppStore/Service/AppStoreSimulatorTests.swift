// SPDX-License-Identifier: Apache-2.0
import Foundation
import Hummingbird
import HummingbirdTesting
import Testing

@testable import LandfallSimulator

@Suite("The App Store's paths", .timeLimit(.minutes(1)))
struct AppStoreSimulatorTests {
    private let clock = MovedClock()

    @Test("a purchase answers with its id and a JWS of it")
    func purchase() async throws {
        try await simulated { client in
            let bought = try await buy("sim.trial=7d", client)
            let transaction = try bought.jws.payload(TransactionPayload.self)

            #expect(transaction.transactionId == bought.transactionId)
            #expect(transaction.productId == "sim.trial=7d")
            #expect(transaction.price == 0)
        }
    }

    @Test(
        "what cannot be read is refused with what to do",
        arguments: [
            ("/sim/purchases", "{", "Write {\"productId\""),
            ("/sim/purchases", "{}", "'productId' is missing"),
            ("/sim/purchases", #"{"productId":"sim.","storefront":"USA","priceMilliunits":"9","currency":"USD"}"#, "'priceMilliunits' has another type"),
            ("/sim/purchases", #"{"productId":"sim.","storefront":"US","priceMilliunits":9,"currency":"USD"}"#, "three capital letters, such as USA"),
            ("/sim/purchases", #"{"productId":"sim.","storefront":"USA","priceMilliunits":-9,"currency":"USD"}"#, "from 0 to"),
            (
                "/sim/purchases", #"{"productId":"sim.","storefront":"USA","priceMilliunits":9,"currency":"USD","appAccountToken":"me"}"#,
                "Write a UUID"
            ),
            ("/sim/purchases", #"{"productId":"sim.trail=1d","storefront":"USA","priceMilliunits":9,"currency":"USD"}"#, "'trail' is not a key"),
            ("/sim/refunds", "{}", "'transactionId' is missing"),
        ]
    )
    func badInput(path: String, body: String, sentence: String) async throws {
        try await simulated { client in
            try await client.execute(uri: path, method: .post, body: ByteBuffer(string: body)) { answer in
                let error = try JSONDecoder().decode([String: String].self, from: Data(answer.body.readableBytesView))["error"]
                #expect(answer.status == .badRequest)
                #expect(error?.contains(sentence) == true, "\(error ?? "")")
            }
        }
    }

    @Test("the history comes in pages of 20, and with its revision only what has changed since")
    func history() async throws {
        try await simulated { client in
            let bought = try await buy("sim.renewals=44", client)
            pass(days: 30 * 44 + 1)

            let first = try await get(History.self, "/inApps/v2/history/\(bought.transactionId)", client)
            let second = try await get(History.self, "/inApps/v2/history/\(bought.transactionId)?revision=\(first.revision)", client)
            let third = try await get(History.self, "/inApps/v2/history/\(bought.transactionId)?revision=\(second.revision)", client)
            try await client.execute(
                uri: "/sim/refunds", method: .post, body: ByteBuffer(string: #"{"transactionId":"\#(bought.transactionId)"}"#)
            ) { #expect($0.status == .ok) }
            let later = try await get(History.self, "/inApps/v2/history/\(bought.transactionId)?revision=\(third.revision)", client)
            let refunds = try await get(Refunds.self, "/inApps/v2/refund/lookup/\(bought.transactionId)", client)

            #expect([first, second, third].map(\.signedTransactions.count) == [20, 20, 5])
            #expect([first, second, third].map(\.hasMore) == [true, true, false])
            #expect(try transactions(later.signedTransactions).map(\.transactionId) == [bought.transactionId])
            #expect(try transactions(refunds.signedTransactions).map(\.revocationType) == ["REFUND_FULL"])
        }
    }

    @Test("a subscription's status is what is true now, signed now")
    func status() async throws {
        try await simulated { client in
            let bought = try await buy("sim.fail=1&grace=16d&recover=never", client)
            var seen: [Int] = []
            for days in [1, 30, 17, 60] {
                pass(days: days)
                let statuses = try await get(Statuses.self, "/inApps/v1/subscriptions/\(bought.transactionId)", client)
                let last = try #require(statuses.data.first?.lastTransactions.first)
                seen.append(last.status)
                #expect(try last.signedTransactionInfo.payload(TransactionPayload.self).signedDate == clock.now)
                #expect(try last.signedRenewalInfo.payload(RenewalPayload.self).originalTransactionId == bought.transactionId)
            }
            #expect(seen == [1, 4, 3, 2])
        }
    }

    @Test("a token that is set is in this renewal and in later ones")
    func token() async throws {
        let token = "0190a5c0-7e1b-4c3a-9f00-000000000001"
        try await simulated { client in
            let bought = try await buy("sim.renewals=1", client)
            try await client.execute(
                uri: "/inApps/v1/transactions/\(bought.transactionId)/appAccountToken", method: .put, headers: authorized,
                body: ByteBuffer(string: #"{"appAccountToken":"\#(token)"}"#)
            ) { #expect($0.status == .ok) }
            pass(days: 31)

            let history = try await get(History.self, "/inApps/v2/history/\(bought.transactionId)", client)
            let one = try await get(OneTransaction.self, "/inApps/v1/transactions/\(bought.transactionId)", client)

            #expect(try transactions(history.signedTransactions).map(\.appAccountToken) == [token, token])
            #expect(try one.signedTransactionInfo.payload(TransactionPayload.self).appAccountToken == token)
        }
    }

    @Test(
        "errors are Apple's",
        arguments: [
            ("/inApps/v1/transactions/123", 404, 4_040_010), ("/inApps/v1/transactions/abc", 400, 4_000_006),
            ("/inApps/v2/history/123", 404, 4_040_010), ("/inApps/v2/history/123?sort=UP", 400, 4_000_021),
            ("/inApps/v1/subscriptions/123?status=6", 400, 4_000_031), ("/inApps/v1/notifications/test/abc", 400, 4_000_020),
            ("/inApps/v1/notifications/test/0190a5c0-7e1b-4c3a-9f00-000000000001_1", 404, 4_040_008),
        ]
    )
    func errors(path: String, status: Int, code: Int) async throws {
        try await simulated { client in
            try await client.execute(uri: path, method: .get, headers: authorized) { answer in
                let failure = try JSONDecoder().decode(Failure.self, from: Data(answer.body.readableBytesView))
                #expect(answer.status.code == status)
                #expect(failure.errorCode == code)
            }
        }
    }

    @Test("a call without a token, or with one of another app, is not answered")
    func unauthenticated() async throws {
        try await simulated { client in
            for headers in [[:], [.authorization: "Bearer \(jwt(bundle: "com.example.other"))"], [.authorization: "Bearer a.b.c"]] as [HTTPFields] {
                try await client.execute(uri: "/inApps/v1/transactions/123", method: .get, headers: headers) {
                    #expect($0.status == .unauthorized)
                }
            }
        }
    }

    @Test("the history of notifications has them all, or one type, or one customer's; a TEST has its own status")
    func notifications() async throws {
        try await simulated { client in
            let bought = try await buy("sim.renewals=0", client)
            pass(days: 1)
            _ = try await buy("sim.type=consumable", client)
            pass(days: 30)

            #expect(try await types("", client) == ["SUBSCRIBED", "ONE_TIME_CHARGE", "DID_CHANGE_RENEWAL_STATUS", "EXPIRED"])
            #expect(try await types(#","notificationType":"EXPIRED""#, client) == ["EXPIRED"])
            #expect(try await types(#","transactionId":"\#(bought.transactionId)""#, client).count == 3)
            #expect(try await types(#","onlyFailures":true"#, client) == [])

            let sent = try await call(TestToken.self, "/inApps/v1/notifications/test", .post, "", client)
            let status = try await get(Item.self, "/inApps/v1/notifications/test/\(sent.testNotificationToken)", client)
            #expect(try NotificationPayload(signed: status.signedPayload).notificationType == "TEST")
        }
    }

    // MARK: -

    private struct Bought: Decodable { let transactionId, jws: String }
    private struct Failure: Decodable { let errorCode: Int }
    private struct TestToken: Decodable { let testNotificationToken: String }
    private struct OneTransaction: Decodable { let signedTransactionInfo: String }
    private struct Item: Decodable { let signedPayload: String }
    private struct Notifications: Decodable { let notificationHistory: [Item] }
    private struct History: Decodable {
        let revision: String
        let hasMore: Bool
        let signedTransactions: [String]
    }
    private struct Refunds: Decodable { let signedTransactions: [String] }
    private struct Statuses: Decodable {
        struct Group: Decodable { let lastTransactions: [Last] }
        struct Last: Decodable {
            let status: Int
            let signedTransactionInfo, signedRenewalInfo: String
        }
        let data: [Group]
    }

    private func simulated(_ body: @Sendable (any TestClientProtocol) async throws -> Void) async throws {
        let url = try #require(URL(string: "http://127.0.0.1:9/"))
        let simulator = AppStoreSimulator(.init(notify: url), chain: try SigningChain(), clock: { [clock] in clock.now })
        try await simulator.application().test(.router) { try await body($0) }
    }

    private func transactions(_ signed: [String]) throws -> [TransactionPayload] { try signed.map { try $0.payload(TransactionPayload.self) } }

    private func pass(days: Int) { clock.pass(Int64(days) * SimulatedPeriod.day) }

    private func buy(_ id: String, _ client: any TestClientProtocol) async throws -> Bought {
        let body = #"{"productId":"\#(id)","storefront":"USA","priceMilliunits":9990,"currency":"USD"}"#
        return try await call(Bought.self, "/sim/purchases", .post, body, client)
    }

    private func types(_ more: String, _ client: any TestClientProtocol) async throws -> [String] {
        let end = clock.now
        let body = #"{"startDate":\#(end - 40 * SimulatedPeriod.day),"endDate":\#(end)\#(more)}"#
        return try await call(Notifications.self, "/inApps/v1/notifications/history", .post, body, client)
            .notificationHistory.map { try NotificationPayload(signed: $0.signedPayload).notificationType }
    }

    private func get<Value: Decodable & Sendable>(_ type: Value.Type, _ path: String, _ client: any TestClientProtocol) async throws -> Value {
        try await call(type, path, .get, "", client)
    }

    private func call<Value: Decodable & Sendable>(
        _ type: Value.Type, _ path: String, _ method: HTTPRequest.Method, _ body: String, _ client: any TestClientProtocol
    ) async throws -> Value {
        try await client.execute(uri: path, method: method, headers: authorized, body: ByteBuffer(string: body)) { answer in
            #expect(answer.status == .ok, "\(String(buffer: answer.body))")
            return try JSONDecoder().decode(type, from: Data(answer.body.readableBytesView))
        }
    }

    private var authorized: HTTPFields { [.authorization: "Bearer \(jwt(bundle: "com.example.app"))"] }

    private func jwt(bundle: String) -> String {
        let second = clock.now / 1_000
        let header = #"{"alg":"ES256","kid":"K","typ":"JWT"}"#
        let claims = #"{"iss":"I","iat":\#(second),"exp":\#(second + 600),"aud":"appstoreconnect-v1","bid":"\#(bundle)"}"#
        return [Data(header.utf8), Data(claims.utf8), Data(repeating: 1, count: 64)].map {
            $0.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
        .joined(separator: ".")
    }
}
