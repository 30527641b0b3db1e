// SPDX-License-Identifier: Apache-2.0

/// Holds the texts of one statement while it runs, and SQLite reads them here. Otherwise SQLite would allocate, copy and free each text:
/// twelve times for the row of a click.
///
/// The texts stay where they are until ``clear()``. A statement is bound anew before each run, so it never reads an older text.
struct BoundTexts: ~Copyable {
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.size, alignment: 16)
    private var used = 0

    /// Enough for the texts of nearly every statement.
    static let size = 16 * 1_024

    /// - Returns: where the copy is; nil if there is no room for it.
    mutating func keep(_ text: UnsafeBufferPointer<UInt8>) -> UnsafePointer<CChar>? {
        guard let source = text.baseAddress, text.count <= memory.count - used, let start = memory.baseAddress else { return nil }
        let place = start + used
        place.copyMemory(from: source, byteCount: text.count)
        used += text.count
        return UnsafePointer(place.assumingMemoryBound(to: CChar.self))
    }

    mutating func clear() { used = 0 }

    deinit { memory.deallocate() }
}
