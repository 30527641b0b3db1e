// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallPurchases
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// What somebody has bought of an app: a month, its renewal, the renewal's refund, coins in France, and a month in Apple's sandbox.
struct SoldPurchases {
    static let premium = AccessLevel(rawValue: "premium")
    private static let chain = "2000000000000001"

    let store: SignedStore
    /// Four transactions of three chains, with four charges in production. A text that is signed again is another text.
    let all: [String]

    init() throws {
        store = try SignedStore(nowMs: Int64((ManualClock().date.timeIntervalSince1970 * 1000).rounded(.down)))
        var sandbox = store
        sandbox.environment = "Sandbox"
        let refund = ["revocationDate": store.nowMs - Retention.dayMs, "revocationType": "REFUND_FULL"] as [String: Any]
        all = [
            try Self.month("2000000000000002", of: store, daysAgo: 60),
            try Self.month("2000000000000003", of: store, daysAgo: 30, adding: refund), try Self.coins("2000000000000009", of: store),
            try sandbox.transaction("2000000000000007", of: "2000000000000007"),
        ]
    }

    static func configuration(_ owner: OwnerRule) -> Configuration {
        var configuration = Configuration.sample()
        configuration.purchases.accessLevels = [premium]
        configuration.purchases.products = [ProductRule(name: .exactly("yearly"), access: [premium])]
        (configuration.purchases.owner, configuration.purchases.sandbox) = (owner, .grant)
        return configuration
    }

    static func uuid(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }

    /// Part of every id, as text and inside of what Apple has signed.
    static var traces: [String] { ["200000000000", Array("200000000000".utf8).hexadecimal] }

    /// Opened before anything was bought; a campaign of another provider brought it.
    func open(_ phone: Phone, on server: TestServer) async throws {
        _ = try await server.firstOpen(#"{"device":{"installedAgeMilliseconds":\#(61 * Retention.dayMs)}}"#, phone: phone)
        let claim = #"{"key":"c","source":"tenjin","status":"non_organic","campaign":"autumn"}"#
        #expect(try await server.send(.post, WirePath.attribution, claim, phone: phone).status == .ok)
    }

    /// Of the same chain as the first month.
    func month(_ id: String, daysAgo: Int64, adding more: [String: Any] = [:]) throws -> String {
        try Self.month(id, of: store, daysAgo: daysAgo, adding: more)
    }

    private static func month(_ id: String, of store: SignedStore, daysAgo: Int64, adding more: [String: Any] = [:]) throws -> String {
        try store.transaction(id, of: chain, daysAgo: daysAgo, adding: more)
    }

    func coins(_ id: String) throws -> String { try Self.coins(id, of: store) }

    /// Bought once.
    private static func coins(_ id: String, of store: SignedStore) throws -> String {
        try store.transaction(
            id, of: id, daysAgo: 10,
            adding: ["type": "Consumable", "productId": "coins", "storefront": "FRA", "price": 1_990, "expiresDate": NSNull()])
    }

    /// What the App Store says about it by itself.
    func news(of transaction: String, uuid: Int) throws -> String {
        try store.notification(Self.uuid(uuid), "DID_RENEW", nil, data: ["status": 1, "signedTransactionInfo": transaction])
    }
}

extension TestServer {
    /// How many equal charges there are of each kind, with those of erased people.
    func money() async throws -> [[SQLValue]: Int64] {
        let cell = """
            purchase_day, booking_day, kind, product_id, COALESCE(storefront, '') AS storefront, currency, milliunits, part_numerator,
              part_denominator, COALESCE(credit_numerator, 0) AS credit_numerator, COALESCE(credit_denominator, 1) AS credit_denominator,
              follows_trial
            """
        var money: [[SQLValue]: Int64] = [:]
        for row in try await rows("SELECT \(cell) FROM charge") { money[row.values, default: 0] += 1 }
        for row in try await rows("SELECT \(cell), charges FROM erased_revenue") {
            money[Array(row.values.dropLast()), default: 0] += try row.integer("charges")
        }
        return money
    }

    /// Charges of erased people by source.
    func erasedSources() async throws -> [String: Int64] {
        try await rows("SELECT source, charges FROM erased_revenue").reduce(into: [:]) { sources, row in
            sources[try row.text("source"), default: 0] += try row.integer("charges")
        }
    }
}
