// SPDX-License-Identifier: Apache-2.0

/// What is exported: a file for each table and day. Raw values are the names of the command line and of files.
package enum ExportTable: String, CaseIterable, Hashable, Sendable, Codable {
    case firstOpens = "first_opens"
    case clicks, exposures, events, purchases, charges, assignments, installs
    /// Whose rows a receiver has to delete.
    case erasures

    /// Of all files: it changes if a field is renamed, removed or means something else. New fields are added at the end and do not change it.
    package static let form = 1

    /// In the order of a CSV file's columns. docs/operating/exports.md says what they mean.
    package var fields: [ExportField] {
        switch self {
        case .firstOpens: ExportedInstall.firstOpens.map(\.field)
        case .clicks: StoredColumns.clicks.fields
        case .exposures: StoredColumns.exposures.fields
        case .events: StoredColumns.events.fields
        case .purchases: ExportedCharge.purchases.map(\.field)
        case .charges: ExportedCharge.charges.map(\.field)
        case .assignments: StoredColumns.assignments.fields
        case .installs: ExportedInstall.installs.map(\.field)
        case .erasures: StoredColumns.erasures.fields
        }
    }
}

/// A field of a row: a member of a JSON line, or a column of CSV.
package struct ExportField: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, Codable {
        case text, integer, boolean
        /// Bytes or 64 bits of the store, written as hexadecimal text.
        case hexadecimal
        /// An object as the store has it.
        case json
    }

    package let name: String
    package let type: Kind

    static func text(_ name: String) -> ExportField { ExportField(name: name, type: .text) }
    static func integer(_ name: String) -> ExportField { ExportField(name: name, type: .integer) }
    static func boolean(_ name: String) -> ExportField { ExportField(name: name, type: .boolean) }
    static func hexadecimal(_ name: String) -> ExportField { ExportField(name: name, type: .hexadecimal) }
    static func json(_ name: String) -> ExportField { ExportField(name: name, type: .json) }
}
