// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// Cuts the bytes of the stream into lines. Blank and unreadable lines are skipped.
///
/// Every byte is read once and moved at most once more, whatever the sizes of the chunks.
struct LineSplitter: Sendable {
    /// The longest line that the protocol allows is 256 KiB.
    static let longestLine = 512 * 1024

    /// The beginning of an incomplete line; contains no line break.
    private var rest = Data()

    /// The lines that these bytes complete.
    /// - Throws: ``TransportError`` if a line does not end: that is not a first-open stream.
    mutating func lines(completedBy chunk: Data) throws -> [FirstOpenLine] {
        var lines: [FirstOpenLine] = []
        var unread = chunk[...]
        while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
            rest.append(unread[..<end])
            if !rest.isEmpty, let line = try? WireCoding.decode(FirstOpenLine.self, from: rest) { lines.append(line) }
            rest = Data()
            unread = unread[(end + 1)...]
        }
        rest.append(unread)
        if rest.count > Self.longestLine {
            throw TransportError(.connectionFailed, detail: "A line of the first-open stream does not end.")
        }
        return lines
    }
}
