// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An app with the values that were given to `landfall init`. Values that were not given are left out, never invented.
struct StartingApp {
    let bundleID: String
    let name: String?
    let teamID: String?
    let appStoreID: String?
    let scheme: String?
    let products: [String]
    let brand: [String]
    let universal: [String]
    let api: String?
    let sdkKey: String

    /// A new public key, different from every other.
    static func newKey() -> String {
        "pk_" + (0..<16).map { _ in String(UInt8.random(in: 16...255), radix: 16) }.joined()
    }

    /// The server's address for the app.
    var server: String { api.map { "https://\($0)" } ?? Self.thisMachine }

    static let thisMachine = "http://127.0.0.1:8080"

    /// A `landfall.yaml` that contains only lines with a meaning for this app.
    var configuration: String {
        var lines = [
            "# docs/configuration.md explains every key; 'landfall check' finds what is wrong.", "", "app:",
            "  id: \(quoted(bundleID))   # rows are stored under it: never change it later",
        ]
        lines += fields([("name", name), ("bundleId", bundleID), ("teamId", teamID), ("scheme", scheme), ("appStoreId", appStoreID)])
        lines += [
            "", "keys:", "  - sdk: \(sdkKey)   # public: it ships inside the app",
            "  # - serverFrom: LANDFALL_SERVER_KEY   # the variable with a secret key, sk_…, of your backend",
        ]
        if !(brand + universal).isEmpty || api != nil {
            lines += ["", "domains:"]
            lines += brandDomains + list("universal", universal, "your web site: its addresses open the app")
            lines += list("api", api.map { [$0] } ?? [], "the API answers here alone")
        }
        lines += ["", "paywalls:"] + paywall("default", "everyone's; the app sees this name")
        lines += paywall("apple-ads", "for people whom an Apple Ads campaign brought")
        lines += ["", "audiences:", "  apple-ads:", "    attribution.source: { is: apple_search_ads }"]
        lines += [
            "", "placements:", "  onboarding:   # the first audience that matches decides", "    - audience: apple-ads",
            "      paywall: apple-ads", "    - audience: everyone", "      paywall: default",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private func paywall(_ name: String, _ purpose: String) -> [String] {
        let listed = products.isEmpty ? " []   # product ids of the store, in the order in which they are shown" : ""
        return ["  \(name):   # \(purpose)", "    products:\(listed)"] + products.map { "      - \(quoted($0))" }
    }

    private func fields(_ fields: [(name: String, value: String?)]) -> [String] {
        fields.compactMap { name, value in value.map { "  \(name): \(quoted($0))" } }
    }

    /// If iOS shows a browser although the app is installed, one tap on the page opens the app. This needs the app's scheme.
    private var brandDomains: [String] {
        guard !brand.isEmpty else { return [] }
        let domains = brand.flatMap { host in
            ["    - host: \(quoted(host))"]
                + (scheme == nil ? [] : ["      ios: [app, store]   # a browser gets a page: one tap opens the app, one leads to the store"])
                + ["      # paths: [/products/*]   # the app itself has these screens: a tap waits for no answer of the server"]
        }
        return ["  brand:   # serve links"] + domains
    }

    private func list(_ name: String, _ hosts: [String], _ purpose: String) -> [String] {
        hosts.isEmpty ? [] : ["  \(name):   # \(purpose)"] + hosts.map { "    - \(quoted($0))" }
    }

    /// A text in quotes that YAML reads back unchanged, whatever its characters.
    private func quoted(_ text: String) -> String {
        let isPlain = text.first?.isLetter == true && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) }
        if isPlain && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased()) { return text }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return String(decoding: (try? encoder.encode(text)) ?? Data(), as: UTF8.self)
    }
}
