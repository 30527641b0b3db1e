// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore
import LandfallWire

/// A value that a column of `purchase_chain` has as JSON.
package protocol ColumnText: Codable {
    static var column: String { get }
}

extension ColumnText {
    /// - Throws: ``DatabaseError/unexpectedValue(column:)``
    package init(text: String) throws {
        guard let value = try? WireCoding.decode(Self.self, from: Data(text.utf8)) else {
            throw DatabaseError.unexpectedValue(column: Self.column)
        }
        self = value
    }

    package var text: String {
        get throws { String(decoding: try WireCoding.encode(self), as: UTF8.self) }
    }
}
