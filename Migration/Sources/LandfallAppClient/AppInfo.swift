// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import Landfall

/// What the app's Info.plist says for code that names neither a server nor a key. On Linux, which has no Info.plist, the
/// environment says it.
package struct AppInfo: Sendable {
    package static let serverKey = "LandfallServerURL"
    package static let serverVariable = "LANDFALL_SERVER"
    package static let sdkKeyKey = "LandfallSDKKey"
    package static let sdkKeyVariable = "LANDFALL_SDK_KEY"
    /// A dictionary of arrays: `brand`, `universal`, `schemes`, as in `LinkDomains`, and `longPaths`, as in `LinkRules`.
    package static let linksKey = "LandfallLinks"

    /// As written; see ``url(_:)``.
    package var server: String?
    package var sdkKey: String?
    package var links: LinkDomains
    package var longPaths: [PathPattern]

    package init(_ info: [String: Any] = [:], environment: [String: String] = [:]) {
        server = info[Self.serverKey] as? String ?? environment[Self.serverVariable]
        sdkKey = info[Self.sdkKeyKey] as? String ?? environment[Self.sdkKeyVariable]
        let links = info[Self.linksKey] as? [String: Any] ?? [:]
        func list(_ name: String) -> [String] { links[name] as? [String] ?? [] }
        self.links = LinkDomains(brand: list("brand"), universal: list("universal"), schemes: list("schemes"))
        longPaths = list("longPaths").map(PathPattern.init(rawValue:))
    }

    package static var current: AppInfo {
        #if os(Linux)
        AppInfo(environment: ProcessInfo.processInfo.environment)
        #else
        AppInfo(Bundle.main.infoDictionary ?? [:])
        #endif
    }

    /// - Returns: nil if the text is not the address of a server.
    package static func url(_ text: String?) -> URL? {
        guard let text, let url = URL(string: text), url.scheme == "https" || url.scheme == "http", url.host() != nil else {
            return nil
        }
        return url
    }
}
