// SPDX-License-Identifier: Apache-2.0

/// The place of a unit among a million buckets: always the same, on every machine, and independent of every other salt.
///
/// `u` is the first eight bytes, highest first, of SHA-256 over `landfall.1`, the namespace, the salt and the unit in UTF-8,
/// with a zero byte between them. The bucket is `u · 1,000,000 / 2⁶⁴`, rounded down, so that anyone can compute it again.
package struct Draw: Hashable, Sendable {
    package static let bucketCount = 1_000_000

    /// The hash's first eight bytes.
    package let u: UInt64

    /// 0..<1,000,000.
    package var bucket: Int { Int(u.multipliedFullWidth(by: UInt64(Self.bucketCount)).high) }

    /// Sixteen hexadecimal digits.
    package var hexadecimal: String {
        let digits = String(u, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    /// - Parameters:
    ///   - namespace: what the draw is for: `layer`, `holdout`, `experiment` or `audience`.
    ///   - unit: an install's id, in lower case. Bytes are compared as they are.
    package init(namespace: String, salt: String, unit: String) {
        var (namespace, salt, unit) = (namespace, salt, unit)
        self = namespace.withUTF8 { namespace in
            salt.withUTF8 { salt in
                unit.withUTF8 { unit in
                    Draw(
                        namespace: UnsafeRawBufferPointer(namespace), salt: UnsafeRawBufferPointer(salt),
                        unit: UnsafeRawBufferPointer(unit))
                }
            }
        }
    }

    init(namespace: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer, unit: UnsafeRawBufferPointer) {
        let version: StaticString = "landfall.1"
        let prefix = UnsafeRawBufferPointer(start: version.utf8Start, count: version.utf8CodeUnitCount)
        let count = prefix.count + namespace.count + salt.count + unit.count + 3
        let digest = withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { message in
            var end = 0
            for part in 0..<4 {
                let part = part == 0 ? prefix : part == 1 ? namespace : part == 2 ? salt : unit
                UnsafeMutableRawBufferPointer(rebasing: message[end...]).copyMemory(from: part)
                end += part.count
                guard end < count else { break }
                message[end] = 0
                end += 1
            }
            return DrawHash.digest(of: UnsafeRawBufferPointer(message))
        }
        u = UInt64(digest[0]) << 32 | UInt64(digest[1])
    }
}
