// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Ids that grow with time, so that appends stay at the end of an index. The rest is random.
enum UUIDv7 {
    /// - Parameter nowMs: Unix milliseconds; the first 48 bits of the id.
    /// - Returns: lower-case canonical text.
    static func make(nowMs: Int64) -> String {
        var generator = SystemRandomNumberGenerator()
        let random = (0..<10).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let time = UInt64(clamping: nowMs)
        let stamp = (0..<6).map { UInt8(truncatingIfNeeded: time >> UInt64(40 - 8 * $0)) }
        return UUID(
            uuid: (
                stamp[0], stamp[1], stamp[2], stamp[3], stamp[4], stamp[5],
                random[0] & 0x0F | 0x70, random[1],
                random[2] & 0x3F | 0x80, random[3],
                random[4], random[5], random[6], random[7], random[8], random[9]
            )
        ).uuidString.lowercased()
    }
}
