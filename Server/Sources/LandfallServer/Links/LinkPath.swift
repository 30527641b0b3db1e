// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A path in the one form in which links are stored and looked up: it starts with `/`, percent-encoding is normalised, empty
/// segments and the slash at the end are gone. Case is kept.
struct LinkPath: Hashable, Sendable, CustomStringConvertible {
    let text: String

    /// Of a link as it was followed.
    /// - Throws: ``InvalidLink`` for `.` and `..`, and for encoding that is no UTF-8.
    init(_ link: LinkAddress) throws(InvalidLink) { self.init(segments: try link.segments()) }

    /// Of a path as people write it, such as `/electronics/phones`.
    /// - Throws: ``InvalidLink``.
    init(_ path: String) throws(InvalidLink) {
        guard path.hasPrefix("/") else { throw InvalidLink(.noScheme) }
        try self.init(try LinkAddress("https://host.invalid" + path))
    }

    /// Of a row of the store.
    init(stored text: String) { self.text = text }

    private init(segments: [String]) {
        let host = "h"
        text = String(Destination(path: segments).text(onHost: host).dropFirst("https://".count + host.count))
    }

    /// What the server keeps for itself on every brand domain, so that no link can take its place.
    var isReserved: Bool {
        let first = text.dropFirst().prefix { $0 != "/" }
        return first.hasPrefix(".") || Self.reserved.contains(String(first))
    }

    var description: String { text }

    static func == (left: LinkPath, right: LinkPath) -> Bool { left.text.hasSameBytes(as: right.text) }

    func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }

    private static let reserved: Set = [
        "v1", "admin", "api", "console", "healthz", "readyz", "metrics", "apple-app-site-association", "robots.txt",
        "sitemap.xml", "favicon.ico", "apple-touch-icon.png", "apple-touch-icon-precomposed.png",
    ]
}

/// Where a link is.
struct LinkPlace: Hashable, Sendable {
    let host: String
    let path: LinkPath

    static func == (left: LinkPlace, right: LinkPlace) -> Bool {
        left.host.hasSameBytes(as: right.host) && left.path == right.path
    }

    func hash(into hasher: inout Hasher) {
        host.hashBytes(into: &hasher)
        path.hash(into: &hasher)
    }
}

extension PathPattern {
    /// Without a slash at its end, as ``LinkPath`` writes paths.
    var normal: PathPattern {
        rawValue.utf8.count > 1 && rawValue.hasSuffix("/") ? PathPattern(String(rawValue.dropLast())) : self
    }

    /// True where a new link on this path would stand in the pattern's way.
    func matches(_ path: LinkPath) -> Bool { normal.matches(path.text) }
}
