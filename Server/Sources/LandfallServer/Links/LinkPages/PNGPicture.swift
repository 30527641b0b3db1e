// SPDX-License-Identifier: Apache-2.0

/// A picture of black and white pixels as PNG (ISO/IEC 15948): one bit for each pixel, in blocks of deflate that are stored as
/// they are. A QR code of 512 pixels has about 34 kB.
struct PNGPicture {
    let width: Int
    let height: Int
    let isWhite: (_ x: Int, _ y: Int) -> Bool

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    var bytes: [UInt8] {
        // One bit of greyscale; the only compression and filtering that there are; not interlaced.
        let header = Self.bigEndian(UInt32(width)) + Self.bigEndian(UInt32(height)) + [1, 0, 0, 0, 0]
        return Self.signature + Self.chunk("IHDR", header) + Self.chunk("IDAT", Self.stored(rows)) + Self.chunk("IEND", [])
    }

    /// Each row begins with its filter, 0 for none.
    private var rows: [UInt8] {
        var rows: [UInt8] = []
        rows.reserveCapacity(height * (1 + (width + 7) / 8))
        for y in 0..<height {
            rows.append(0)
            for start in stride(from: 0, to: width, by: 8) {
                var byte: UInt8 = 0
                for x in start..<min(start + 8, width) where isWhite(x, y) { byte |= 0x80 >> UInt8(x - start) }
                rows.append(byte)
            }
        }
        return rows
    }

    /// The bytes in the format of zlib (RFC 1950), in blocks without compression (RFC 1951).
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01], start = 0
        repeat {
            let part = bytes[start..<min(start + 0xFFFF, bytes.count)]
            start = part.endIndex
            let length = UInt16(part.count)
            stream.append(start == bytes.count ? 1 : 0)
            for number in [length, ~length] {
                stream += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
            }
            stream += part
        } while start < bytes.count
        return stream + bigEndian(adler32(bytes))
    }

    private static func chunk(_ name: StaticString, _ content: [UInt8]) -> [UInt8] {
        let typed = Array("\(name)".utf8) + content
        return bigEndian(UInt32(content.count)) + typed + bigEndian(crc32(typed))
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }

    static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var low: UInt32 = 1, high: UInt32 = 0
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }
}

extension QRCode {
    /// The smallest width of ``png``, in pixels.
    static let leastWidth = 512

    /// A picture with four modules of quiet zone; every module has the same whole number of pixels.
    package var png: [UInt8] {
        let scale = (Self.leastWidth + side - 1) / side
        return PNGPicture(width: side * scale, height: side * scale) { x, y in
            let (column, row) = (x / scale - 4, y / scale - 4)
            return !((0..<size).contains(column) && (0..<size).contains(row) && modules[row * size + column])
        }.bytes
    }
}
