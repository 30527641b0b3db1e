// SPDX-License-Identifier: Apache-2.0
import LandfallStore

extension RowLock {
    /// The number of the advisory lock: the same on every node and in every release. It excludes for rows that do not exist yet,
    /// which no lock on rows does. Two locks of one number only wait for each other without need.
    var number: Int64 {
        var hash = FowlerNollVo()
        hash.add(table.utf8)
        for (column, value) in key.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            hash.add(column.utf8)
            switch value {
            case .null: hash.add([0])
            case .text(let text):
                hash.add([1])
                hash.add(text.utf8)
            case .integer(let integer): hash.add([2], integer)
            case .real(let real): hash.add([3], Int64(bitPattern: real.bitPattern))
            case .blob(let bytes):
                hash.add([4])
                hash.add(bytes)
            }
        }
        return Int64(bitPattern: hash.value)
    }

    /// In one order for everybody, so that two transactions do not wait for each other in a circle.
    static func numbers(_ locks: [RowLock]) -> [Int64] { Set(locks.map(\.number)).sorted() }
}

/// FNV-1a with 64 bits; each part is followed by its length.
private struct FowlerNollVo {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: some Sequence<UInt8>, _ number: Int64? = nil) {
        var count: Int64 = 0
        for byte in bytes {
            add(byte)
            count += 1
        }
        withUnsafeBytes(of: (number ?? count).littleEndian) { for byte in $0 { add(byte) } }
    }

    private mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
}
