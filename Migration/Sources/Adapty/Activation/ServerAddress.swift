// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Finds the team's server for an app that names only its key.
enum ServerAddress {
    static let infoKey = "LandfallServerURL"
    static let environmentKey = "LANDFALL_SERVER"

    /// - Parameter named: the value in the app's Info.plist; on Linux, which has none, in the environment.
    static func found(in named: String? = named()) throws(AdaptyError) -> URL {
        guard let named, let url = URL(string: named), url.scheme == "https" || url.scheme == "http", url.host() != nil else {
            throw AdaptyError(
                .wrongParam,
                """
                No address of a Landfall server\(named.map { ": '\($0)' is none" } ?? ""). Add \(infoKey) with its URL to \
                Info.plist (on Linux set \(environmentKey)), or pass it: AdaptyConfiguration.builder(withAPIKey:).with(serverURL:).
                """
            )
        }
        return url
    }

    private static func named() -> String? {
        #if os(Linux)
        ProcessInfo.processInfo.environment[environmentKey]
        #else
        Bundle.main.object(forInfoDictionaryKey: infoKey) as? String
        #endif
    }
}
