// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Foundation
import Landfall
import LandfallTesting
import StoreKit
import Testing

@Suite("Purchases that the app makes by itself", .timeLimit(.minutes(1)))
struct ReportedTransactionTests {
    private func observing() async throws -> (SellingServer, LandfallClient) {
        let server = try SellingServer()
        return (server, try await server.activate { $0.with(observerMode: true) })
    }

    @Test("In observer mode the server hears of the whole history, and nothing is finished")
    func history() async throws {
        let server = try SellingServer()
        server.history.add(.sold(1))
        server.store.renew("month")
        let client = try await server.activate { $0.with(observerMode: true) }

        await server.pass { !server.reports.isEmpty }
        server.store.renew("year")
        await server.pass(.seconds(60))

        #expect(server.reports.allSatisfy { $0.reason == .sync })
        #expect(server.store.finished.isEmpty)
        await client.shutdown()
    }

    @Test("A reported transaction is the person's purchase, and names the paywall of the variation that was shown", arguments: ["beach-a", "beach-b"])
    func variation(_ variation: String) async throws {
        let (server, client) = try await observing()
        let (activation, paywall) = (server.activation, server.paywall)
        try await activation.logShow(paywall)
        server.history.add(.sold(3), isReported: false)

        try await server.run { try await activation.reportTransaction("3", of: variation) }

        let report = try #require(server.reports.last)
        #expect(report.reason == .purchase && report.transactions.map(\.jws) == ["h.3-0.s"])
        #expect((report.transactions[0].exposure != nil) == (variation == "beach-a"), "The other one was not shown.")
        #expect(server.store.finished.isEmpty)
        await client.shutdown()
    }

    @Test(
        "What is not this person's purchase throws",
        arguments: [
            ("9", nil, AdaptyError.ErrorCode.unknownTransactionId), (nil, nil, .unknownTransactionId), ("3", "purchase_owned", .badRequest),
            ("3", "purchase_forged", .badRequest),
        ] as [(String?, String?, AdaptyError.ErrorCode)])
    func refused(id: String?, rejection: String?, code: AdaptyError.ErrorCode) async throws {
        let (server, client) = try await observing()
        let activation = server.activation
        server.rejection = rejection
        server.history.add(.sold(3), isReported: false)

        let error = await #expect(throws: AdaptyError.self) {
            try await server.run { try await activation.reportTransaction(id, of: nil) }
        }

        #expect(error?.adaptyErrorCode == code)
        await client.shutdown()
    }

    @Test("A pending purchase is not to be reported yet, and a cancelled one is nothing to report")
    func results() async throws {
        let error = await #expect(throws: AdaptyError.self) { try await Adapty.reportPurchaseResult(.pending) }
        #expect(error?.adaptyErrorCode == .paymentPendingError)
        try await Adapty.reportPurchaseResult(.userCancelled)
    }
}
