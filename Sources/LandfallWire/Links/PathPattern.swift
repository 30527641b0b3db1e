// SPDX-License-Identifier: Apache-2.0

/// Which paths of a host are meant: `*` is any text, also none and also with slashes; `?` is one character. The rules of the
/// components in Apple's association file, so that phone, server and system decide alike.
public struct PathPattern: WireIdentifier, ExpressibleByStringLiteral {
    /// In characters.
    public static let longest = 256

    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.rawValue = value }

    /// True for a pattern that begins with `/` or `*`, is not too long and holds no white space, query or fragment mark.
    public var isValid: Bool {
        (rawValue.hasPrefix("/") || rawValue.hasPrefix("*")) && rawValue.count <= Self.longest
            && !rawValue.contains { $0.isWhitespace || $0 == "#" || $0 == "\\" }
    }

    /// Compares character by character, upper and lower case apart. Takes at most (length of the path × length of the
    /// pattern) steps.
    /// - Parameter path: decoded, with its leading slash.
    public func matches(_ path: String) -> Bool {
        let pattern = Array(rawValue.unicodeScalars), path = Array(path.unicodeScalars)
        var at = 0, index = 0
        // Where the newest star stands, and how much of the path it has taken.
        var star: (pattern: Int, path: Int)?
        while index < path.count {
            if at < pattern.count, pattern[at] == "*" {
                star = (at, index)
                at += 1
            } else if at < pattern.count, pattern[at] == "?" || pattern[at] == path[index] {
                at += 1
                index += 1
            } else if let last = star {
                star = (last.pattern, last.path + 1)
                at = last.pattern + 1
                index = last.path + 1
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == "*" }
    }
}
