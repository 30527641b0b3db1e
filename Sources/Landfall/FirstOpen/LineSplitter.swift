// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// Cuts the bytes of the stream into lines. Blank lines and lines that cannot be understood are skipped.
struct LineSplitter: Sendable {
    /// The longest line that the protocol allows is 256 KiB.
    static let longestLine = 512 * 1024

    private var rest = Data()

    /// The lines that these bytes complete.
    /// - Throws: ``TransportError`` where a line does not end: that is no first-open stream.
    mutating func lines(completedBy chunk: Data) throws -> [FirstOpenLine] {
        rest.append(chunk)
        var lines: [FirstOpenLine] = []
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[rest.startIndex..<end]
            rest = Data(rest[rest.index(after: end)...])
            if let value = try? WireCoding.decode(FirstOpenLine.self, from: Data(line)) { lines.append(value) }
        }
        if rest.count > Self.longestLine {
            throw TransportError(.connectionFailed, detail: "A line of the first-open stream does not end.")
        }
        return lines
    }
}
