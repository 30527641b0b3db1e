// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallAppClient

/// Finds the team's server for an app that names only its key.
enum ServerAddress {
    /// - Parameter named: the value in the app's Info.plist; on Linux, which has none, in the environment.
    static func found(in named: String? = AppInfo.current.server) throws(AdaptyError) -> URL {
        guard let url = AppInfo.url(named) else {
            throw AdaptyError(
                .wrongParam,
                """
                No address of a Landfall server\(named.map { ": '\($0)' is not one" } ?? ""). Add \(AppInfo.serverKey) with its URL to \
                Info.plist (on Linux set \(AppInfo.serverVariable)), or pass it: AdaptyConfiguration.builder(withAPIKey:).with(serverURL:).
                """
            )
        }
        return url
    }
}
