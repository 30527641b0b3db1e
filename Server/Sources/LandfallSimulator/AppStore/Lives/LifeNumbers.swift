// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The numbers of one life: the same for the same product and seed.
struct LifeNumbers {
    private var numbers: SeededNumbers
    private let isSandbox: Bool

    init(productID: String, isSandbox: Bool, seed: UInt64) {
        // FNV-1a: lives of other products have other numbers.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in productID.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        numbers = SeededNumbers(seed ^ hash)
        self.isSandbox = isSandbox
    }

    /// Apple's have 15 digits in production, and 16 that begin with 2 in the sandbox.
    mutating func identifier() -> String {
        isSandbox
            ? String(UInt64.random(in: 2_000_000_000_000_000..<3_000_000_000_000_000, using: &numbers))
            : String(UInt64.random(in: 100_000_000_000_000..<1_000_000_000_000_000, using: &numbers))
    }

    /// Version 4.
    mutating func uuid() -> String {
        var bytes = (0..<2).flatMap { _ in withUnsafeBytes(of: numbers.next().bigEndian) { [UInt8]($0) } }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.load(as: uuid_t.self)) }.uuidString.lowercased()
    }

    mutating func milliseconds(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &numbers) }
}
