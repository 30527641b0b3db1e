// SPDX-License-Identifier: Apache-2.0

/// Which links of the brand domains are long: their destination is their own address, and a phone need not ask about them. Part
/// of a first open's and a paywall's answer to a phone that named another version (``WireHeader/linkRules``).
public struct WireLinkRules: Hashable, Sendable, Codable {
    /// One brand domain. It has short links too: a path that no pattern matches may be one.
    public struct Domain: Hashable, Sendable, Codable {
        /// In lower case.
        public var host: String
        /// As in ``PathPattern``.
        public var paths: [PathPattern]

        public init(host: String, paths: [PathPattern]) {
            self.host = host
            self.paths = paths
        }
    }

    /// The version of a phone that has no rules, and of rules without paths.
    public static let noVersion = "0"
    /// The size of hosts and patterns together, in bytes of UTF-8. A server leaves out the rest; a phone refuses larger rules.
    public static let most = 16 * 1024
    static let longestVersion = 64

    /// Names the content: equal rules have equal versions. It has no order, because a roll-back brings earlier rules back.
    public var version: String
    public var brand: [Domain]

    public init(version: String, brand: [Domain]) {
        self.version = version
        self.brand = brand
    }

    /// False for rules that no server of this release sends: a phone keeps the ones that it has.
    public var isValid: Bool {
        let version = version.utf8
        guard (1...Self.longestVersion).contains(version.count), version.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return false
        }
        return Self.size(of: brand) <= Self.most
    }

    /// True for a link whose destination is its own address.
    public func isLong(_ link: LinkAddress) -> Bool {
        guard let host = link.host else { return false }
        return brand.contains { $0.host.lowercased().hasSameBytes(as: host) && $0.paths.match(link) }
    }

    static func size(of brand: [Domain]) -> Int { brand.reduce(0) { $0 + $1.size } }
}

extension WireLinkRules.Domain {
    fileprivate var size: Int { paths.reduce(host.utf8.count) { $0 + $1.rawValue.utf8.count } }
}
