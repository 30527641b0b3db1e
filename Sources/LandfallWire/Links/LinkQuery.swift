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

    /// True for what measures a click and is no part of where the link leads: `adj_…`, `adjust_…` and `lf_…`.
    public var isTracking: Bool { Self.isTracking(name) }

    static func isTracking(_ name: some StringProtocol) -> Bool {
        let name = name.prefix(7).lowercased()
        return name.hasPrefix("adj_") || name.hasPrefix("adjust_") || name.hasPrefix("lf_")
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
            let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try PercentEncoding.decoded(pieces[0])
            if name.isEmpty { continue }
            items.append(LinkQueryItem(name, pieces.count > 1 ? try PercentEncoding.decoded(pieces[1]) : nil))
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
        query.split(separator: "&").flatMap { part in
            let pieces = part.split(separator: "?", omittingEmptySubsequences: false)
            var parts: [Substring] = [pieces[0]]
            for piece in pieces.dropFirst() {
                if begins(piece, after: parts[parts.count - 1]) {
                    parts.append(piece)
                } else {
                    let last = parts[parts.count - 1]
                    parts[parts.count - 1] = query[last.startIndex..<piece.endIndex]
                }
            }
            return parts
        }
    }

    private static func begins(_ piece: Substring, after before: Substring) -> Bool {
        guard let equals = piece.firstIndex(of: "="), equals > piece.startIndex else { return false }
        let name = piece[..<equals]
        if LinkQueryItem.isTracking(name) { return true }
        return !before.contains("://") && name.utf8.allSatisfy { PercentEncoding.unreserved.contains($0) }
    }
}

extension LinkAddress {
    /// - Throws: ``InvalidLink/Reason/invalidEncoding``.
    public func queryItems() throws(InvalidLink) -> [LinkQueryItem] {
        try query.map { q throws(InvalidLink) in try LinkQuery.items(of: q) } ?? []
    }
}
