// SPDX-License-Identifier: Apache-2.0

/// A QR code (ISO/IEC 18004) of bytes, 15 % of which may be damaged (level M).
package struct QRCode: Hashable, Sendable {
    /// Modules on each side, without the quiet zone.
    package let size: Int
    /// Row by row; true is dark.
    private(set) var modules: [Bool]

    /// - Returns: nil for more than 997 bytes: such a code would be too fine for a phone's camera.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = QRVersion.smallest(holding: bytes.count) else { return nil }
        let drawing = QRMatrix(version: version, codewords: version.codewords(of: bytes))
        size = version.size
        modules = drawing.masked()
    }

    /// Lines for a terminal, with four modules of quiet zone: a character is one module wide and two high. What is light is drawn,
    /// because most terminals are dark.
    package var halfBlocks: [String] {
        func isLight(_ x: Int, _ y: Int) -> Bool {
            !(0..<size).contains(x) || !(0..<size).contains(y) || !modules[y * size + x]
        }
        return stride(from: -4, to: size + 4, by: 2).map { y in
            (-4..<size + 4).map { x in
                switch (isLight(x, y), y + 1 < size + 4 && isLight(x, y + 1)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }.joined()
        }
    }

    /// Modules on each side, with four modules of quiet zone.
    package var side: Int { size + 8 }

    /// The dark modules as the path of a drawing of ``side`` by ``side``.
    package var outline: String {
        var path = ""
        for y in 0..<size {
            var x = 0
            while x < size {
                let start = x
                while x < size, modules[y * size + x] { x += 1 }
                if x > start { path += "M\(start + 4) \(y + 4)h\(x - start)v1h-\(x - start)z" }
                x += 1
            }
        }
        return path
    }

    /// An SVG with four modules of quiet zone. It contains nothing that needs escaping.
    package var svg: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" role="img" aria-label="QR code" \
        shape-rendering="crispEdges"><path fill="#fff" d="M0 0h\(side)v\(side)h-\(side)z"/><path fill="#000" d="\(outline)"/></svg>
        """
    }
}

/// One of the sizes of a QR code, with its error-correction blocks at level M.
struct QRVersion: Hashable, Sendable {
    let number: Int

    /// Check codewords per block, and blocks, for versions 1…25.
    private static let checks = [
        10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28,
    ]
    private static let blocks = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21]

    static func smallest(holding count: Int) -> QRVersion? {
        (1...checks.count).lazy.map { QRVersion(number: $0) }.first { $0.room >= count }
    }

    var size: Int { 17 + 4 * number }

    /// The centres of alignment patterns, in both directions.
    var alignments: [Int] {
        guard number > 1 else { return [] }
        let count = number / 7 + 2
        let step = (number * 4 + count * 2 + 1) / (count * 2 - 2) * 2
        return [6] + (0..<count - 1).map { size - 7 - $0 * step }.reversed()
    }

    /// Modules that carry data, as whole bytes.
    private var allCodewords: Int {
        let functional = alignments.count
        let aligned = functional == 0 ? 0 : (functional * functional - 3) * 25 - (functional - 2) * 10
        let fixed = 3 * 64 + 2 * 15 + 1 + 2 * (size - 16)
        return (size * size - fixed - aligned - (number >= 7 ? 36 : 0)) / 8
    }

    private var dataCodewords: Int { allCodewords - Self.checks[number - 1] * Self.blocks[number - 1] }

    /// Bytes of text that fit after mode and length.
    private var room: Int { dataCodewords - (number < 10 ? 2 : 3) }

    /// The text with its error correction, in drawing order.
    func codewords(of bytes: [UInt8]) -> [UInt8] {
        var bits: [Bool] = []
        func append(_ value: Int, _ count: Int) { bits += (0..<count).reversed().map { value >> $0 & 1 == 1 } }
        append(0b0100, 4)
        append(bytes.count, number < 10 ? 8 : 16)
        for byte in bytes { append(Int(byte), 8) }
        append(0, min(4, dataCodewords * 8 - bits.count))
        append(0, (8 - bits.count % 8) % 8)
        var data = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        while data.count < dataCodewords { data.append((data.count - bits.count / 8).isMultiple(of: 2) ? 0xEC : 0x11) }

        let blockCount = Self.blocks[number - 1]
        let shortCount = blockCount - data.count % blockCount
        var start = 0
        let blocks = (0..<blockCount).map { index in
            let length = data.count / blockCount + (index < shortCount ? 0 : 1)
            defer { start += length }
            return Array(data[start..<start + length])
        }
        let corrections = blocks.map { ReedSolomon.checks(of: $0, count: Self.checks[number - 1]) }
        return Self.interleaved(blocks) + Self.interleaved(corrections)
    }

    private static func interleaved(_ blocks: [[UInt8]]) -> [UInt8] {
        (0..<(blocks.map(\.count).max() ?? 0)).flatMap { index in blocks.compactMap { index < $0.count ? $0[index] : nil } }
    }
}

/// Check codewords over GF(256), the field that QR codes use.
enum ReedSolomon {
    static func checks(of data: [UInt8], count: Int) -> [UInt8] {
        var generator = [UInt8](repeating: 0, count: count - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<count {
            for index in 0..<count {
                generator[index] = product(generator[index], root) ^ (index + 1 < count ? generator[index + 1] : 0)
            }
            root = product(root, 2)
        }
        var rest = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ rest.removeFirst()
            rest.append(0)
            for index in 0..<count { rest[index] ^= product(generator[index], factor) }
        }
        return rest
    }

    private static func product(_ one: UInt8, _ other: UInt8) -> UInt8 {
        var (result, one, other) = (UInt8(0), one, other)
        while other > 0 {
            if other & 1 == 1 { result ^= one }
            one = one << 1 ^ (one & 0x80 == 0 ? 0 : 0x1D)
            other >>= 1
        }
        return result
    }
}
