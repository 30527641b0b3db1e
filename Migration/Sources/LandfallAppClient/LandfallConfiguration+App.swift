// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import Landfall
#if !os(Linux)
import LandfallApple
#endif

extension LandfallConfiguration {
    /// A configuration with the platform's own parts, and the links that Info.plist names.
    package static func app(sdkKey: String, server: URL, info: AppInfo = .current) -> LandfallConfiguration {
        #if os(Linux)
        var configuration = LandfallConfiguration(sdkKey: sdkKey, server: server)
        #else
        var configuration = LandfallConfiguration.live(sdkKey: sdkKey, server: server)
        #endif
        configuration.links.domains = info.links
        configuration.links.longPaths = info.longPaths
        return configuration
    }

    /// No app has chosen it.
    static let documentedLimit = Duration.seconds(5)

    /// The documented flow waits by a timer of the app's own, 3 to 5 seconds, and then asks for the paywall anyway: that call
    /// must not begin a second wait for attribution.
    /// - Parameter limit: the app's own limit, which replaces both of the document's: each call waits until then.
    package mutating func waitsAsDocumented(atMost limit: Duration? = nil) {
        attributionLimit = limit ?? Self.documentedLimit
        ownTimer = limit ?? .seconds(3)
    }
}

extension LogLine {
    /// Where the platform's own lines go.
    package static var toPlatform: @Sendable (LogLine) -> Void {
        #if !os(Linux) && canImport(os)
        toUnifiedLog
        #else
        toStandardError
        #endif
    }
}
