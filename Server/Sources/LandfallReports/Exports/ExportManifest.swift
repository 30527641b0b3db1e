// SPDX-License-Identifier: Apache-2.0
import Foundation
package import LandfallRules

/// What one run has written: `manifest.json`. It names no time and no machine, so that a second run over the same rows writes the same bytes.
package struct ExportManifest: Hashable, Sendable, Codable {
    package static let name = "manifest.json"

    /// Of one day, which a manifest of another day does not replace.
    package static func name(of day: Int64) -> String { "manifest-\(ReportDays.text(day)).json" }

    package struct File: Hashable, Sendable, Codable {
        package let name: String
        package let table: ExportTable
        /// In UTC.
        package let day: String
        package let rows: Int64
        package let bytes: Int64
        /// Of the file, as hexadecimal text.
        package let sha256: String
        package let form: Int
    }

    package let form: Int
    package let format: ExportFormat
    package let from: String
    package let until: String
    package let timeZone: String
    /// By day, then in the order of tables.
    package let files: [File]

    /// - Parameter days: since 1970, in UTC.
    package init(_ format: ExportFormat, _ days: ClosedRange<Int64>, _ files: [File]) {
        (form, self.format, timeZone, self.files) = (ExportTable.form, format, "UTC", files)
        (from, until) = (ReportDays.text(days.lowerBound), ReportDays.text(days.upperBound))
    }

    package var rows: Int64 { files.reduce(0) { $0 + $1.rows } }

    func text() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self)) + [0x0A]
    }
}
