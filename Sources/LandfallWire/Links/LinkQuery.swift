// SPDX-License-Identifier: Apache-2.0

/// One `name=value` of a link, decoded. `+` stays `+`.
public struct LinkQueryItem: Hashable, Sendable, Codable {
    public var name: String
    /// nil where there was no `=`.
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

    /// True for what measures a click and is no part of where the link leads: `adj_…`, `adjust_…` and `lf_…`.
    public var isTracking: Bool { Self.isTracking(name) }

    static func isTracking(_ name: some StringProtocol) -> Bool {
        ["adj_", "adjust_", "lf_"].contains { LinkParameters.hasPrefix(name, $0) }
    }
}

/// The query of a link as it is met in the wild.
enum LinkQuery {
    /// In their order; items without a name are left out. A second `?` that begins another `name=value` counts as `&`:
    /// many tools append parameters with `?` to what has a query already. Inside a value that is itself an address it does
    /// so only in front of a tracking parameter.
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
        query.utf8.split(separator: UInt8(ascii: "&")).flatMap { part in
            var parts: [Substring] = []
            for piece in part.split(separator: UInt8(ascii: "?"), omittingEmptySubsequences: false).map(Substring.init) {
                if let last = parts.last, !begins(piece, after: last) {
                    parts[parts.count - 1] = query[last.startIndex..<piece.endIndex]
                } else {
                    parts.append(piece)
                }
            }
            return parts
        }
    }

    private static func begins(_ piece: Substring, after before: Substring) -> Bool {
        guard let equals = piece.utf8.firstIndex(of: UInt8(ascii: "=")), equals > piece.startIndex else { return false }
        let name = piece[..<equals]
        if LinkQueryItem.isTracking((try? PercentEncoding.decoded(name)) ?? "") { return true }
        return !before.contains("://") && name.utf8.allSatisfy { PercentEncoding.unreserved.contains($0) }
    }
}

extension LinkAddress {
    /// - Throws: ``InvalidLink/Reason/invalidEncoding``.
    public func queryItems() throws(InvalidLink) -> [LinkQueryItem] {
        try query.map { q throws(InvalidLink) in try LinkQuery.items(of: q) } ?? []
    }
}
