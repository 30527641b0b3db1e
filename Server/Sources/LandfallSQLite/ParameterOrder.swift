// SPDX-License-Identifier: Apache-2.0
/// The order in which SQLite counts the parameters of a text. For SQLite `$1` is a name, and names are numbered by their first
/// appearance; for PostgreSQL it is the first value.
struct ParameterOrder {
    /// For each of SQLite's parameters the number after `$`, for example `[2, 1]` for `… $2 … $1 … $2`.
    let positions: [Int]

    init(of text: String) {
        var positions: [Int] = []
        var bytes = text.utf8.makeIterator()
        var byte = bytes.next()
        while let current = byte {
            byte = bytes.next()
            switch current {
            case UInt8(ascii: "'"):
                while let quoted = byte, quoted != current { byte = bytes.next() }
                byte = bytes.next()
            case UInt8(ascii: "$"):
                var number = 0
                while let digit = byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
                    number = number * 10 + Int(digit - UInt8(ascii: "0"))
                    byte = bytes.next()
                }
                if number > 0, !positions.contains(number) { positions.append(number) }
            default: break
            }
        }
        self.positions = positions
    }
}
