// SPDX-License-Identifier: Apache-2.0

/// A destination as it was written: the bytes after the host or scheme, without tracking parameters. Not part of what makes two
/// destinations equal.
struct WrittenDestination: Hashable, Sendable, Codable {
    /// Behind a host: empty, or with a leading slash.
    let path: String
    /// What followed the app's scheme and its colon, such as `//summer-clothes`; nil if the link was not of that form.
    let behindScheme: String?
    /// With its `?` and `#`; empty if there is neither.
    let tail: String

    /// - Parameter isHost: the link's authority is a host, not the first segment of the path.
    init(_ link: LinkAddress, isHost: Bool) {
        let segments = isHost ? link.path : link.authority + link.path
        path = link.isWeb || segments.utf8.first == UInt8(ascii: "/") ? segments : "/" + segments
        behindScheme = link.isWeb ? nil : link.hierarchy
        tail = link.tailWithoutTracking
    }

    func text(onHost host: String) -> String { "https://\(host)\(path)\(tail)" }

    func text(inScheme scheme: String) -> String {
        if let behindScheme { return "\(scheme):\(behindScheme)\(tail)" }
        let rest = path.utf8.dropFirst()
        // A segment that is empty, not a plain word, or looks like a host must not be in the host's position.
        let first = rest.prefix { $0 != UInt8(ascii: "/") }
        let isWord = first.allSatisfy(PercentEncoding.unreserved.contains) && !first.contains(UInt8(ascii: "."))
        return "\(scheme)://\(isWord && (!first.isEmpty || rest.isEmpty) ? Substring(rest) : path[...])\(tail)"
    }
}

extension LinkAddress {
    /// The link as it is written, without tracking parameters in its query and fragment.
    public var withoutTracking: String {
        let tail = tailWithoutTracking
        return String(Substring(text.utf8.dropLast(self.tail.utf8.count))) + tail
    }

    /// The fragment as it is written, without tracking parameters; nil if there is none, or nothing else in it.
    public var fragmentWithoutTracking: String? { fragment.flatMap(LinkFragment.withoutTracking) }

    /// What follows the scheme's colon, without query and fragment.
    fileprivate var hierarchy: String {
        String(Substring(text.utf8.dropFirst(scheme.utf8.count + 1).dropLast(tail.utf8.count)))
    }

    /// Query and fragment, with their marks.
    private var tail: String { Self.tail(query, fragment) }

    fileprivate var tailWithoutTracking: String {
        Self.tail(
            query.flatMap { LinkQuery.text(of: $0) { !LinkQueryItem.isTracking(written: $0.name.utf8) } },
            fragmentWithoutTracking)
    }

    private static func tail(_ query: String?, _ fragment: String?) -> String {
        (query.map { "?\($0)" } ?? "") + (fragment.map { "#\($0)" } ?? "")
    }
}
