// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallAppClient

extension AdaptyConfiguration {
    /// The same settings as a Landfall configuration, with the platform's own parts unless the app names others.
    /// - Parameter logLevel: called for each line, because an app may change it at any time.
    func landfall(server: URL, logLevel: @escaping @Sendable () -> AdaptyLog.Level) -> LandfallConfiguration {
        var configuration = LandfallConfiguration.app(sdkKey: apiKey, server: server)
        configuration.minimumLogLevel = .debug
        configuration.log = { line in
            if line.level >= logLevel().least { LogLine.toStandardError(line) }
        }
        // The documented flow waits by its own timer before it asks: it must not wait for attribution a second time.
        configuration.attributionLimit = Activation.loadTimeout
        if let adTokens { configuration.adTokens = adTokens }
        if let storageDirectory { configuration.storage = FileStorage(directory: storageDirectory) }
        return configuration
    }
}

extension AdaptyLog.Level {
    fileprivate var least: LogLine.Level {
        switch self {
        case .error: .error
        case .warn: .warning
        case .info: .info
        case .verbose, .debug: .debug
        }
    }
}
