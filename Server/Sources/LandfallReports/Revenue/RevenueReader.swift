// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallServer
import LandfallStore

/// Reads what was charged on some days, a limited number of rows at a time. Only the App Store's production is money.
struct RevenueReader: Sendable {
    static let page = 2_000

    let database: any StoreReading
    let app: AppID
    var page = page

    /// - Parameters:
    ///   - view: ``RevenueView/purchase`` or ``RevenueView/booking``: it says which day of a charge counts.
    ///   - dimensions: of the origin of charges only these are read.
    ///   - countsPayers: charges say whose they are.
    ///   - body: is called for each charge, in the order of those days; then for those of people who were erased.
    func forEach(
        _ view: RevenueView, _ days: ClosedRange<Int64>, by dimensions: [RevenueDimension], countsPayers: Bool = false,
        _ body: (RevenueCharge) throws -> Void
    ) async throws {
        try await forEachStored(view, days, by: dimensions, countsPayers: countsPayers, body)
        try await forEachErased(view, days) { charge in
            var charge = charge
            if countsPayers { charge.payers = [] }
            try body(charge)
        }
    }

    /// The same without people who were erased.
    func forEachStored(
        _ view: RevenueView, _ days: ClosedRange<Int64>, by dimensions: [RevenueDimension], countsPayers: Bool = false,
        _ body: (RevenueCharge) throws -> Void
    ) async throws {
        let (text, key) = view == .booking ? (Self.bookingsText, Self.bookingKey) : (Self.purchasesText, Self.purchaseKey)
        var origins = RevenueOrigins(database, app, for: dimensions, readsPayers: countsPayers)
        var refunded: Set<String> = [], lastDay = Int64.min
        try await forEachPage(text, key, days) { rows in
            if origins.areRead { try await origins.learn(Set(try rows.map { try $0.text(Self.stored[.chain_id]) })) }
            for row in rows {
                var charge = try RevenueCharge(row, view)
                let chain = try row.text(Self.stored[.chain_id])
                charge.origin = origins[chain]
                if countsPayers { charge.payers = [charge.origin.payer ?? chain.hashValue] }
                // A transaction has several refunds if seats were given back one after the other: it is refunded once a day.
                if charge.terms.kind.isRefund {
                    if charge.day != lastDay { (lastDay, refunded) = (charge.day, []) }
                    charge.isRefundedBefore = !refunded.insert(try row.text(Self.stored[.transaction_id])).inserted
                }
                try body(charge)
            }
        }
    }

    func forEachErased(_ view: RevenueView, _ days: ClosedRange<Int64>, _ body: (RevenueCharge) throws -> Void) async throws {
        let all = ClosedRange<Int64>(uncheckedBounds: (.min, .max))
        let (purchases, bookings) = view == .booking ? (all, days) : (days, all)
        let after: [SQLValue] = Self.erasedKey.map { column in
            column == .purchase_day ? .integer(purchases.lowerBound) : column.isText ? .text("") : .integer(.min)
        }
        let range: [SQLValue] = [.integer(purchases.upperBound), .integer(bookings.lowerBound), .integer(bookings.upperBound)]
        try await forEachPage(Self.erasedText, range, after) { rows in
            for row in rows { try body(try RevenueCharge(erased: row, view)) }
            return Array(rows[rows.count - 1].values.prefix(Self.erasedKey.count))
        }
    }

    /// - Parameters:
    ///   - key: it begins with the day that counts.
    ///   - range: what the text asks for besides these days.
    func forEachPage(
        _ text: String, _ key: [Column], _ days: ClosedRange<Int64>, _ range: [SQLValue] = [], _ body: ([Row]) async throws -> Void
    ) async throws {
        try await forEachPage(text, [.integer(days.upperBound)] + range, Self.start(key, on: days.lowerBound)) { rows in
            try await body(rows)
            let last = rows[rows.count - 1].values
            return key.map { last[Self.stored[$0]] }
        }
    }

    /// - Parameters:
    ///   - after: the first page begins after this key.
    ///   - body: gets some rows, and returns the key of the last one.
    private func forEachPage(
        _ text: String, _ range: [SQLValue], _ after: [SQLValue], _ body: ([Row]) async throws -> [SQLValue]
    ) async throws {
        var after = after
        while true {
            try Task.checkCancellation()
            let values = [.text(app.rawValue)] + range + after + [.integer(Int64(page))]
            let rows = try await database.read { try $0.rows(text, values) }
            guard !rows.isEmpty else { return }
            after = try await body(rows)
            guard rows.count >= page else { return }
        }
    }
}

extension RevenueReader {
    enum Column: Int, TableColumn {
        case booking_day, chain_id, transaction_id, kind, number, product_id, purchase_day, currency, milliunits, part_numerator
        case part_denominator, storefront, period_ends_at_ms, credit_numerator, credit_denominator, paid_before_ms, follows_trial

        /// Of the columns of a key.
        fileprivate var isText: Bool { [.chain_id, .transaction_id, .kind].contains(self) }
    }

    /// Before every key of the day.
    static func start(_ key: [Column], on day: Int64) -> [SQLValue] {
        [.integer(day)] + key.dropFirst().map { $0.isText ? .text("") : .integer(.min) }
    }

