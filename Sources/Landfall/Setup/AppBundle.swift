// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// What the process's bundle says of itself, as far as a client checks it.
package struct AppBundle: Hashable, Sendable {
    package var isExtension = false
    /// The schemes of CFBundleURLTypes; nil where this is no app with an Info.plist.
    package var schemes: [String]?
    /// Apps on this platform come from Apple Ads.
    package var issuesAdTokens = false

    package init() {}

    package static var current: AppBundle {
        var bundle = AppBundle()
        let url = Bundle.main.bundleURL
        bundle.isExtension = url.pathExtension == "appex"
        if url.pathExtension == "app" { bundle.schemes = schemes(in: Bundle.main.infoDictionary ?? [:]) }
        #if os(iOS) && !targetEnvironment(macCatalyst)
        bundle.issuesAdTokens = true
        #endif
        return bundle
    }

    /// What an Info.plist declares.
    package static func schemes(in info: [String: Any]) -> [String] {
        let types = info["CFBundleURLTypes"] as? [[String: Any]] ?? []
        return types.flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }
    }

    /// True also where nobody knows.
    func declares(_ scheme: String) -> Bool {
        schemes.map { declared in declared.contains { $0.lowercased().hasSameBytes(as: scheme.lowercased()) } } ?? true
    }
}
