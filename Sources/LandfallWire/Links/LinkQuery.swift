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

    /// The same for a name as it is written in a link.
    static func isTracking(written name: Substring.UTF8View) -> Bool {
        guard name.contains(UInt8(ascii: "%")) else { return isTracking(Substring(name)) }
        return isTracking((try? PercentEncoding.decoded(Substring(name))) ?? "")
    }
}

/// Parses the query of a link, including a common mistake: many tools append their parameters to a query with a second `?`.
/// Before a tracking parameter it counts as `&`. Every other `?` is part of a name or value.
enum LinkQuery {
    /// A part of a query, as it is written.
    struct Part {
        /// `&`, or `?` before a tracking parameter; nil for the first part.
        let mark: UInt8?
        /// May be empty.
        let text: Substring

        var name: Substring { Substring(text.utf8.prefix { $0 != UInt8(ascii: "=") }) }

        /// Nil without `=`.
        var value: Substring? {
            text.utf8.firstIndex(of: UInt8(ascii: "=")).map { text[text.utf8.index(after: $0)...] }
        }
    }

    /// The marks and texts of the parts are the whole query. Linear: each byte is read a fixed number of times, whatever the
    /// number of `?`.
    static func parts(of query: String) -> [Part] {
        let bytes = query[...].utf8
        var parts: [Part] = []
        var mark: UInt8?
        var start = bytes.startIndex, next = start
        while let found = bytes[next...].firstIndex(where: isMark) {
            next = bytes.index(after: found)
            guard bytes[found] == UInt8(ascii: "&") || beginsTracking(bytes[next...]) else { continue }
            parts.append(Part(mark: mark, text: Substring(bytes[start..<found])))
            (mark, start) = (bytes[found], next)
        }
        parts.append(Part(mark: mark, text: Substring(bytes[start...])))
        return parts
    }

    /// In their order; items without a name are left out.
    static func items(of query: String) throws(InvalidLink) -> [LinkQueryItem] {
        var items: [LinkQueryItem] = []
        for part in parts(of: query) {
            let name = try PercentEncoding.decoded(part.name)
            if name.isEmpty { continue }
            let value = try part.value.map { text throws(InvalidLink) in try PercentEncoding.decoded(text) }
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

    /// The query as it is written, without some parts.
    /// - Returns: nil if no part is left.
    static func text(of query: String, keeping isKept: (Part) -> Bool) -> String? {
        let parts = parts(of: query), kept = parts.filter(isKept)
        if kept.count == parts.count { return query }
        guard let first = kept.first else { return nil }
        var bytes = Array(first.text.utf8)
        for part in kept.dropFirst() {
            bytes.append(part.mark ?? UInt8(ascii: "&"))
            bytes += part.text.utf8
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isMark(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "&") || byte == UInt8(ascii: "?") }

    private static func beginsTracking(_ rest: Substring.UTF8View) -> Bool {
        let name = rest.prefix { $0 != UInt8(ascii: "=") && !isMark($0) }
        guard name.endIndex < rest.endIndex, rest[name.endIndex] == UInt8(ascii: "=") else { return false }
        return LinkQueryItem.isTracking(written: name)
    }
}

extension LinkAddress {
    /// - Throws: ``InvalidLink/Reason/invalidEncoding``.
    public func queryItems() throws(InvalidLink) -> [LinkQueryItem] {
        try query.map { q throws(InvalidLink) in try LinkQuery.items(of: q) } ?? []
    }

    /// The query as it is written, percent-encoded, without the parameters that are not kept.
    /// - Parameter isKept: gets the decoded name, which may be empty. A name that is not UTF-8 stays encoded.
    /// - Returns: nil without a query, and if no parameter is kept.
    public func query(keeping isKept: (String) -> Bool) -> String? {
        query.flatMap { LinkQuery.text(of: $0) { isKept($0.decodedName) } }
    }

    /// The decoded names of the query's parameters. A name that is not UTF-8 stays encoded.
    public var parameterNames: Set<String> { Set(query.map { LinkQuery.parts(of: $0).map(\.decodedName) } ?? []) }
}

extension LinkQuery.Part {
    fileprivate var decodedName: String { (try? PercentEncoding.decoded(name)) ?? String(name) }
}
