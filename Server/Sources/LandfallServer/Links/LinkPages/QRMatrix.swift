// SPDX-License-Identifier: Apache-2.0

/// The modules of a QR code while it is drawn.
struct QRMatrix {
    private let version: QRVersion
    private let size: Int
    private var modules: [Bool]
    /// Modules that carry no data.
    private var isFixed: [Bool]

    init(version: QRVersion, codewords: [UInt8]) {
        self.version = version
        size = version.size
        modules = Array(repeating: false, count: size * size)
        isFixed = modules
        drawPatterns()
        drawVersion()
        drawFormat(mask: 0)
        draw(codewords)
    }

    /// With the mask of the lowest penalty.
    func masked() -> [Bool] {
        let candidates = (0..<8).map { mask in
            var drawing = self
            drawing.apply(mask)
            drawing.drawFormat(mask: mask)
            return drawing
        }
        return candidates.min { $0.penalty < $1.penalty }?.modules ?? modules
    }

    private mutating func set(_ x: Int, _ y: Int, _ isDark: Bool) {
        modules[y * size + x] = isDark
        isFixed[y * size + x] = true
    }

    private mutating func drawPatterns() {
        for index in 0..<size {
            set(6, index, index.isMultiple(of: 2))
            set(index, 6, index.isMultiple(of: 2))
        }
        for (centreX, centreY) in [(3, 3), (size - 4, 3), (3, size - 4)] {
            for dy in -4...4 {
                for dx in -4...4 {
                    let (x, y) = (centreX + dx, centreY + dy)
                    guard (0..<size).contains(x), (0..<size).contains(y) else { continue }
                    let ring = max(abs(dx), abs(dy))
                    set(x, y, ring != 2 && ring != 4)
                }
            }
        }
        let centres = version.alignments
        for (row, y) in centres.enumerated() {
            for (column, x) in centres.enumerated() {
                let last = centres.count - 1
                // Three corners belong to the finder patterns.
                if (row, column) == (0, 0) || (row, column) == (0, last) || (row, column) == (last, 0) { continue }
                for dy in -2...2 {
                    for dx in -2...2 { set(x + dx, y + dy, max(abs(dx), abs(dy)) != 1) }
                }
            }
        }
    }

    /// Draws level M and the mask, protected by a BCH code, in two places.
    private mutating func drawFormat(mask: Int) {
        var rest = mask
        for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
        let bits = (mask << 10 | rest) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0...5 { set(8, index, bit(index)) }
        set(8, 7, bit(6))
        set(8, 8, bit(7))
        set(7, 8, bit(8))
        for index in 9..<15 { set(14 - index, 8, bit(index)) }
        for index in 0..<8 { set(size - 1 - index, 8, bit(index)) }
        for index in 8..<15 { set(8, size - 15 + index, bit(index)) }
        set(8, size - 8, true)
    }

    private mutating func drawVersion() {
        guard version.number >= 7 else { return }
        var rest = version.number
        for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1F25 }
        let bits = version.number << 12 | rest
        for index in 0..<18 {
            let (far, near) = (size - 11 + index % 3, index / 3)
            set(far, near, bits >> index & 1 == 1)
            set(near, far, bits >> index & 1 == 1)
        }
    }

    /// In columns of two, from the right, alternately up and down.
    private mutating func draw(_ codewords: [UInt8]) {
        var next = 0
        for pair in 0..<(size - 1) / 2 {
            var right = size - 1 - 2 * pair
            if right <= 6 { right -= 1 }
            for step in 0..<size {
                let y = pair.isMultiple(of: 2) ? size - 1 - step : step
                for x in [right, right - 1] where !isFixed[y * size + x] && next < codewords.count * 8 {
                    modules[y * size + x] = codewords[next / 8] >> (7 - next % 8) & 1 == 1
                    next += 1
                }
            }
        }
    }

    private mutating func apply(_ mask: Int) {
        for y in 0..<size {
            for x in 0..<size where !isFixed[y * size + x] && Self.inverts(mask, x, y) { modules[y * size + x].toggle() }
        }
    }

    private static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }

    /// A measure of how hard it is to read: long runs, squares, patterns like a finder, too many dark or light modules.
    private var penalty: Int {
        var sum = 0
        for line in 0..<size {
            sum += Self.penalty(of: (0..<size).map { modules[line * size + $0] })
            sum += Self.penalty(of: (0..<size).map { modules[$0 * size + line] })
        }
        for y in 0..<size - 1 {
            for x in 0..<size - 1 {
                let first = modules[y * size + x]
                if first == modules[y * size + x + 1], first == modules[(y + 1) * size + x],
                    first == modules[(y + 1) * size + x + 1]
                {
                    sum += 3
                }
            }
        }
        let dark = modules.count(where: \.self)
        return sum + abs(dark * 20 - modules.count * 10) / modules.count * 10
    }

    private static func penalty(of line: [Bool]) -> Int {
        var (sum, run, before) = (0, 0, line[0])
        var history = 0
        for (index, isDark) in line.enumerated() {
            run = isDark == before ? run + 1 : 1
            before = isDark
            if run == 5 { sum += 3 } else if run > 5 { sum += 1 }
            history = (history << 1 | (isDark ? 1 : 0)) & 0x7FF
            if index >= 10, history == 0b000_0101_1101 || history == 0b101_1101_0000 { sum += 40 }
        }
        return sum
    }
}
