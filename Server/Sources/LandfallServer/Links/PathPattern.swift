// SPDX-License-Identifier: Apache-2.0

/// Paths that a domain takes without a stored link, written as in Apple's association file: `*` is any characters, `?` is
/// one, everything else is itself.
struct PathPattern: Hashable, Sendable, CustomStringConvertible {
    let text: String

    init(_ text: String) { self.text = text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text }

    var description: String { text }

    func matches(_ path: LinkPath) -> Bool { Self.matches(Array(path.text.utf8), Array(text.utf8)) }

    /// Goes back to the last `*` only: at most the product of both lengths, however many there are.
    private static func matches(_ path: [UInt8], _ pattern: [UInt8]) -> Bool {
        var (at, next) = (0, 0)
        var star: (at: Int, next: Int)?
        while at < path.count {
            if next < pattern.count, pattern[next] == UInt8(ascii: "*") {
                star = (at, next)
                next += 1
            } else if next < pattern.count, pattern[next] == path[at] || pattern[next] == UInt8(ascii: "?") {
                at += 1
                next += 1
            } else if let last = star {
                (at, next) = (last.at + 1, last.next + 1)
                star = (at, last.next)
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
