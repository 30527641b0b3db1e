// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Ids that grow with time, so that new rows go to the end of an index. The rest is random.
package enum UUIDv7 {
    /// - Parameter nowMs: Unix milliseconds; the first 48 bits of the id.
    /// - Returns: lower-case canonical text.
    package static func make(nowMs: Int64) -> String {
        let numbers = DrawnNumbers.shared
        let high = UInt64(clamping: nowMs) << 16 | 0x7000 | numbers.next() & 0x0FFF
        let low = numbers.next() >> 2 | 0x8000_0000_0000_0000
        return String(unsafeUninitializedCapacity: 36) { text in
            var place = 0
            for number in [high, low] {
                for shift in stride(from: 60, through: 0, by: -4) {
                    if place == 8 || place == 13 || place == 18 || place == 23 {
                        text[place] = UInt8(ascii: "-")
                        place += 1
                    }
                    let digit = UInt8(truncatingIfNeeded: number >> UInt64(shift)) & 15
                    text[place] = digit < 10 ? 48 + digit : 87 + digit
                    place += 1
                }
            }
            return place
        }
    }

    /// Less than every id made at this instant or later.
    package static func earliest(atMs: Int64) -> String {
        let digits = String(UInt64(clamping: atMs), radix: 16)
        let stamp = String(repeating: "0", count: max(0, 12 - digits.count)) + digits
        return "\(stamp.prefix(8))-\(stamp.dropFirst(8))-"
    }

    /// When an id was made, in Unix milliseconds; 0 for a text that is not an id.
    package static func milliseconds(of id: String) -> Int64 { Int64(id.prefix(13).filter { $0 != "-" }, radix: 16) ?? 0 }
}

/// Random numbers of the system, drawn a few at a time, because each draw is a system call. For ids only; code that needs a
/// secret draws it itself.
package final class DrawnNumbers: Sendable {
    package static let shared = DrawnNumbers()

    private let drawn = Mutex<[UInt64]>([])

    package func next() -> UInt64 {
        drawn.withLock { drawn in
            if drawn.isEmpty { drawn = Self.draw() }
            return drawn.removeLast()
        }
    }

    /// As many bytes as the system gives in one call.
    private static func draw() -> [UInt64] {
        var numbers = [UInt64](repeating: 0, count: 32)
        let failed = numbers.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
        precondition(failed == 0, "The system has no random numbers.")
        return numbers
    }
}
