// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// The values of the process's bundle that a client checks.
package struct AppBundle: Hashable, Sendable {
    package var isExtension = false
    /// The schemes of CFBundleURLTypes; nil if this is not an app with an Info.plist.
    package var schemes: [String]?
    /// Apple Ads is available on this platform.
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

    /// Also true if it is not known.
    func declares(_ scheme: String) -> Bool {
        schemes.map { declared in declared.contains { $0.lowercased().hasSameBytes(as: scheme.lowercased()) } } ?? true
    }
}
