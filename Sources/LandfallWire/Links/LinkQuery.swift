// SPDX-License-Identifier: Apache-2.0

/// One `name=value` of a link, decoded. `+` stays `+`.
public struct LinkQueryItem: Hashable, Sendable, Codable {
    public var name: String
    /// nil if there was no `=`.
    public var value: String?

    public init(_ name: String, _ value: String? = nil) {
        self.name = name
        self.value = value
    }

    public static func == (left: LinkQueryItem, right: LinkQueryItem) -> Bool {
        left.name.hasSameBytes(as: right.name) && left.value.map(ExactText.init) == right.value.map(ExactText.init)
    }

    public func hash(into hasher: inout Hasher) {
        name.hashBytes(into: &hasher)
        hasher.combine(value.map(ExactText.init))
    }

    /// True for a tracking parameter, which is not part of the destination: `adj_…`, `adjust_…` and `lf_…`.
    public var isTracking: Bool { Self.isTracking(name) }

    static func isTracking(_ name: some StringProtocol) -> Bool {
        ["adj_", "adjust_", "lf_"].contains { LinkParameters.hasPrefix(name, $0) }
    }
}

/// Parses the query of a link, including common mistakes.
enum LinkQuery {
    /// In their order; items without a name are left out. A second `?` before another `name=value` counts as `&`: many tools
    /// append parameters with `?` to a query. Inside a value that is itself an address this applies only before a tracking
    /// parameter.
    static func items(of query: String) throws(InvalidLink) -> [LinkQueryItem] {
        var items: [LinkQueryItem] = []
        for part in parts(of: query) {
            let equals = part.utf8.firstIndex(of: UInt8(ascii: "="))
            let name = try PercentEncoding.decoded(part[..<(equals ?? part.endIndex)])
            if name.isEmpty { continue }
            let value = try equals.map { mark throws(InvalidLink) in
                try PercentEncoding.decoded(part[part.utf8.index(after: mark)...])
            }
            items.append(LinkQueryItem(name, value))
        }
        return items
    }

    static func text(_ items: [LinkQueryItem]) -> String {
        items.map { item in
            let name = PercentEncoding.encoded(item.name, PercentEncoding.queryName)
            return item.value.map { "\(name)=\(PercentEncoding.encoded($0, PercentEncoding.queryValue))" } ?? name
        }.joined(separator: "&")
    }

    private static func parts(of query: String) -> [Substring] {
        query.utf8.split(separator: UInt8(ascii: "&")).flatMap { parts(ofPart: $0) }
    }

    /// Cuts at every `?` before another `name=value`. Linear: each byte is read a fixed number of times, whatever the number of
    /// `?`. What the part so far contains is remembered, never searched again.
    private static func parts(ofPart text: Substring.UTF8View) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex, pieceStart = start
        var holdsAddress = false
        while true {
            let mark = text[pieceStart...].firstIndex(of: UInt8(ascii: "?"))
            let piece = text[pieceStart..<(mark ?? text.endIndex)]
            if pieceStart > text.startIndex, begins(piece, inAddress: holdsAddress) {
                parts.append(Substring(text[start..<text.index(before: pieceStart)]))
                (start, holdsAddress) = (pieceStart, false)
            }
            // `://` contains no `?`, so each piece can be searched alone.
            holdsAddress = holdsAddress || containsAddressMark(piece)
            guard let mark else { break }
            pieceStart = text.index(after: mark)
        }
        parts.append(Substring(text[start...]))
        return parts
    }

    private static func begins(_ piece: Substring.UTF8View, inAddress: Bool) -> Bool {
        guard let equals = piece.firstIndex(of: UInt8(ascii: "=")), equals > piece.startIndex else { return false }
        let name = piece[..<equals]
        if LinkQueryItem.isTracking((try? PercentEncoding.decoded(Substring(name))) ?? "") { return true }
        return !inAddress && name.allSatisfy { PercentEncoding.unreserved.contains($0) }
    }

    private static func containsAddressMark(_ piece: Substring.UTF8View) -> Bool {
        var rest = piece
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            rest = rest[rest.index(after: colon)...]
            if rest.starts(with: "//".utf8) { return true }
        }
        return false
    }
}

extension LinkAddress {
    /// - Throws: ``InvalidLink/Reason/invalidEncoding``.
    public func queryItems() throws(InvalidLink) -> [LinkQueryItem] {
        try query.map { q throws(InvalidLink) in try LinkQuery.items(of: q) } ?? []
    }
}