    static let stored = ColumnIndexes<Column>()
    static let purchaseKey: [Column] = [.purchase_day, .chain_id, .booking_day, .transaction_id, .kind, .number]
    static let bookingKey: [Column] = [.booking_day, .chain_id, .transaction_id, .kind, .number]

    static let purchasesText = text(purchaseKey)
    static let bookingsText = text(bookingKey)

    /// - Parameters:
    ///   - key: it begins with the day that counts.
    ///   - more: columns behind those that all views read.
    ///   - condition: besides the days.
    ///   - first: the number of the key's first value.
    static func text(_ key: [Column], _ more: String = "", where condition: String = "", first: Int = 3) -> String {
        let names = key.map { "\($0)" }.joined(separator: ", ")
        return """
            SELECT \(Column.names())\(more)
            FROM charge
            WHERE app_id = $1 AND \(key[0]) <= $2 AND (\(names)) > (\(Statement.places(first..<first + key.count)))
              AND \(condition)substr(chain_id, 1, 11) = 'Production:'
            ORDER BY \(names) LIMIT $\(first + key.count)
            """
    }

    enum ErasedColumn: Int, TableColumn {
        case purchase_day, booking_day, kind, product_id, source, storefront, currency, milliunits, part_numerator, part_denominator
        case credit_numerator, credit_denominator, is_after_year, follows_trial, charges

        fileprivate var isText: Bool {
            switch self {
            case .kind, .product_id, .source, .storefront, .currency: true
            default: false
            }
        }
    }

    static let erased = ColumnIndexes<ErasedColumn>()
    private static let erasedKey = Array(ErasedColumn.allCases.dropLast())

    static let erasedText = {
        let names = erasedKey.map { "\($0)" }.joined(separator: ", ")
        return """
            SELECT \(ErasedColumn.names())
            FROM erased_revenue
            WHERE app_id = $1 AND purchase_day <= $2 AND booking_day >= $3 AND booking_day <= $4
              AND (\(names)) > (\(Statement.places(5..<5 + erasedKey.count)))
            ORDER BY \(names) LIMIT $\(5 + erasedKey.count)
            """
    }()
}

extension RevenueCharge {
    init(_ row: Row, _ view: RevenueView) throws {
        let stored = RevenueReader.stored, purchaseDay = try row.integer(stored[.purchase_day])
        self.init(
            day: view == .booking ? try row.integer(stored[.booking_day]) : purchaseDay,
            terms: Pricing.Terms(
                kind: try Self.kind(row.text(stored[.kind])), currency: try row.text(stored[.currency]),
                milliunits: try row.integer(stored[.milliunits]),
                part: try row.fraction(stored[.part_numerator], over: stored[.part_denominator]),
                upgradeCredit: row.optionalInteger(stored[.credit_numerator]) == nil
                    ? nil : try row.fraction(stored[.credit_numerator], over: stored[.credit_denominator]),
                storefront: row.optionalText(stored[.storefront]), purchaseDay: Int(purchaseDay),
                isAfterYear: Pricing.Terms.isAfterYear(
                    paidBeforeMs: try row.integer(stored[.paid_before_ms]),
                    periodEndsAtMs: row.optionalInteger(stored[.period_ends_at_ms]))),
            product: try row.text(stored[.product_id]), followsTrial: try row.flag(stored[.follows_trial]))
    }

    fileprivate init(erased row: Row, _ view: RevenueView) throws {
        let erased = RevenueReader.erased, purchaseDay = try row.integer(erased[.purchase_day])
        self.init(
            day: view == .booking ? try row.integer(erased[.booking_day]) : purchaseDay,
            terms: Pricing.Terms(
                kind: try Self.kind(row.text(erased[.kind])), currency: try row.text(erased[.currency]),
                milliunits: try row.integer(erased[.milliunits]),
                part: try row.fraction(erased[.part_numerator], over: erased[.part_denominator]),
                upgradeCredit: try row.integer(erased[.credit_numerator]) == 0
                    ? nil : try row.fraction(erased[.credit_numerator], over: erased[.credit_denominator]),
                storefront: row.optionalText(erased[.storefront]).flatMap { $0.isEmpty ? nil : $0 }, purchaseDay: Int(purchaseDay),
                isAfterYear: try row.flag(erased[.is_after_year])),
            product: try row.text(erased[.product_id]), followsTrial: try row.flag(erased[.follows_trial]))
        origin.set(.source, try row.text(erased[.source]))
        isErased = true
        count = try row.integer(erased[.charges])
    }

    private static func kind(_ text: String) throws -> Charge.Kind {
        guard let kind = Charge.Kind(rawValue: text) else { throw DatabaseError.unexpectedValue(column: "kind") }
        return kind
    }
}

extension Row {
    /// - Throws: ``DatabaseError/unexpectedValue(column:)`` for what is not a part of anything.
    fileprivate func fraction(_ numerator: Int, over denominator: Int) throws -> Charge.Fraction {
        let fraction = Charge.Fraction(numerator: try integer(numerator), denominator: try integer(denominator))
        guard fraction.numerator >= 0, fraction.denominator > 0 else { throw DatabaseError.unexpectedValue(column: "denominator") }
        return fraction
    }
}

extension Charge.Kind {
    var isRefund: Bool { self == .refund || self == .seatRefund }
}
