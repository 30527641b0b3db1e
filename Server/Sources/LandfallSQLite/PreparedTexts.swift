// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
internal import LandfallDatabase

/// A prepared text, and what is asked of it each time.
final class PreparedText {
    let text: String
    let statement: OpaquePointer
    /// For each of SQLite's parameters the number of its value, from 0.
    let values: [Int]
    private(set) var columns: Columns

    /// - Parameter statement: finalized with this value.
    init(_ text: String, _ statement: OpaquePointer) {
        self.text = text
        self.statement = statement
        values = ParameterOrder(of: text).positions.map { $0 - 1 }
        columns = Self.columns(statement)
    }

    /// Once the statement stands on a row: the engine has prepared it anew where the schema has changed since.
    func refreshColumns() {
        if sqlite3_column_count(statement) != columns.names.count { columns = Self.columns(statement) }
    }

    private static func columns(_ statement: OpaquePointer) -> Columns {
        Columns((0..<sqlite3_column_count(statement)).map { String(cString: sqlite3_column_name(statement, $0)) })
    }

    deinit { sqlite3_finalize(statement) }
}

/// The prepared texts of one connection.
struct PreparedTexts {
    /// A program has a few hundred texts. One that makes them from numbers (`IN ($1, $2, …)`) begins anew at the bound.
    static let most = 1_024
    private static let places = 256

    private var byText: [String: PreparedText] = [:]
    /// By the address of the text's bytes: a text of the program stays where it is, and comparing it with itself takes one step,
    /// where hashing its bytes took longer than a keyed read.
    private var byAddress = [PreparedText?](repeating: nil, count: places)

    mutating func find(_ text: String, orPrepare prepare: (String) throws -> PreparedText) rethrows -> PreparedText {
        let place = Self.place(of: text)
        if let known = byAddress[place], known.text == text { return known }
        if let known = byText[text] {
            byAddress[place] = known
            return known
        }
        if byText.count >= Self.most { self = Self() }
        let new = try prepare(text)
        byText[text] = new
        byAddress[place] = new
        return new
    }

    private static func place(of text: String) -> Int {
        let address = text.utf8.withContiguousStorageIfAvailable { UInt(bitPattern: $0.baseAddress) } ?? 0
        return Int(truncatingIfNeeded: ((address >> 4) &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }
}
