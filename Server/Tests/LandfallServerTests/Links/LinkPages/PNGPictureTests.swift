// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallServer

@Suite("Pictures as PNG", .timeLimit(.minutes(1)))
struct PNGPictureTests {
    @Test("The sums are those of their definitions' examples")
    func sums() {
        #expect(PNGPicture.crc32(Array("123456789".utf8)) == 0xCBF4_3926)
        #expect(PNGPicture.crc32(Array("IEND".utf8)) == 0xAE42_6082)
        #expect(PNGPicture.adler32(Array("Wikipedia".utf8)) == 0x11E6_0398)
        #expect(PNGPicture.adler32([]) == 1)
    }

    @Test("Read back, a QR code has its modules, a white margin, and at least 512 pixels", arguments: [1, 26, 300, 997])
    func code(length: Int) throws {
        let code = try #require(QRCode(String(repeating: "a", count: length)))

        let read = try #require(try ReadPNG(code.png))

        #expect(read.width == read.height && read.width >= 512 && read.width.isMultiple(of: code.side))
        let scale = read.width / code.side
        #expect((code.side * (scale - 1)) < 512)
        var wrong = 0
        for y in 0..<read.height {
            for x in 0..<read.width {
                let (column, row) = (x / scale - 4, y / scale - 4)
                let isInside = (0..<code.size).contains(column) && (0..<code.size).contains(row)
                let isDark = isInside && code.modules[row * code.size + column]
                if read.isWhite[y * read.width + x] == isDark { wrong += 1 }
            }
        }
        #expect(wrong == 0)
    }

    @Test("Any size is read back, also one of several blocks", arguments: [(1, 1), (7, 3), (8, 2), (9, 2), (800, 700)])
    func sizes(width: Int, height: Int) throws {
        let picture = PNGPicture(width: width, height: height) { ($0 * 7 + $1 * 3) % 5 < 2 }

        let read = try #require(try ReadPNG(picture.bytes))

        #expect(read.width == width && read.height == height)
        #expect(read.isWhite == (0..<width * height).map { ($0 % width * 7 + $0 / width * 3) % 5 < 2 })
    }
}

/// Reads what a strict reader would accept: one bit of greyscale, no filter, blocks without compression.
private struct ReadPNG {
    private(set) var width = 0
    private(set) var height = 0
    private(set) var isWhite: [Bool] = []

    /// - Returns: nil if a length, a sum or a fixed byte is wrong.
    init?(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        func take(_ count: Int) throws -> [UInt8] {
            try #require(rest.count >= count)
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
        guard try take(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] else { return nil }
        var chunks: [(name: String, content: [UInt8])] = []
        while !rest.isEmpty {
            let length = number(try take(4)), typed = try take(4 + length)
            guard number(try take(4)) == Int(PNGPicture.crc32(typed)) else { return nil }
            chunks.append((String(decoding: typed.prefix(4), as: UTF8.self), Array(typed.dropFirst(4))))
        }
        guard chunks.map(\.name) == ["IHDR", "IDAT", "IEND"], chunks[2].content.isEmpty, chunks[0].content.count == 13 else {
            return nil
        }
        let header = chunks[0].content
        guard header.suffix(5) == [1, 0, 0, 0, 0] else { return nil }
        (width, height) = (number(header[0..<4]), number(header[4..<8]))

        rest = chunks[1].content[...]
        let start = try take(2)
        // Deflate, and a check of these two bytes.
        guard start[0] & 0x0F == 8, number(start).isMultiple(of: 31), start[1] & 0x20 == 0 else { return nil }
        var rows: [UInt8] = [], isLast = false
        while !isLast {
            let head = try take(5)
            let length = Int(head[1]) | Int(head[2]) << 8, inverse = Int(head[3]) | Int(head[4]) << 8
            guard head[0] <= 1, length ^ inverse == 0xFFFF else { return nil }
            isLast = head[0] == 1
            rows += try take(length)
        }
        guard number(try take(4)) == Int(PNGPicture.adler32(rows)), rest.isEmpty else { return nil }

        let rowLength = 1 + (width + 7) / 8
        guard rows.count == rowLength * height else { return nil }
        for y in 0..<height {
            guard rows[y * rowLength] == 0 else { return nil }
            for x in 0..<width { isWhite.append(rows[y * rowLength + 1 + x / 8] & (0x80 >> UInt8(x % 8)) != 0) }
        }
    }
}
