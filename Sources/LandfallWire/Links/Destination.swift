// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Where a link leads inside the app: one value for its branded, its universal and its app-scheme form.
///
/// `https://links.example.com/summer-clothes?promo=beach`, `https://example.com/summer-clothes?promo=beach` and
/// `example://summer-clothes?promo=beach` are equal, byte by byte after decoding; empty segments and parameters, a final slash and
/// an empty fragment make no difference. Tracking parameters (`adj_…`, `adjust_…`, `lf_…`) are not part of it.
///
/// One that was read from a link keeps how that link was written, except for tracking parameters; equality does not look at it.
public struct Destination: Hashable, Sendable, Codable {
    /// Decoded, never empty, never `.` or `..`.
    public private(set) var path: [String]
    /// Decoded, in their order, without tracking parameters.
    public private(set) var query: [LinkQueryItem]
    /// Decoded; some apps keep their route here.
    public private(set) var fragment: String?
    /// Nil if it was not read from a link.
    private(set) var written: WrittenDestination?

    /// Leaves out what a destination cannot contain: empty segments, `.` and `..`, items without a name, tracking parameters.
    public init(path: [String], query: [LinkQueryItem] = [], fragment: String? = nil) {
        self.path = path.filter { !$0.isEmpty && $0 != "." && $0 != ".." }
        self.query = query.filter { !$0.name.isEmpty && !$0.isTracking }
        self.fragment = fragment.flatMap(LinkFragment.withoutTracking).flatMap { $0.isEmpty ? nil : $0 }
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
        try self.init(parts: try link.carried(in: domains) ?? link, in: domains)
    }

    private init(parts link: LinkAddress, in domains: LinkDomains) throws(InvalidLink) {
        // In the app-scheme form the first segment is in the host's position.
        let isHost =
            link.isWeb
            || link.authority.contains(".") && (domains.isBrand(link.authority) || domains.isUniversal(link.authority))
        let segments = try LinkAddress.segments(of: isHost ? link.path : link.authority + link.path)
        var fragment: String?
        if let text = link.fragment {
            _ = try PercentEncoding.decoded(text[...])
            // Before decoding: an encoded mark divides nothing.
            fragment = try LinkFragment.withoutTracking(text).map { kept throws(InvalidLink) in
                try PercentEncoding.decoded(kept[...])
            }
        }
        self.init(path: segments, query: try link.queryItems(), fragment: fragment)
        written = WrittenDestination(link, isHost: isHost)
    }
}
