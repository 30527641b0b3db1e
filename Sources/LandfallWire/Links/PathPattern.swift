// SPDX-License-Identifier: Apache-2.0

/// A pattern for paths of a host: `*` is any text, including none and slashes; `?` is one character. The rules are those of
/// components in Apple's association file, so that phone, server and system agree.
public struct PathPattern: WireIdentifier, ExpressibleByStringLiteral {
    /// In bytes of UTF-8.
    public static let longest = 256

    public let rawValue: String
    /// The form for comparisons, made once. It contains everything of the raw value that matters.
    private let marks: [UInt16]

    public init(rawValue: String) {
        self.rawValue = rawValue
        marks = PathMarks.marks(of: rawValue, isPattern: true)
    }

    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// True for a pattern that begins with `/` or `*`, is not too long and contains no white space, query or fragment mark.
    public var isValid: Bool {
        guard let first = rawValue.utf8.first, rawValue.utf8.count <= Self.longest else { return false }
        return (first == UInt8(ascii: "/") || first == UInt8(ascii: "*"))
            && !rawValue.unicodeScalars.contains { $0.properties.isWhitespace || $0 == "#" || $0 == "\\" }
    }

    /// True if the pattern matches the path of this link: one rule for phone and server. Pattern and path are compared in the
    /// normal form, whatever their encoding: `/été` matches `/%C3%A9t%c3%a9`; `%2A` and `%3F` are the characters themselves.
    /// Empty segments and a final slash are ignored, but `/a/*` matches `/a/` too. Upper and lower case differ.
    ///
    /// As in Apple's file, `?` is one character of the encoded path: a character outside ASCII takes three or more of them.
    /// - Returns: false for a path that must not be followed.
    public func matches(_ link: LinkAddress) -> Bool { [self].match(link) }

    /// Matches a path as written, slash by slash, percent-encoded or not. Takes at most (length of the path × length of the
    /// pattern) steps: linear in the path, which strangers write; ``longest`` bounds the other factor.
    /// - Parameter path: with its leading slash.
    public func matches(_ path: String) -> Bool {
        PathMarks.matches(marks[...], PathMarks.marks(of: path, isPattern: false)[...])
    }

    /// - Parameters:
    ///   - path: in the normal form, with a final slash.
    ///   - isOpen: the path was written with that slash, so that `/a/*` is tried on it too.
    fileprivate func matches(_ path: ArraySlice<UInt16>, isOpen: Bool) -> Bool {
        let closed = marks.count > 1 && marks.last == PathMarks.slash ? marks.dropLast() : marks[...]
        return PathMarks.matches(closed, path.dropLast()) || isOpen && PathMarks.matches(closed, path)
    }
}

extension [PathPattern] {
    /// True if one of them matches the path of this link, see ``PathPattern/matches(_:)-(LinkAddress)``. The path is read once
    /// for all of them, without a copy for each.
    public func match(_ link: LinkAddress) -> Bool {
        guard !isEmpty, let segments = try? link.segments() else { return false }
        var path = [PathMarks.slash]
        path.reserveCapacity(link.path.utf8.count + 2)
        for (index, segment) in segments.enumerated() {
            if index > 0 { path.append(PathMarks.slash) }
            PathMarks.append(segment: segment, to: &path)
        }
        path.append(PathMarks.slash)
        let isOpen = link.path.utf8.last == UInt8(ascii: "/") && !segments.isEmpty
        return contains { $0.matches(path[...], isOpen: isOpen) }
    }
}

/// The comparable form of paths and patterns: bytes of the normally encoded path, and the two wildcards.
private enum PathMarks {
    static let slash = UInt16(UInt8(ascii: "/"))
    private static let star: UInt16 = 0x100
    private static let one: UInt16 = 0x101

    static func marks(of text: String, isPattern: Bool) -> [UInt16] {
        let bytes = Array(text.utf8)
        var marks: [UInt16] = []
        marks.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if let byte = PercentEncoding.byte(at: index, in: bytes) {
                append(byte, to: &marks)
                index += 3
                continue
            }
            switch bytes[index] {
            case UInt8(ascii: "/"): marks.append(slash)
            case UInt8(ascii: "*") where isPattern: marks.append(star)
            case UInt8(ascii: "?") where isPattern: marks.append(one)
            case let byte: append(byte, to: &marks)
            }
            index += 1
        }
        return marks
    }

    /// - Parameter segment: decoded.
    static func append(segment: String, to marks: inout [UInt16]) {
        for byte in segment.utf8 { append(byte, to: &marks) }
    }

    private static func append(_ byte: UInt8, to marks: inout [UInt16]) {
        if PercentEncoding.segment.contains(byte) {
            marks.append(UInt16(byte))
        } else {
            marks += PercentEncoding.escaped(byte).map { UInt16($0) }
        }
    }

    static func matches(_ pattern: ArraySlice<UInt16>, _ path: ArraySlice<UInt16>) -> Bool {
        var at = pattern.startIndex, index = path.startIndex
        // The position of the newest star, and how much of the path it has taken.
        var last: (pattern: Int, path: Int)?
        while index < path.endIndex {
            if at < pattern.endIndex, pattern[at] == star {
                last = (at, index)
                at += 1
            } else if at < pattern.endIndex, pattern[at] == one || pattern[at] == path[index] {
                at += 1
                index += 1
            } else if let star = last {
                last = (star.pattern, star.path + 1)
                at = star.pattern + 1
                index = star.path + 1
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == star }
    }
}
