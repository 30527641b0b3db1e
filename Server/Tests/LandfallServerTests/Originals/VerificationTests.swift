// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallPurchases
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Revenue that is verified against what Apple signed", .timeLimit(.minutes(2)))
struct VerificationTests {
    private static let nowMs = Int64((ManualClock().date.timeIntervalSince1970 * 1000).rounded(.down))
    private static let today = ReportZone.utc.day(ofMs: nowMs)
    private static let stray = "The charge 'purchase' of transaction 20 is stored and does not follow from Apple's originals."

    /// Three chains: one with its renewal information, one of 4.99, and one of the sandbox.
    private func running(_ body: @Sendable (TestServer, SignedStore) async throws -> Void) async throws {
        let store = try SignedStore(nowMs: Self.nowMs)
        try await TestServer.run(trust: store.trust()) { server in
            var sandbox = store
            sandbox.environment = "Sandbox"
            _ = try await server.report([
                store.transaction(), store.transaction("20", of: "20", adding: ["price": 4_990]), sandbox.transaction("30", of: "30"),
            ])
            #expect(try await server.notify(store.subscribed()).status == .ok)
            try await server.workOnNotifications()
            try await body(server, store)
        }
    }

    private func answer(
        _ server: TestServer, _ view: RevenueView = .purchase, by: [RevenueDimension]? = [], isVerified: Bool = true
    ) async throws -> RevenueDocument {
        let days = try ReportDays(Self.today - 20, Self.today, in: .utc)
        return try await server.services.reports.answer(
            RevenueRequest(view, by: by, days, isVerified: isVerified), server.services.snapshot)
    }

    private func change(_ server: TestServer, _ text: String, _ values: [SQLValue] = []) async throws {
        try await server.services.database.write { connection in _ = try connection.run(text, values) }
    }

    private func differences(_ server: TestServer) async throws -> [String] {
        try #require(try await answer(server).verified).differences
    }

    private func gross(_ document: RevenueDocument) -> Int64? { document.totals.numbers[.grossMilliunits] }

    @Test("has no differences where nobody has touched the store, and counts every signed text")
    func clean() async throws {
        try await running { server, _ in
            let verified = try await answer(server), stored = try await answer(server, isVerified: false)

            // The reports have three; the notification has a transaction and renewal information.
            #expect(verified.verified == .init(originals: 5, differences: []))
            #expect(stored.verified == nil)
            #expect(gross(verified) == 14_980)
            #expect(verified.totals == stored.totals)
        }
    }

    @Test("gives every view the rows that the stored charges give", arguments: RevenueView.allCases)
    func views(view: RevenueView) async throws {
        try await running { server, _ in
            let by: [RevenueDimension] = view == .cohorts ? [.day, .source] : [.day, .source, .product, .country]

            let verified = try await answer(server, view, by: by), stored = try await answer(server, view, by: by, isVerified: false)

            #expect(verified.rows == stored.rows)
            #expect(!verified.rows.isEmpty)
            #expect(verified.totals == stored.totals)
            #expect(verified.verified?.originals == 5)
        }
    }

