// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallServer
package import LandfallStore
import LandfallWire

/// Reads the rows of a day, a page at a time, by the key that they are stored by: a page costs the same on any day of any store, and
/// nothing of the day is kept in memory.
package struct ExportReader: Sendable {
    /// Rows of one page: about half a millisecond of a core, which phones have to share. With 125 of them a first open waited a third longer.
    private static let usualPage = 60
    /// Each of these rows is looked up in other tables.
    private static let joinedPage = 30

    let database: any StoreReading
    let app: AppID
    /// Nil: the usual number.
    var page: Int?

    package init(database: any StoreReading, app: AppID, page: Int? = nil) {
        (self.database, self.app, self.page) = (database, app, page)
    }

    /// - Parameters:
    ///   - day: since 1970, in UTC.
    ///   - after: the ``ExportPage/next`` of the page before; nil at first.
    package func page(of table: ExportTable, on day: Int64, after: String?, as format: ExportFormat) async throws -> ExportPage {
        let start = Self.start(of: table, on: day)
        var key = start
        if let after {
            guard let read = ExportCursor.key(after, like: start) else { throw ExportRefusal.unreadableCursor }
            key = read
        }
        let found = try await found(table, day, after: key)
        let lines = ExportLines(table.fields, format)
        return ExportPage(
            rows: found.rows.count, next: found.next.map(ExportCursor.text), bytes: (after == nil ? lines.head : []) + lines.bytes(found.rows))
    }

    private struct Found {
        /// Values in the order of the table's fields.
        var rows: [[SQLValue]]
        /// The key of the last row that was read; nil if there is none after it.
        let next: [SQLValue]?
    }

    /// Before every key of the day.
    private static func start(of table: ExportTable, on day: Int64) -> [SQLValue] {
        let ms = day * Retention.dayMs
        return switch table {
        case .clicks, .exposures, .events: [.text(UUIDv7.earliest(atMs: ms))]
        case .firstOpens, .installs: [.integer(ms), .text("")]
        case .assignments: [.integer(ms), .text(""), .text("")]
        case .erasures: [.integer(ms), .blob([])]
        case .purchases: RevenueReader.start(RevenueReader.purchaseKey, on: day)
        case .charges: RevenueReader.start(RevenueReader.bookingKey, on: day)
        }
    }

    private func found(_ table: ExportTable, _ day: Int64, after key: [SQLValue]) async throws -> Found {
        let endMs = (day + 1) * Retention.dayMs, endID = SQLValue.text(UUIDv7.earliest(atMs: endMs))
        switch table {
        case .clicks: return try await stored(StoredTexts.clicks, endID, after: key)
        case .exposures, .events:
            let text = table == .events ? StoredTexts.events : StoredTexts.exposures
            var found = try await stored(text, endID, after: key)
            let exposures = Set(Event.Kind.reserved.map { SQLValue.text($0.rawValue) })
            found.rows.removeAll { exposures.contains($0[StoredColumns.typeIndex]) == (table == .events) }
            return found
        case .assignments: return try await stored(StoredTexts.assignments, .integer(endMs), after: key)
        case .erasures: return try await stored(StoredTexts.erasures, .integer(endMs), after: key)
        case .firstOpens, .installs:
            let (rows, last) = try await read(StoredTexts.installs, .integer(endMs), after: key, most: page ?? Self.joinedPage)
            let (shown, installs) =
                table == .installs ? (ExportedInstall.installs, try await present(rows)) : (ExportedInstall.firstOpens, try await brought(rows))
            return Found(rows: installs.map { install in shown.map { $0.value(install) } }, next: last.map { Array($0.values.prefix(key.count)) })
        case .purchases, .charges:
            let isSale = table == .purchases
            let text = isSale ? StoredTexts.purchases : StoredTexts.charges
            let (rows, last) = try await read(text, .integer(day), after: key, most: page ?? Self.joinedPage)
            let shown = isSale ? ExportedCharge.purchases : ExportedCharge.charges, charges = try await charges(rows, withOrigin: isSale)
            let columns = isSale ? RevenueReader.purchaseKey : RevenueReader.bookingKey
            return Found(
                rows: charges.map { charge in shown.map { $0.value(charge) } },
                next: last.map { last in columns.map { last.values[RevenueReader.stored[$0]] } })
        }
    }

    /// Of a table whose columns begin with the key.
    private func stored(_ text: String, _ end: SQLValue, after key: [SQLValue]) async throws -> Found {
        let (rows, last) = try await read(text, end, after: key, most: page ?? Self.usualPage)
        return Found(rows: rows.map(\.values), next: last.map { Array($0.values.prefix(key.count)) })
    }

    private func read(_ text: String, _ end: SQLValue, after key: [SQLValue], most: Int) async throws -> (rows: [Row], last: Row?) {
        try Task.checkCancellation()
        let values = [.text(app.rawValue), end] + key + [.integer(Int64(most))]
        let rows = try await database.read { try $0.rows(text, values) }
        return (rows, rows.count < most ? nil : rows.last)
    }
}
