// SPDX-License-Identifier: Apache-2.0
import LandfallStore

/// Inserts many rows with one statement. There are only a few texts, so that each stays prepared. A
/// statement that is not full repeats its last row, so repeating a row must not change anything.
struct RowsText: Sendable {
    static let sizes = [1, 10, 100]

    /// By size.
    private let texts: [Int: String]

    /// - Parameters:
    ///   - shared: how many columns have one value for all rows; they are named first.
    ///   - columns: how many columns have a value of each row.
    ///   - then: what follows the rows: with `ON CONFLICT DO NOTHING` a repetition changes nothing.
    init(_ insert: String, shared: Int, columns: Int, then: String) {
        texts = Dictionary(
            uniqueKeysWithValues: Self.sizes.map { size in
                let rows = (0..<size).map { row in
                    let own = (0..<columns).map { shared + row * columns + $0 + 1 }
                    return "(" + ((1...shared) + own).map { "$\($0)" }.joined(separator: ", ") + ")"
                }
                return (size, insert + "\nVALUES " + rows.joined(separator: ", ") + "\n" + then)
            })
    }

    func statements(shared: [SQLValue], rows: [[SQLValue]]) -> [Statement] {
        var statements: [Statement] = []
        var rest = rows[...]
        while let size = Self.sizes.first(where: { $0 >= rest.count }) ?? Self.sizes.last, let text = texts[size],
            let last = rest.prefix(size).last
        {
            let part = rest.prefix(size)
            let full = part + Array(repeating: last, count: size - part.count)
            statements.append(Statement(text, shared + full.joined()))
            rest = rest.dropFirst(size)
        }
        return statements
    }
}
