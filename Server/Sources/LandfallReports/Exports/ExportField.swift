// SPDX-License-Identifier: Apache-2.0
package import LandfallRules

extension ExportTable {
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
