// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Landfall

/// How much is logged; each level includes those after it.
#if canImport(ObjectiveC)
@objc(ADJLogLevel)
#endif
public enum ADJLogLevel: UInt, Sendable {
    case verbose = 1
    case debug, info, warn, error, assert
    /// Nothing.
    case suppress
}

// The constants of the first generation.
public let ADJLogLevelVerbose = ADJLogLevel.verbose
public let ADJLogLevelDebug = ADJLogLevel.debug
public let ADJLogLevelInfo = ADJLogLevel.info
public let ADJLogLevelWarn = ADJLogLevel.warn
public let ADJLogLevelError = ADJLogLevel.error
public let ADJLogLevelAssert = ADJLogLevel.assert
public let ADJLogLevelSuppress = ADJLogLevel.suppress

/// Changes only ``ADJConfig/environment``: a test build has a Landfall key of its own.
public let ADJEnvironmentSandbox = "sandbox"
public let ADJEnvironmentProduction = "production"

extension ADJLogLevel {
    /// The lowest level that is logged; nil: nothing is logged.
    var least: LogLine.Level? {
        switch self {
        case .verbose, .debug: .debug
        case .info: .info
        case .warn: .warning
        case .error, .assert: .error
        case .suppress: nil
        }
    }
}

/// Reads the names of levels. This class writes no lines: the module's log does.
#if canImport(ObjectiveC)
@objc(ADJLogger) @objcMembers
#endif
public final class ADJLogger: NSObject {
    override private init() {}

    /// - Parameter logLevelString: `verbose`, `debug`, `info`, `warn`, `error`, `assert` or `suppress`; anything else is `info`.
    #if canImport(ObjectiveC)
    @objc(logLevelFromString:)
    #endif
    public static func logLevel(from logLevelString: String) -> ADJLogLevel {
        let names = ["verbose", "debug", "info", "warn", "error", "assert", "suppress"]
        let place = names.firstIndex { $0.hasSameBytes(as: logLevelString) } ?? 2
        return ADJLogLevel(rawValue: UInt(place) + 1) ?? .info
    }
}
