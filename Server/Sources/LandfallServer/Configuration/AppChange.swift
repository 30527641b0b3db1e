// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// A running node serves one app: everything that it stores and holds belongs to that app.
struct AppChange: Error, Hashable, CustomStringConvertible {
    let served: AppID
    let published: AppID

    var description: String {
        "The app is '\(served.rawValue)', and the new configuration is for '\(published.rawValue)'. Restart the server with it."
    }
}
