// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallResults
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Reads what units bought after their first exposure: the charges of the chains that their installs brought. It goes through the units in
/// pages, by their ids; of other people nothing is read. Charges are read anew each time: a purchase or a refund that came late is there.
struct PurchaseReader: Sendable {
    /// Units of a page.
    static let page = 10_000

    let database: any StoreReading
    let app: AppID
    let experiment: String
    let basis: ExperimentNumbers.Basis
    /// The longest of the metrics.
    let windowMs: Int64
    var page = page

    private enum UnitColumn: Int, TableColumn { case unit, step, epoch, variation }
    private enum ChargeColumn: Int, TableColumn {
        case chain_id, transaction_id, kind, product_id, purchased_at_ms, currency, milliunits, part_numerator, part_denominator, quantity
    }

    /// - Parameter body: is called for each page, with those of its units that bought something.
    func forEachPage(_ body: ([UnitPurchases]) async throws -> Void) async throws {
        var after = ""
        while true {
            let (units, last) = try await read(after: after, until: nil)
            try await body(units)
            guard let last else { return }
            after = last
        }
    }

    /// - Parameters: ids of units; the first is not among those that are read.
    func purchases(after: String, until: String) async throws -> [UnitPurchases] { try await read(after: after, until: until).units }

    /// - Parameter until: nil for the end of the page.
    /// - Returns: the last unit of the page too; nil if there are no more.
    private func read(after: String, until: String?) async throws -> (units: [UnitPurchases], last: String?) {
        try Task.checkCancellation()
        let key: [SQLValue] = [.text(app.rawValue), .text(experiment), .text(after)]
        let rest: [SQLValue] = [.flag(basis == .decided), .integer(windowMs)]
        let (rows, last) = try await database.read { [page] connection in
            let last = until == nil ? try connection.row(Self.endText, key + [.integer(Int64(page - 1))])?.text(0) : nil
            let values = key + [.text(until ?? last ?? SourceReader.afterAll)] + rest
            return (try connection.rows(Self.text, values) + connection.rows(Self.reinstalledText, values), last)
        }
        var units: [InstallKey: UnitPurchases] = [:]
        for row in rows where ExperimentArms.steps.contains(try row.text(Self.unit[.step])) {
            guard let key = InstallKey(InstallID(try row.text(Self.unit[.unit]))) else { continue }
            if units[key] == nil {
                units[key] = UnitPurchases(
                    unit: key, epoch: try row.integer(Self.unit[.epoch]), variation: try row.text(Self.unit[.variation]),
                    exposedAtMs: try row.integer(Self.exposedAt))
            }
            try units[key]?.add(Self.decoded(row), of: row.text(Self.charge[.chain_id]))
        }
        return (units.values.sorted { $0.unit.id.rawValue < $1.unit.id.rawValue }, last)
    }

    private static func decoded(_ row: Row) throws -> UnitPurchases.Charge {
        UnitPurchases.Charge(
            transaction: try row.text(charge[.transaction_id]), isPurchase: try row.text(charge[.kind]) == Charge.Kind.purchase.rawValue,
            product: try row.text(charge[.product_id]), purchasedAtMs: try row.integer(charge[.purchased_at_ms]),
            currency: try row.text(charge[.currency]), milliunits: try row.integer(charge[.milliunits]),
            part: .init(numerator: try row.integer(charge[.part_numerator]), denominator: try row.integer(charge[.part_denominator])),
            quantity: try row.integer(charge[.quantity]))
    }
}

extension PurchaseReader {
    private static let unit = selected.unit, charge = selected.charge
    private static let exposedAt = UnitColumn.allCases.count + ChargeColumn.allCases.count
    private static let selected = {
        var list = SelectList()
        let unit = list.add(UnitColumn.self, of: "u"), charge = list.add(ChargeColumn.self, of: "h")
        return (unit: unit, charge: charge, text: list.text)
    }()

    static let endText = """
        SELECT unit FROM experiment_unit WHERE app_id = $1 AND experiment = $2 AND unit > $3 ORDER BY unit LIMIT 1 OFFSET $4
        """
    /// Of a purchase and its refunds, the time of the purchase counts. Other environments than the App Store's own are never money.
    private static let bought = """
        c.brought_by_install IS NOT NULL AND SUBSTR(c.chain_id, 1, 11) = 'Production:'
          AND h.app_id = $1 AND h.chain_id = c.chain_id AND h.kind <> 'trial'
          AND h.purchased_at_ms >= \(exposedAtMs) AND h.purchased_at_ms < \(exposedAtMs) + $6
        """
    /// ``CountedExperiment/exposedAtMs(shownAtMs:decidedAtMs:_:)``
    private static let exposedAtMs = ExperimentExportReader.exposedAtMs
    /// The installs are compared with an expression, so that SQLite begins with the unit. Nothing but the key is asked of units that
    /// bought nothing: their rows are not read.
    static let text = """
        SELECT \(selected.text), \(exposedAtMs) AS exposed_at_ms
        FROM experiment_unit u CROSS JOIN purchase_chain c CROSS JOIN charge h
        WHERE u.app_id = $1 AND u.experiment = $2 AND u.unit > $3 AND u.unit <= $4
          AND c.app_id = $1 AND c.brought_by_install = u.unit || '' AND \(bought)
        """
    /// What a reinstall brought counts for its phone's first install, unless it has a variation of its own.
    static let reinstalledText = """
        SELECT \(selected.text), \(exposedAtMs) AS exposed_at_ms
        FROM experiment_unit u CROSS JOIN install i CROSS JOIN purchase_chain c CROSS JOIN charge h
        WHERE u.app_id = $1 AND u.experiment = $2 AND u.unit > $3 AND u.unit <= $4
          AND i.app_id = $1 AND i.first_install_id = u.unit || '' AND i.first_install_id IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM experiment_unit o WHERE o.app_id = $1 AND o.unit = i.install_id AND o.experiment = $2)
          AND c.app_id = $1 AND c.brought_by_install = i.install_id AND \(bought)
        """
}
