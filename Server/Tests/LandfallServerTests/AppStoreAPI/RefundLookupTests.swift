// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallPurchases
import LandfallTesting
import Logging
import Synchronization
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("A look-up of refunds", .timeLimit(.minutes(1)))
struct RefundLookupTests {
    private func look(
        for transaction: String, _ apple: SimulatedStore, _ server: TestServer, hosts: AppStoreAPIHosts? = nil, by http: (any OutboundHTTP)? = nil
    ) async throws -> RefundLookup {
        let services = server.services
        let api = AppStoreAPI(hosts ?? apple.hosts, by: http ?? apple.http, time: apple.time, metrics: services.metrics)
        return try await RefundRoutes(api, services.database, services.mark, trust: services.trust, metrics: services.metrics, time: apple.time)
            .look(
                for: transaction, of: services.snapshot,
                AppStoreAPITelemetry(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, factory: services.metrics))
    }

    @Test("brings a refund of which no word came into the facts and the charges")
    func unheard() async throws {
        try await SimulatedStore.run { apple in
            try await apple.server { server, _ in
                let id = try await apple.buy("sim.type=consumable&refund=2d")
                try await apple.post { try await server.post($0) }
                try await server.workOnNotifications()
                // Somebody answers Apple, and loses it.
                try await apple.pass(hours: 49) { _ in 200 }
                let before = try await server.rows("SELECT kind FROM charge WHERE kind = 'refund'").count

                let lookup = try await look(for: id, apple, server)

                let refund = try #require(lookup.refunds.first)
                #expect(lookup.refunds.count == 1 && lookup.refused == 0 && lookup.isComplete)
                #expect(refund.transactionId == id && refund.environment == "Production" && refund.type == "REFUND_FULL")
                #expect(refund.refundedAtMilliseconds.map { $0 <= apple.clock.nowMs } == true)
                #expect(before == 0)
                #expect(try await server.rows("SELECT kind FROM charge WHERE kind = 'refund'").count == 1)
                #expect(apple.http.paths == ["/inApps/v2/refund/lookup/ID"])
            }
        }
    }

    @Test("reads all pages, and leaves out what Apple has not signed")
    func pages() async throws {
        try await SimulatedStore.run { apple in
            let refund: [String: Any] = ["revocationDate": apple.clock.nowMs - 5_000]
            let genuine = try ["12", "13"].map { try apple.signed.transaction($0, of: $0, adding: refund) }
            let forged = try SignedStore(nowMs: apple.clock.nowMs).transaction("14", of: "14")
            let http = PagedRefunds([[genuine[0], forged], [genuine[1]]])
            try await apple.server(http) { server, _ in
                let lookup = try await look(for: "12", apple, server, by: http)

                #expect(lookup.refunds.map(\.transactionId) == ["12", "13"])
                #expect(lookup.refused == 1 && lookup.isComplete)
                #expect(http.queries == ["", "revision=1"])
                let chains = try await server.rows("SELECT chain_id FROM purchase_chain ORDER BY chain_id").map(\.values)
                #expect(chains == [[.text("Production:12")], [.text("Production:13")]])
            }
        }
    }

    @Test("asks the sandbox where production knows no key yet, and says so where both know nothing of the transaction")
    func sandbox() async throws {
        try await SimulatedStore.run { apple in
            try await apple.server { server, _ in
                let unreleased = UnreleasedApp()

                let lookup = try await look(for: "12", apple, server, hosts: .apple, by: unreleased)

                #expect(lookup == RefundLookup(refunds: [], refused: 0, isComplete: true))
                #expect(unreleased.hosts == ["api.storekit.apple.com", "api.storekit-sandbox.apple.com"])
                await #expect(throws: AppStoreQuestionRefusal.apple(.unknown(code: 4_040_010))) {
                    try await look(for: "12", apple, server, by: ScriptedHTTP([:]))
                }
            }
        }
    }

    @Test("needs a server, and takes nothing but an id of Apple's", arguments: ["", "12a", "-1", "123456789012345678901"])
    func refused(id: String) async throws {
        try await SimulatedStore.run { apple in
            try await apple.server { server, _ in
                let services = server.services
                let unserved = RefundRoutes(nil, services.database, services.mark, trust: services.trust, metrics: services.metrics, time: apple.time)
                let telemetry = AppStoreAPITelemetry(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, factory: services.metrics)
                await #expect(throws: AppStoreQuestionRefusal.noServer) {
                    try await unserved.look(for: "12", of: services.snapshot, telemetry)
                }
                #expect(RefundRoutes.transaction(id) == nil && RefundRoutes.transaction("2000000123456789") != nil)
            }
        }
    }
}

/// Answers with one page after the other; a revision is the number of the next.
private final class PagedRefunds: OutboundHTTP {
    private let pages: [[String]]
    private let asked = Mutex<[String]>([])

    init(_ pages: [[String]]) { self.pages = pages }

    /// Of each call, in order.
    var queries: [String] { asked.withLock(\.self) }

    func send(_ call: OutboundCall) async throws -> OutboundReply {
        let query = URL(string: call.url)?.query() ?? ""
        asked.withLock { $0.append(query) }
        let page = Int(query.dropFirst("revision=".count)) ?? 0
        let texts = pages[page].map { "\"\($0)\"" }.joined(separator: ",")
        let body = #"{"hasMore":\#(page + 1 < pages.count),"revision":"\#(page + 1)","signedTransactions":[\#(texts)]}"#
        return OutboundReply(status: 200, body: Array(body.utf8))
    }
}