    @Test("finds a wrong amount, and counts the right one")
    func amount() async throws {
        try await running { server, _ in
            try await change(server, "UPDATE charge SET milliunits = 4991 WHERE transaction_id = '20'")

            let verified = try await answer(server)

            #expect(
                verified.verified?.differences == [
                    "The charge 'purchase' of transaction 20: milliunits is 4991, and Apple's originals say 4990."
                ])
            #expect(gross(verified) == 14_980)
            #expect(gross(try await answer(server, isVerified: false)) == 14_981)
        }
    }

    @Test("finds a deleted row")
    func missing() async throws {
        try await running { server, _ in
            try await change(server, "DELETE FROM charge WHERE transaction_id = '20'")

            #expect(
                try await differences(server) == [
                    "The charge 'purchase' of transaction 20 follows from Apple's originals and is not stored."
                ])
            #expect(gross(try await answer(server)) == 14_980)
        }
    }

    @Test("finds an extra row, of a chain that is stored and of one that is not", arguments: ["1", "77"])
    func extra(chain id: String) async throws {
        try await running { server, _ in
            var chain = SoldChain(id)
            chain.sell("99", on: Self.today - SoldChain.monday)
            let row = ChargeRow(try #require(chain.charges.first), of: chain.id).insertion(into: server.app)
            try await change(server, row.text, row.values)

            #expect(
                try await differences(server) == [
                    "The charge 'purchase' of transaction 99 is stored and does not follow from Apple's originals."
                ])
            #expect(gross(try await answer(server)) == 14_980)
        }
    }

    /// The payload of transaction 20 with another price, and the hash of the text with it.
    private func forged(_ server: TestServer) async throws -> (payload: [UInt8], hash: [UInt8]) {
        let rows = try await server.rows(
            """
            SELECT f.payload, f.signature, h.header FROM purchase_fact f JOIN jws_header h ON h.header_hash = f.header_hash
            WHERE f.fact_id = '20'
            """)
        let row = try #require(rows.first)
        let text = String(decoding: try row.blob("payload"), as: UTF8.self).replacing("4990", with: "4991")
        let jws = JWSText.joined(try row.text("header"), Array(text.utf8), try row.blob("signature"))
        return (Array(text.utf8), Array(SHA256.hash(data: Array(jws.utf8))))
    }

    @Test("finds a flipped byte of an original, and counts nothing of it")
    func flipped() async throws {
        try await running { server, _ in
            let payload = try await forged(server).payload
            try await change(server, "UPDATE purchase_fact SET payload = $1 WHERE fact_id = '20'", [.blob(payload)])

            let verified = try await answer(server)

            #expect(
                verified.verified?.differences == [
                    "An original of transaction 20 is not the text that came: its SHA-256 is another.", Self.stray,
                ])
            #expect(verified.verified?.originals == 5)
            #expect(gross(verified) == 9_990)
        }
    }

    @Test("finds an original whose hash was changed with it: its signature does not match")
    func signature() async throws {
        try await running { server, _ in
            let (payload, hash) = try await forged(server)
            try await change(
                server, "UPDATE purchase_fact SET payload = $1, jws_hash = $2 WHERE fact_id = '20'", [.blob(payload), .blob(hash)])

            let found = try await differences(server)

            #expect(found.count == 2)
            #expect(found.first?.hasPrefix("An original of transaction 20 is not genuine: The signature does not match the text.") == true)
            #expect(found.last == Self.stray)
        }
    }

    @Test("compares only hashes where no signature can be checked")
    func hashes() async throws {
        try await running { server, _ in
            let (payload, hash) = try await forged(server)
            let reader = OriginalsReader(
                server.services.database, of: server.services.snapshot.app, trust: nil, rules: PurchaseRules(), nowMs: Self.nowMs)
            func found() async throws -> [String] { try await RevenueVerification(reader).walk { _ in }.differences }

            #expect(try await found().isEmpty)
            try await change(
                server, "UPDATE purchase_fact SET payload = $1, jws_hash = $2 WHERE fact_id = '20'", [.blob(payload), .blob(hash)])
            // The charge is not the one that would follow from that text.
            #expect(
                try await found() == ["The charge 'purchase' of transaction 20: milliunits is 4990, and Apple's originals say 4991."])
            try await change(server, "UPDATE purchase_fact SET payload = $1 WHERE fact_id = '20'", [.blob(payload + [32])])
            #expect(try await found().first == "An original of transaction 20 is not the text that came: its SHA-256 is another.")
        }
    }

    @Test("finds another time of the signature, and originals without their certificates")
    func parts() async throws {
        try await running { server, _ in
            try await change(server, "UPDATE purchase_fact SET signed_at_ms = 5 WHERE fact_id = '20'")
            #expect(
                try await differences(server) == [
                    "An original of transaction 20 was signed at \(Self.nowMs - 1_000), and the store says 5."
                ])

            try await change(server, "DELETE FROM jws_header")
            let verified = try await answer(server)
            let unproven = "cannot be put together: its certificates or its signature are not stored."
            #expect(verified.verified?.differences.filter { $0.hasSuffix(unproven) }.count == 5)
            #expect(gross(verified) == 0)
        }
    }

    @Test("says at most 100 differences, and nothing else when it reads one chain at a time")
    func bounds() async throws {
        try await running { server, _ in
            var chain = SoldChain("77")
            for number in 0..<120 { chain.sell("\(number + 100)", on: Int64(number)) }
            let rows = chain.charges.map { ChargeRow($0, of: chain.id).insertion(into: server.app) }
            try await server.services.database.write { _ = try $0.batch(rows) }
            let reader = OriginalsReader(
                server.services.database, of: server.services.snapshot.app, trust: server.services.trust, rules: PurchaseRules(),
                nowMs: Self.nowMs, page: 1)

            let whole = try #require(try await answer(server).verified)
            let single = try await RevenueVerification(reader).walk { #expect($0.count <= 1) }

            #expect(whole.differences.count == 100)
            #expect(single.differences.count == 100)
            #expect(single.differences.allSatisfy { $0.hasSuffix("is stored and does not follow from Apple's originals.") })
            #expect(single.originals == whole.originals)
        }
    }
}
