// SPDX-License-Identifier: Apache-2.0
import Crypto

/// Every value of a table in one number: SHA-256 over its rows in the order of the key, the same from either engine.
struct TableDigest {
    private var hash = SHA256()
    private var bytes: [UInt8] = []
    private(set) var rows = 0

    init(_ table: SchemaShape.Table) {
        add([SQLValue.text(table.name)] + table.columns.map { SQLValue.text($0) })
    }

    mutating func add(_ lot: [Row]) {
        for row in lot { add(row.values) }
        rows += lot.count
    }

    /// Hexadecimal.
    var text: String { hash.finalize().hexadecimal }

    private mutating func add(_ values: [SQLValue]) {
        bytes.removeAll(keepingCapacity: true)
        for value in values {
            switch value {
            case .null: bytes.append(0)
            case .text(let text): add(1, text.utf8)
            case .integer(let integer): add(2, integer)
            case .real(let real): add(3, Int64(bitPattern: real.bitPattern))
            case .blob(let blob): add(4, blob)
            }
        }
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
    }

    private mutating func add(_ mark: UInt8, _ content: some Collection<UInt8>) {
        add(mark, Int64(content.count))
        bytes.append(contentsOf: content)
    }

    private mutating func add(_ mark: UInt8, _ number: Int64) {
        bytes.append(mark)
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
