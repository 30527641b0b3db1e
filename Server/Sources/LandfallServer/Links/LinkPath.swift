// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A path in the only form in which links are stored and looked up: it starts with `/`, percent-encoding is normalised, empty
/// segments and the final slash are removed. Case is kept.
struct LinkPath: Hashable, Sendable, CustomStringConvertible {
    let text: String

    /// The path of a followed link.
    /// - Throws: ``InvalidLink`` for `.` and `..`, and for encoding that is not UTF-8.
    init(_ link: LinkAddress) throws(InvalidLink) { self.init(segments: try link.segments()) }

    /// A path as people write it, such as `/electronics/phones`.
    /// - Throws: ``InvalidLink``.
    init(_ path: String) throws(InvalidLink) {
        guard path.hasPrefix("/") else { throw InvalidLink(.noScheme) }
        try self.init(try LinkAddress("https://host.invalid" + path))
    }

    /// The path of a stored row.
    init(stored text: String) { self.text = text }

    private init(segments: [String]) {
        let host = "h"
        text = String(Destination(path: segments).text(onHost: host).dropFirst("https://".count + host.count))
    }

    /// True for paths that the server reserves on every brand domain, so that no link can take them.
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

/// The address of a link.
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
    /// Without a final slash, as ``LinkPath`` writes paths.
    var normal: PathPattern {
        rawValue.utf8.count > 1 && rawValue.hasSuffix("/") ? PathPattern(String(rawValue.dropLast())) : self
    }

    /// True if a new link on this path would conflict with the pattern.
    func matches(_ path: LinkPath) -> Bool { normal.matches(path.text) }
}
