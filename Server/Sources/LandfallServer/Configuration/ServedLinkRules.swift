// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import LandfallRules
import LandfallStore
import LandfallWire

/// What phones are told of the brand domains, so that a tap on a long link need not wait for an answer. Made once for each configuration.
struct ServedLinkRules: Sendable {
    let rules: WireLinkRules

    /// - Parameter links: of the configuration. A pattern that covers one of them is left out, because its paths have short links
    ///   too: phones ask about them.
    init(_ domains: [BrandDomain], links: [StoredLink]) {
        var brand: [WireLinkRules.Domain] = [], free = WireLinkRules.most
        for domain in domains where domain.host.utf8.count <= free {
            free -= domain.host.utf8.count
            let paths = domain.paths(without: links).filter { path in
                let fits = path.rawValue.utf8.count <= free
                if fits { free -= path.rawValue.utf8.count }
                return fits
            }
            brand.append(WireLinkRules.Domain(host: domain.host, paths: paths))
        }
        rules = WireLinkRules(version: Self.version(of: brand), brand: brand)
    }

    /// The rules for a phone that has other ones.
    /// - Parameter version: of the phone's rules, as its request says; nil for a phone that has no use for rules.
    func news(for version: String?) -> WireLinkRules? {
        guard let version, !version.hasSameBytes(as: rules.version) else { return nil }
        return rules
    }

    /// The same for the bytes of a request.
    func news(for version: UnsafeRawBufferPointer?) -> WireLinkRules? {
        guard let version, !version.elementsEqual(rules.version.utf8) else { return nil }
        return rules
    }

    /// The same on every node, and after a restart.
    private static func version(of brand: [WireLinkRules.Domain]) -> String {
        let known = brand.filter { !$0.paths.isEmpty }
        guard !known.isEmpty else { return WireLinkRules.noVersion }
        // Neither hosts nor patterns contain a line break.
        let text = known.map { ([$0.host] + $0.paths.map(\.rawValue)).joined(separator: "\n") }.joined(separator: "\n\n")
        return SHA256.hash(data: Data(text.utf8)).prefix(8).hexadecimal
    }
}

extension BrandDomain {
    /// The patterns that cover none of these links.
    fileprivate func paths(without links: [StoredLink]) -> [PathPattern] {
        guard !paths.isEmpty else { return [] }
        return links.reduce(into: paths) { paths, link in
            guard let address = covered(link) else { return }
            paths.removeAll { $0.matches(address) }
        }
    }
}
