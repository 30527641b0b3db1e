// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Where a link leads inside the app: one value for its branded, its universal and its app-scheme form.
///
/// `https://links.example.com/summer-clothes?promo=beach`, `https://example.com/summer-clothes?promo=beach` and
/// `example://summer-clothes?promo=beach` are equal, byte by byte after decoding. Tracking parameters (`adj_…`, `adjust_…`,
/// `lf_…`) are not part of it.
public struct Destination: Hashable, Sendable, Codable {
    /// Decoded, never empty, never `.` or `..`.
    public private(set) var path: [String]
    /// Decoded, in their order, without tracking parameters.
    public private(set) var query: [LinkQueryItem]
    /// Decoded; some apps keep their route here.
    public private(set) var fragment: String?

    /// Leaves out what a destination cannot contain: empty segments, `.` and `..`, items without a name, tracking parameters.
    public init(path: [String], query: [LinkQueryItem] = [], fragment: String? = nil) {
        self.path = path.filter { !$0.isEmpty && $0 != "." && $0 != ".." }
        self.query = query.filter { !$0.name.isEmpty && !$0.isTracking }
        self.fragment = fragment.flatMap(Self.withoutTracking)
    }

    public static func == (left: Destination, right: Destination) -> Bool {
        left.path.elementsEqual(right.path) { $0.hasSameBytes(as: $1) } && left.query == right.query
            && left.fragment.map(ExactText.init) == right.fragment.map(ExactText.init)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(path.map(ExactText.init))
        hasher.combine(query)
        hasher.combine(fragment.map(ExactText.init))
    }

    /// - Returns: nil if the link does not belong to the app, or is not valid.
    public init?(_ url: URL, in domains: LinkDomains) {
        do { try self.init(LinkAddress(url.absoluteString), in: domains) } catch { return nil }
    }

    /// - Throws: `InvalidLink`, with the reason `.foreign` if the link does not belong to the app.
    public init(_ link: LinkAddress, in domains: LinkDomains) throws(InvalidLink) {
        guard domains.owns(link) else { throw InvalidLink(.foreign) }
        // A deep link in a parameter is the destination; the rest of the link only carries it.
        if let carried = try LinkParameters(link).deepLink, let inner = try? LinkAddress(carried), domains.owns(inner) {
            try self.init(parts: inner, in: domains)
        } else {
            try self.init(parts: link, in: domains)
        }
    }

    private init(parts link: LinkAddress, in domains: LinkDomains) throws(InvalidLink) {
        // In the app-scheme form the first segment is in the host's position.
        let isHost =
            link.isWeb
            || link.authority.contains(".") && (domains.isBrand(link.authority) || domains.isUniversal(link.authority))
        let segments = try LinkAddress.segments(of: isHost ? link.path : link.authority + link.path)
        let fragment = try link.fragment.map { text throws(InvalidLink) in try PercentEncoding.decoded(text[...]) }
        self.init(path: segments, query: try link.queryItems(), fragment: fragment)
    }

    /// Tracking parameters can also be in the fragment (`#/route?adj_t=…`), even after a second `?`. nil if nothing is left.
    private static func withoutTracking(_ fragment: String) -> String? {
        let marks = "&?".utf8
        var pieces: [(mark: UInt8?, text: Substring)] = []
        var rest = fragment[...].utf8
        repeat {
            let mark = pieces.isEmpty ? nil : rest.popFirst()
            let text = rest.prefix { !marks.contains($0) }
            pieces.append((mark, Substring(text)))
            rest = rest[text.endIndex...]
        } while !rest.isEmpty
        // The first piece is a route, unless it has the form of a parameter.
        let kept = pieces.filter { piece in
            !LinkQueryItem.isTracking(piece.text) || piece.mark == nil && !piece.text.utf8.contains(UInt8(ascii: "="))
        }
        if kept.count == pieces.count { return fragment.isEmpty ? nil : fragment }
        var text = ""
        for (index, piece) in kept.enumerated() {
            let isFirstParameter = index == 1 && kept[0].mark == nil
            if !text.isEmpty { text += isFirstParameter || piece.mark == UInt8(ascii: "?") ? "?" : "&" }
            text += piece.text
        }
        return text.isEmpty ? nil : text
    }
}
