// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Sums of counts, grouped by fields.
///
/// A hash table whose keys are fields as ``DayText`` writes them. The bytes of all keys are in one array and the counts of all cells in
/// another: adding to a cell that is there allocates nothing, and a report over tens of thousands of cells needs a few arrays.
package struct CellTable: Sendable {
    /// The number of counts of each cell.
    package let size: Int
    private var bytes: [UInt8] = []
    /// The end of each cell's key in ``bytes``; it begins at the end of the one before.
    private var ends: [Int] = []
    private var sums: [Int64] = []
    /// The numbers of cells, at the indexes that their hashes give; a power of two of them.
    private var slots: [Int32] = Array(repeating: CellTable.free, count: 16)

    private static let free: Int32 = -1

    package init(size: Int) { self.size = size }

    /// The cells, in the order in which they were first added.
    var indices: Range<Int> { ends.indices }
    var count: Int { ends.count }
    /// The memory of keys, counts and slots.
    var byteCount: Int { bytes.count + 8 * (ends.count + sums.count) + 4 * slots.count }

    /// The fields of a cell.
    func key(of cell: Int) -> ArraySlice<UInt8> { bytes[(cell == 0 ? 0 : ends[cell - 1])..<ends[cell]] }

    func counts(of cell: Int) -> ArraySlice<Int64> { sums[cell * size..<(cell + 1) * size] }

    /// The counts of the cell with these fields; nil if there is none.
    package func counts(_ key: [UInt8]) -> ArraySlice<Int64>? {
        let cell = slots[slot(of: key)]
        return cell == Self.free ? nil : counts(of: Int(cell))
    }

    /// - Parameter counts: may be fewer than ``size``; further ones are left out.
    mutating func add(_ key: [UInt8], _ counts: some Collection<Int64>) {
        let first = cell(key) * size
        for (index, count) in zip(first..<first + size, counts) { sums[index] += count }
    }

    mutating func add(_ key: ReportSheet.Key, _ counts: some Collection<Int64>) { add(Self.fields(key), counts) }

    /// - Parameter cell: from ``cell(_:)``.
    mutating func add(_ count: Int64, at index: Int, of cell: Int) { sums[cell * size + index] += count }

    package static func fields(_ key: ReportSheet.Key) -> [UInt8] { key.reduce(into: []) { DayText.append($1, to: &$0) } }

    var totals: [Int64] {
        indices.reduce(into: Array(repeating: 0, count: size)) { sum, cell in
            for index in 0..<size { sum[index] += sums[cell * size + index] }
        }
    }

    var rows: [ReportSheet.Key: [Int64]] {
        Dictionary(indices.map { (DayText.values(key(of: $0)), Array(counts(of: $0))) }) { first, _ in first }
    }

    /// The number of the cell with these fields. It is made if there is none, with counts of zero.
    mutating func cell(_ key: [UInt8]) -> Int {
        var slot = slot(of: key)
        if slots[slot] != Self.free { return Int(slots[slot]) }
        if 2 * (count + 1) > slots.count {
            grow()
            slot = self.slot(of: key)
        }
        slots[slot] = Int32(count)
        bytes += key
        ends.append(bytes.count)
        sums.append(contentsOf: repeatElement(0, count: size))
        return count - 1
    }

    private mutating func grow() {
        slots = Array(repeating: Self.free, count: 2 * slots.count)
        for cell in indices { slots[slot(of: Array(key(of: cell)))] = Int32(cell) }
    }

    /// The slot of the cell with this key, or the one that it would get.
    private func slot(of key: [UInt8]) -> Int {
        key.withUnsafeBytes { key in
            var hasher = Hasher()
            hasher.combine(bytes: key)
            var slot = hasher.finalize() & (slots.count - 1)
            while slots[slot] != Self.free, !has(Int(slots[slot]), key) { slot = (slot + 1) & (slots.count - 1) }
            return slot
        }
    }

    private func has(_ cell: Int, _ key: UnsafeRawBufferPointer) -> Bool {
        let first = cell == 0 ? 0 : ends[cell - 1]
        guard ends[cell] - first == key.count else { return false }
        guard let start = key.baseAddress, !key.isEmpty else { return true }
        return bytes.withUnsafeBytes { memcmp($0.baseAddress! + first, start, key.count) == 0 }
    }
}

/// Which cells a report shows.
extension CellTable {
    /// The cells with the highest counts; what the others count is one cell that is called ``DayCells/other`` in every field.
    func capped(_ most: Int, fields: Int) -> CellTable {
        guard count > most else { return self }
        let kept = most - 1
        // Only the cells with the least first count that is kept have to be put in order: to order them all was slow in a long report.
        let least = indices.map { sums[$0 * size] }.sorted(by: >)[max(0, kept - 1)]
        let larger = indices.filter { sums[$0 * size] > least }
        let equal = indices.filter { sums[$0 * size] == least }.sorted { isLarger($0, $1) }
        let smaller = indices.filter { sums[$0 * size] < least }
        var capped = CellTable(size: size)
        for cell in larger + equal.prefix(kept - larger.count) { capped.add(Array(key(of: cell)), counts(of: cell)) }
        let rest = DayCells.rest(fields)
        for cell in equal.dropFirst(kept - larger.count) + smaller { capped.add(rest, counts(of: cell)) }
        return capped
    }

    /// The first cells in the order of ``isLarger(_:_:)``.
    func first(_ most: Int) -> CellTable {
        var table = CellTable(size: size)
        for cell in indices.first(most, by: isLarger) { table.add(Array(key(of: cell)), counts(of: cell)) }
        return table
    }

    /// The highest count first, then by the bytes of the fields.
    private func isLarger(_ one: Int, _ other: Int) -> Bool {
        for index in 0..<size where sums[one * size + index] != sums[other * size + index] {
            return sums[one * size + index] > sums[other * size + index]
        }
        return DayText.precedes(key(of: one), key(of: other))
    }
}
