// SPDX-License-Identifier: Apache-2.0

/// Lines from bytes that arrive in any pieces. A line that is too long is counted and not kept.
struct MessageLines {
    enum Line: Hashable {
        case text([UInt8])
        case tooLong
    }

    /// In bytes. A request with the largest configuration fits.
    static let longest = 8 * 1024 * 1024

    private let longest: Int
    private var pending: [UInt8] = []
    /// The beginning of this line is gone.
    private var isTooLong = false

    init(longest: Int = MessageLines.longest) { self.longest = longest }

    /// - Returns: the lines that end in these bytes, without empty ones.
    mutating func take(_ bytes: [UInt8]) -> [Line] {
        var lines: [Line] = [], rest = bytes[...]
        while let lineBreak = rest.firstIndex(of: UInt8(ascii: "\n")) {
            keep(rest[..<lineBreak])
            if let line = end() { lines.append(line) }
            rest = rest[(lineBreak + 1)...]
        }
        keep(rest)
        return lines
    }

    private mutating func keep(_ part: ArraySlice<UInt8>) {
        guard !isTooLong else { return }
        guard pending.count + part.count <= longest else {
            (pending, isTooLong) = ([], true)
            return
        }
        pending += part
    }

    /// The line that the bytes so far end: at a line break, and at the end of the input.
    mutating func end() -> Line? {
        defer { (pending, isTooLong) = ([], false) }
        if isTooLong { return .tooLong }
        let isEmpty = pending.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
        return isEmpty ? nil : .text(pending)
    }
}
