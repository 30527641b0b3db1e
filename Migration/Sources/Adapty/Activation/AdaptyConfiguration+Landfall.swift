// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallAppClient

extension AdaptyConfiguration {
    /// The same settings as a Landfall configuration, with the platform's own parts unless the app names others.
    /// - Parameter log: gets every line; an app may change level and handler at any time.
    func landfall(server: URL, log: @escaping @Sendable (LogLine) -> Void) -> LandfallConfiguration {
        var configuration = LandfallConfiguration.app(sdkKey: apiKey, server: server)
        configuration.minimumLogLevel = .debug
        configuration.log = log
        configuration.waitsAsDocumented(atMost: attributionLimit)
        if let links { configuration.links = links }
        if let adTokens { configuration.adTokens = adTokens }
        if let storageDirectory { configuration.storage = FileStorage(directory: storageDirectory) }
        return configuration
    }
}
