// SPDX-License-Identifier: Apache-2.0

/// The app's own hosts and schemes.
public struct LinkDomains: Hashable, Sendable, Codable {
    /// Hosts that only serve links, for example `links.example.com`.
    public var brand: [String]
    /// Hosts of the team's own web site, whose addresses open the app, for example `example.com`.
    public var universal: [String]
    /// For example `example` for `example://…`.
    public var schemes: [String]

    /// - Parameters:
    ///   - brand: a host is that host alone; `*.example.com` is every host below it, but not `example.com` itself.
    ///   - universal: written the same way.
    ///   - schemes: without `://`.
    public init(brand: [String] = [], universal: [String] = [], schemes: [String] = []) {
        self.brand = brand
        self.universal = universal
        self.schemes = schemes
    }

    public func isBrand(_ host: String) -> Bool { Self.matches(host, brand) }
    public func isUniversal(_ host: String) -> Bool { Self.matches(host, universal) }
    public func isOwnScheme(_ scheme: String) -> Bool {
        schemes.contains { $0.utf8.elementsEqual(scheme.utf8, by: Self.isSameLetter) }
    }

    /// True for a link of one of these hosts or schemes.
    public func owns(_ link: LinkAddress) -> Bool {
        link.host.map { isBrand($0) || isUniversal($0) } ?? isOwnScheme(link.scheme)
    }

    /// Compares ASCII letters without case; every other byte only equals itself. `lowercased()` would turn the Kelvin sign into
    /// a plain k.
    private static func isSameLetter(_ left: UInt8, _ right: UInt8) -> Bool {
        left == right || (65...90).contains(left & 0xDF) && left & 0xDF == right & 0xDF
    }

    /// Compares whole labels: `evilgo.link` is not below `*.go.link`.
    public static func matches(_ host: String, _ patterns: [String]) -> Bool {
        guard let host = try? LinkAddress.webHost(host) else { return false }
        return patterns.contains { pattern in
            let pattern = pattern.lowercased()
            guard pattern.hasPrefix("*.") else { return pattern.hasSameBytes(as: host) }
            return host.hasSuffix(pattern.dropFirst()) && host.utf8.count > pattern.utf8.count - 1
        }
    }
}
