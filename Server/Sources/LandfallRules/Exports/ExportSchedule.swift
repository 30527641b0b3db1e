// SPDX-License-Identifier: Apache-2.0

/// The section `exports`: files of each day, written after its end.
package struct ExportSchedule: Hashable, Sendable {
    package static let hours: ClosedRange<Int64> = 0...23
    /// When people and their phones are few in most places.
    package static let usualHour: Int64 = 1

    package let place: ExportPlace
    package let format: ExportFormat
    /// In their usual order.
    package let tables: [ExportTable]
    /// In UTC.
    package let hour: Int64

    package init(place: ExportPlace, format: ExportFormat = .jsonl, tables: [ExportTable] = ExportTable.allCases, hour: Int64 = ExportSchedule.usualHour) {
        (self.place, self.format, self.hour) = (place, format, hour)
        self.tables = ExportTable.allCases.filter(tables.contains)
    }

    /// Files of another place or form are begun anew.
    package var series: String { "\(format.rawValue) \(place)" }
}
