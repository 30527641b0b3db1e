// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// A path in the only form in which links are stored and looked up: it starts with `/`, percent-encoding is normalised, empty
/// segments and the final slash are removed. Case is kept.
package struct LinkPath: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// The path of a followed link.
    /// - Throws: ``InvalidLink`` for `.` and `..`, and for encoding that is not UTF-8.
    package init(_ link: LinkAddress) throws(InvalidLink) { self.init(segments: try link.segments()) }

    /// A path as people write it, such as `/electronics/phones`.
    /// - Throws: ``InvalidLink``.
    package init(_ path: String) throws(InvalidLink) {
        guard path.hasPrefix("/") else { throw InvalidLink(.noScheme) }
        try self.init(try LinkAddress("https://host.invalid" + path))
    }

    /// The path of a stored row.
    package init(stored text: String) { self.text = text }

    private init(segments: [String]) {
        let host = "h"
        text = String(Destination(path: segments).text(onHost: host).dropFirst("https://".count + host.count))
    }

    /// True for paths that the server reserves on every brand domain, so that no link can take them.
    package var isReserved: Bool {
        let first = text.dropFirst().prefix { $0 != "/" }
        return first.hasPrefix(".") || Self.reserved.contains(String(first))
    }

    /// The same path with small letters a to z. Encoded characters stay as they are.
    package var lowered: LinkPath {
        var bytes = Array(text.utf8), index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%") {
                index += 3
                continue
            }
            if (65...90).contains(bytes[index]) { bytes[index] |= 0x20 }
            index += 1
        }
        return LinkPath(stored: String(decoding: bytes, as: UTF8.self))
    }

    package var description: String { text }

    package static func == (left: LinkPath, right: LinkPath) -> Bool { left.text.hasSameBytes(as: right.text) }

    package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }

    private static let reserved: Set = [
        "v1", "admin", "api", "console", "healthz", "readyz", "metrics", "apple-app-site-association", "robots.txt",
        "sitemap.xml", "favicon.ico", "apple-touch-icon.png", "apple-touch-icon-precomposed.png",
    ]
}

/// The address of a link.
package struct LinkPlace: Hashable, Sendable {
    package let host: String
    package let path: LinkPath

    package init(host: String, path: LinkPath) {
        (self.host, self.path) = (host, path)
    }

    /// The form that people share.
    package var url: String { "https://\(host)\(path.text)" }

    package static func == (left: LinkPlace, right: LinkPlace) -> Bool {
        left.host.hasSameBytes(as: right.host) && left.path == right.path
    }

    package func hash(into hasher: inout Hasher) {
        host.hashBytes(into: &hasher)
        path.hash(into: &hasher)
    }
}

extension PathPattern {
    /// Without a final slash, as ``LinkPath`` writes paths.
    package var normal: PathPattern {
        rawValue.utf8.count > 1 && rawValue.hasSuffix("/") ? PathPattern(String(rawValue.dropLast())) : self
    }

    /// True if a new link on this path would conflict with the pattern.
    package func matches(_ path: LinkPath) -> Bool { normal.matches(path.text) }
}
