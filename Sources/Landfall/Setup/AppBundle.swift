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
    /// Built with an SDK that needs scenes, without a scene manifest. Only debug builds look.
    package var lacksScenes = false

    package init() {}

    package static var current: AppBundle {
        var bundle = AppBundle()
        let url = Bundle.main.bundleURL
        bundle.isExtension = url.pathExtension == "appex"
        if url.pathExtension == "app" {
            let info = Bundle.main.infoDictionary ?? [:]
            bundle.schemes = schemes(in: info)
            #if DEBUG
            bundle.lacksScenes = lacksScenes(info)
            #endif
        }
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

    /// Xcode writes the SDK's name, such as `iphoneos27.0` or `iphonesimulator27.1`.
    package static func lacksScenes(_ info: [String: Any]) -> Bool {
        guard info["UIApplicationSceneManifest"] == nil, let name = info["DTSDKName"] as? String,
            let platform = ["iphoneos", "iphonesimulator"].first(where: name.hasPrefix)
        else { return false }
        return Int(name.dropFirst(platform.count).prefix { $0 != "." }).map { $0 >= 27 } ?? false
    }

    /// Also true if it is not known.
    func declares(_ scheme: String) -> Bool {
        schemes.map { declared in declared.contains { $0.lowercased().hasSameBytes(as: scheme.lowercased()) } } ?? true
    }
}
