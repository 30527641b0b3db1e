// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallServer

/// The days of which files are whole. Days are in UTC, and counted since 1970.
package struct ExportDays: Hashable, Sendable {
    /// Rows of a day may be written some minutes after it, by a busy server or another node's clock.
    static let delayMs: Int64 = 15 * 60_000

    let retention: Retention
    let nowMs: Int64

    /// The last day whose rows are all there.
    var last: Int64 { (nowMs - Self.delayMs) / Retention.dayMs - 1 }

    /// The first day of which no row was deleted because of its age; nil if rows of the table are deleted with their install.
    func first(of table: ExportTable) -> Int64? {
        let keptMs: Int64? =
            switch table {
            case .clicks: retention.clickMs
            case .exposures, .events: retention.eventMs
            case .erasures: ErasedInstall.keptMs
            case .firstOpens, .purchases, .charges, .assignments, .installs: nil
            }
        return keptMs.map { (nowMs - $0) / Retention.dayMs + 1 }
    }

    /// - Throws: ``ExportRefusal`` for a day whose file would not be whole.
    func check(_ day: Int64, of table: ExportTable) throws(ExportRefusal) {
        guard day <= last else { throw .notOver(day: ReportDays.text(day), last: ReportDays.text(last)) }
        if let first = first(of: table), day < first {
            throw .deleted(table, day: ReportDays.text(day), first: ReportDays.text(first))
        }
    }
}

/// What a store can export now.
package struct ExportOffer: Hashable, Sendable, Codable {
    package struct Table: Hashable, Sendable, Codable {
        package let table: ExportTable
        /// The first day of which nothing was deleted because of its age; nil if that does not happen.
        package let firstDay: String?
        package let fields: [ExportField]
    }

    package let form: Int
    /// The last day that is over, in UTC.
    package let lastDay: String
    package let tables: [Table]

    init(_ days: ExportDays) {
        form = ExportTable.form
        lastDay = ReportDays.text(days.last)
        tables = ExportTable.allCases.map { Table(table: $0, firstDay: days.first(of: $0).map(ReportDays.text), fields: $0.fields) }
    }
}
