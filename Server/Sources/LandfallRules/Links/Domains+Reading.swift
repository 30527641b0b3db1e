// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationReader {
    private static let mostDomains = 100
    private static let mostPatterns = 1000

    mutating func domains(_ node: ConfigurationNode) -> Domains {
        guard let fields = fields(node, of: "'domains'", optional: ["brand", "universal", "api", "old"]) else { return Domains() }
        var seen: [String: ConfigurationNode.Place] = [:]
        let brand = fields["brand"].map { brandDomains($0, &seen) } ?? []
        let universal = fields["universal"].map { hosts($0, of: "'universal'", &seen) } ?? []
        let old = fields["old"].map { oldDomains($0, &seen) } ?? []
        // The API may answer on the web site's host, but never on a host that serves links.
        var seenWithAPI = seen.filter { host, _ in !universal.contains(host) }
        let api = fields["api"].map { hosts($0, of: "'api'", &seenWithAPI) } ?? []
        return Domains(brand: brand, universal: universal, old: old, api: api)
    }

    private mutating func brandDomains(
        _ node: ConfigurationNode, _ seen: inout [String: ConfigurationNode.Place]
    ) -> [BrandDomain] {
        let read = (list(node, of: "'brand'", most: Self.mostDomains) ?? []).compactMap { element -> (host: String?, fields: Fields?)? in
            guard case .mapping = element.content else { return (host(element, &seen), nil) }
            let optional = ["paths", "ios", "android", "desktop", "ppid", "pt", "ct", "suffixes", "page"]
            guard let fields = fields(element, of: "A brand domain", required: ["host"], optional: optional) else { return nil }
            return (fields["host"].flatMap { host($0, &seen) }, fields)
        }
        // No way of a domain may lead to one of these hosts.
        let all = LinkDomains(brand: read.compactMap(\.host))
        var size = 0, isTold = false
        return read.compactMap { host, fields in
            let paths = fields?["paths"].map { patterns($0, of: "'paths'") } ?? []
            size += paths.reduce(host?.utf8.count ?? 0) { $0 + $1.rawValue.utf8.count }
            if size > WireLinkRules.most, let node = fields?["paths"], !isTold {
                isTold = true
                warn(
                    node.place,
                    "The brand domains and their 'paths' have more than \(WireLinkRules.most) bytes from here on. Phones get only the part before, and a tap on any other link waits for the server. Write fewer and wider patterns.")
            }
            let ways = fields.map { platformWays($0, of: all) } ?? PlatformWays()
            let storePage = fields.map { self.storePage($0) } ?? StorePage()
            let ignoresCase = fields?["suffixes"].map { self.ignoresCase($0) } ?? false
            let page = fields?["page"].map { brandPage($0) } ?? BrandPage()
            return host.map {
                BrandDomain(host: $0, paths: paths, ways: ways, storePage: storePage, ignoresCase: ignoresCase, page: page)
            }
        }
    }

    /// `suffixes` of a brand domain.
    private mutating func ignoresCase(_ node: ConfigurationNode) -> Bool {
        let text = matching(node, "'suffixes'", "Write ignoreCase or exact.") { ["ignoreCase", "exact"].contains($0) }
        return text == "ignoreCase"
    }

    private mutating func hosts(
        _ node: ConfigurationNode, of what: String, _ seen: inout [String: ConfigurationNode.Place]
    ) -> [String] {
        (list(node, of: what, most: Self.mostDomains) ?? []).compactMap { host($0, &seen) }
    }

    mutating func host(
        _ node: ConfigurationNode, _ seen: inout [String: ConfigurationNode.Place]
    ) -> String? {
        let text = matching(node, "A domain", "Write a host alone, such as links.example.com.") { InternationalHost.ascii($0) != nil }
        guard let text, let host = InternationalHost.ascii(text) else { return nil }
        if !text.utf8.allSatisfy({ $0 < 0x80 }) {
            warn(node.place, "'\(text)' is '\(host)' for browsers and programs. Write that in the app's entitlements, in DNS and in calls.")
        }
        guard let first = seen.updateValue(node.place, forKey: host) else { return host }
        note(
            node.place,
            "'\(host)' is here a second time; the first is in line \(first.line). A domain has one purpose: keep one.")
        return nil
    }

    /// Paths with `*` and `?`.
    mutating func patterns(_ node: ConfigurationNode, of what: String) -> [PathPattern] {
        (list(node, of: what, most: Self.mostPatterns) ?? []).compactMap { element in
            let text = matching(element, "A path", "Write it from its '/' on, percent-encoded, with * and ? as in /products/*.")
            {
                $0.hasPrefix("/") && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
                    && !$0.split(separator: "/").contains { $0 == "." || $0 == ".." }
            }
            return text.map { PathPattern($0).normal }
        }
    }
}

extension Domains {
    /// Labels of ASCII letters, digits and dashes; no port, no path, no trailing dot.
    static func isHost(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253 && labels.count > 1
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.allSatisfy { $0.isASCIIWord && $0 != "_" || $0 == "-" }
            }
    }
}
