// SPDX-License-Identifier: Apache-2.0
import Foundation

extension ConfigurationReader {
    mutating func app(_ node: ConfigurationNode) -> App? {
        let fields = fields(
            node, of: "'app'", required: ["id", "bundleId"], optional: ["name", "teamId", "scheme", "appStoreId"]
        )
        guard let fields else { return nil }
        let id = text(fields["id"], "'id'").flatMap {
            isName($0, at: fields["id"]?.place ?? node.place, of: "An app") ? $0 : nil
        }
        let name = text(fields["name"], "'name'")
        let bundleID = matching(fields["bundleId"], "'bundleId'", "Write the app's bundle id, such as com.example.app.") {
            $0.count <= 155 && $0.allSatisfy { $0.isASCIIWord && $0 != "_" || $0 == "." || $0 == "-" }
        }
        let teamID = matching(fields["teamId"], "'teamId'", "Write the ten capitals and digits of Apple's team id.") {
            $0.count == 10 && $0.allSatisfy { $0.isASCIIWord && $0 != "_" && !$0.isLowercase }
        }
        let scheme = matching(fields["scheme"], "'scheme'", "Write the app's own URL scheme without '://', such as example.") {
            let isScheme = $0.first?.isLetter == true && $0.allSatisfy { $0.isASCIIWord && $0 != "_" || "+-.".contains($0) }
            return isScheme && !["http", "https"].contains($0.lowercased())
        }
        let appStoreID = matching(
            fields["appStoreId"], "'appStoreId'", "Write the digits of the App Store address, such as 1234567890."
        ) {
            Int64($0).map { $0 > 0 } ?? false
        }
        guard let id, let bundleID else { return nil }
        return App(
            id: AppID(id), name: name ?? id, bundleID: bundleID, teamID: teamID, scheme: scheme?.lowercased(),
            appStoreID: appStoreID.flatMap { Int64($0) }
        )
    }

    /// A text that must look a certain way.
    mutating func matching(
        _ node: ConfigurationNode?, _ what: String, _ advice: String, _ isRight: (String) -> Bool
    ) -> String? {
        guard let node, let text = text(node, what) else { return nil }
        if isRight(text) { return text }
        note(node.place, "\(what) cannot be '\(text.shortened)'. \(advice)")
        return nil
    }

    private static let mostDomains = 100

    mutating func domains(_ node: ConfigurationNode) -> Domains {
        guard let fields = fields(node, of: "'domains'", optional: ["brand", "universal"]) else { return Domains() }
        var seen: [String: ConfigurationNode.Place] = [:]
        let brand = fields["brand"].map { hosts($0, of: "'brand'", &seen) } ?? []
        let universal = fields["universal"].map { hosts($0, of: "'universal'", &seen) } ?? []
        return Domains(brand: brand, universal: universal)
    }

    private mutating func hosts(
        _ node: ConfigurationNode, of what: String, _ seen: inout [String: ConfigurationNode.Place]
    ) -> [String] {
        var hosts: [String] = []
        for element in list(node, of: what, most: Self.mostDomains) ?? [] {
            let host = matching(element, "A domain", "Write a host alone, such as go.example.com.") {
                Domains.isHost($0.lowercased())
            }
            guard let host = host?.lowercased() else { continue }
            if let first = seen.updateValue(element.place, forKey: host) {
                note(
                    element.place,
                    "'\(host)' is here a second time; the first is in line \(first.line). A domain has one purpose: keep one.")
            } else {
                hosts.append(host)
            }
        }
        return hosts
    }
}

extension Domains {
    /// Labels of letters, digits and dashes; no port, no path, no trailing dot.
    static func isHost(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253 && labels.count > 1
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.allSatisfy { $0.isASCIIWord && $0 != "_" || $0 == "-" }
            }
    }
}
