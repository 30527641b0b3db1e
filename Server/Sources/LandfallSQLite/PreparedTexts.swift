// SPDX-License-Identifier: Apache-2.0
import CSQLite
import LandfallStore

/// A prepared statement with its parameter order and columns.
final class PreparedText {
    let text: String
    let statement: OpaquePointer
    /// For each of SQLite's parameters the index of its value, from 0.
    let values: [Int]
    private(set) var columns: Columns

    /// - Parameter statement: finalized when this object is released.
    init(_ text: String, _ statement: OpaquePointer) {
        self.text = text
        self.statement = statement
        values = ParameterOrder(of: text).positions.map { $0 - 1 }
        columns = Self.columns(statement)
    }

    /// Call it when the statement is on a row: the engine prepares it again if the schema has changed.
    func refreshColumns() {
        if sqlite3_column_count(statement) != columns.names.count { columns = Self.columns(statement) }
    }

    private static func columns(_ statement: OpaquePointer) -> Columns {
        Columns((0..<sqlite3_column_count(statement)).map { String(cString: sqlite3_column_name(statement, $0)) })
    }

    deinit { sqlite3_finalize(statement) }
}

/// The prepared statements of one connection.
struct PreparedTexts {
    /// A program has a few hundred texts. If a program makes texts from numbers (`IN ($1, $2, …)`), the cache is emptied at
    /// this size.
    static let most = 1_024
    private static let places = 256

    private var byText: [String: PreparedText] = [:]
    /// By the address of the text's bytes: a literal of the program stays at its address, and comparing it with itself takes
    /// one step. Hashing its bytes took longer than a keyed read.
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
