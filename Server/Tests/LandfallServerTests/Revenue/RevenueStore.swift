// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire

@testable import LandfallPurchases
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// A store whose chains and charges are written as the server's folds leave them. Days are those of September 2026.
struct RevenueStore: Sendable {
    /// The last day of August.
    static let august: Int64 = 20_696

    let store: TestStore
    var app = TestStore.app

    init(isEmbedded: Bool = TestEngine.isEmbedded) async throws {
        store = try await TestStore(createdAtMs: Self.ms(1), isEmbedded: isEmbedded)
    }

    /// Noon, in Unix milliseconds.
    static func ms(_ day: Int64) -> Int64 { (august + day) * Retention.dayMs + Retention.dayMs / 2 }

    static func phone(_ number: Int) -> Credential { .phone(Phone(number).id, secret: UInt8(number)) }

    static func request(_ view: RevenueView = .purchase, by: [RevenueDimension], _ days: ClosedRange<Int64> = 1...30) throws -> RevenueRequest {
        RevenueRequest(view, by: by, try ReportDays(august + days.lowerBound, august + days.upperBound, in: .utc))
    }

    func report(
        _ view: RevenueView = .purchase, by: [RevenueDimension], _ days: ClosedRange<Int64> = 1...30,
        _ rules: MoneyRules = RevenueStory.rules, page: Int = RevenueReader.page, filters: [RevenueDimension: String] = [:]
    ) async throws -> RevenueDocument {
        var request = try Self.request(view, by: by, days)
        request.filters = filters
        var report = RevenueReport(request, rules)
        try await RevenueReader(database: store.engine, app: app, page: page).forEach(view, request.days.days, by: request.read) { try report.add($0) }
        return report.document()
    }

    private func write(_ statements: [Statement]) async throws {
        try await store.engine.write(.interactive, locking: []) { connection in
            for statement in statements { _ = try connection.run(statement) }
        }
    }

    func chain(
        _ id: String, by phone: Credential? = nil, began day: Int64 = 20, in environment: AppStoreEnvironment = .production,
        _ change: (inout StoredChain) -> Void = { _ in }
    ) async throws {
        var chain = StoredChain()
        (chain.broughtBy, chain.beganAtMs) = (phone?.installID, Self.ms(day))
        change(&chain)
        let id = ChainID(environment: environment, originalTransactionID: id)
        try await write([try chain.writing([.text(app.rawValue), .text(id.description)], facts: 1, newsDueAtMs: nil, isNews: true, nowMs: Self.ms(day))])
    }

    func charge(
        _ transaction: String, of chain: String, _ kind: Charge.Kind = .purchase, on day: Int64, booked: Int64? = nil, _ milliunits: Int64,
        _ currency: String = "USD", _ product: String = "week", storefront: String? = "USA", part: (Int64, Int64) = (1, 1),
        credit: (Int64, Int64)? = nil, number: Int64 = 0, paidBeforeDays: Int64 = 0, followsTrial: Bool = false,
        in environment: AppStoreEnvironment = .production
    ) async throws {
        let charge = Charge(
            kind: kind, transactionID: transaction, number: number, productID: product, type: nil, bookedAtMs: Self.ms(booked ?? day),
            purchasedAtMs: Self.ms(day), currency: currency, milliunits: milliunits,
            part: Charge.Fraction(numerator: part.0, denominator: part.1), quantity: 1, storefront: storefront, offerType: nil,
            offerDiscount: nil, offerID: nil, reason: nil, billingPlan: nil, groupID: nil,
            periodEndsAtMs: product == "coins" ? nil : Self.ms(day + 7), serviceEndsAtMs: nil,
            upgradeCredit: credit.map { Charge.Fraction(numerator: $0.0, denominator: $0.1) }, paidBeforeMs: paidBeforeDays * Retention.dayMs,
            isPaidBeforeEstimated: false, followsTrial: followsTrial)
        let id = ChainID(environment: environment, originalTransactionID: chain)
        let row = ChargeRow(charge, of: id), marks = DirtyMark.charges(on: row.days, sinceMs: Self.ms(day), stamp: DirtyMark.drawnStamp())
        try await write([row.insertion(into: app)] + marks.map { $0.insertion(into: app) })
    }

    /// Where an install came from, as a source says it.
    func fact(
        _ phone: Credential, _ source: String, _ status: String = "non_organic", campaign: String? = nil, appleAds: AppleAdsAnswer? = nil,
        link: String? = nil, on day: Int64
    ) async throws {
        let answer = try appleAds.map { String(decoding: try WireCoding.encode($0), as: UTF8.self) }
        let clicked = try link.map { code in
            String(decoding: try WireCoding.encode(ClickedLink(code: code, windows: AttributionWindows())), as: UTF8.self)
        }
        try await write([
            Statement(
                """
                INSERT INTO attribution_fact (
                  app_id, install_id, fact_id, source, status, is_verified, is_test, said_at_ms, recorded_at_ms, campaign, apple_ads, link
                )
                VALUES ($1, $2, $3, $3, $4, 1, 0, $5, $6, $7, $8, $9)
                """,
                [
                    .text(app.rawValue), .text(phone.installID.rawValue), .text(source), .text(status), .integer(Self.ms(day) - 3_600_000),
                    .integer(Self.ms(day)), .text(campaign), .text(answer), .text(clicked),
                ])
        ])
    }

    /// Charges of people who were erased.
    func erased(
        _ count: Int64, _ kind: Charge.Kind = .purchase, from source: String, on day: Int64, _ milliunits: Int64, _ product: String
    ) async throws {
        try await write([
            Statement(
                """
                INSERT INTO erased_revenue (
                  app_id, purchase_day, booking_day, kind, product_id, source, storefront, currency, milliunits, part_numerator,
                  part_denominator, credit_numerator, credit_denominator, is_after_year, follows_trial, charges
                )
                VALUES ($1, $2, $2, $3, $4, $5, 'USA', 'USD', $6, 1, 1, 0, 1, 0, 0, $7)
                """,
                [
                    .text(app.rawValue), .integer(Self.august + day), .text(kind.rawValue), .text(product), .text(source),
                    .integer(milliunits), .integer(count),
                ])
        ])
    }
}

extension RevenueValues {
    /// What charges add up to, in the order of the columns.
    var list: [Int64?] { columns.filter { ![.spendMilliunits, .roas].contains($0) }.map { numbers[$0] } }
}
