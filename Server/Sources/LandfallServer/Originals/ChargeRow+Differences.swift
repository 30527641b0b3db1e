// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallStore

extension ChargeRow {
    /// What the charges are about, without the chain that all of them have.
    private struct Name: Hashable {
        let transaction: SQLValue
        let kind: SQLValue
        let number: SQLValue

        init(_ row: Row) { (transaction, kind, number) = (row["transaction_id"], row["kind"], row["number"]) }
    }

    /// - Parameters:
    ///   - rows: of ``rangeQuestion``, all of the chain.
    ///   - charges: that follow from what Apple signed.
    /// - Returns: a sentence for each charge that is missing or too many, and for each field that is another.
    static func differences(of rows: [Row], from charges: [Charge], of chain: ChainID) -> [String] {
        let expected = charges.map { ChargeRow($0, of: chain).row }
        let byName = Dictionary(expected.map { (Name($0), $0) }) { first, _ in first }
        var found: Set<Name> = [], differences: [String] = []
        for row in rows {
            guard let right = byName[Name(row)], found.insert(Name(row)).inserted else {
                differences.append(extra(row))
                continue
            }
            for column in columns.names where row[column] != right[column] {
                differences.append("\(label(row)): \(column) is \(text(row[column])), and Apple's originals say \(text(right[column])).")
            }
        }
        return differences + expected.filter { !found.contains(Name($0)) }.map { "\(label($0)) follows from Apple's originals and is not stored." }
    }

    static func extra(_ row: Row) -> String { "\(label(row)) is stored and does not follow from Apple's originals." }

    private static func label(_ row: Row) -> String { "The charge '\(text(row["kind"]))' of transaction \(text(row["transaction_id"]))" }

    private static func text(_ value: SQLValue) -> String {
        switch value {
        case .null: "nothing"
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .blob(let bytes): "\(bytes.count) bytes"
        }
    }
}
