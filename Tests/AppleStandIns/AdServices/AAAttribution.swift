// SPDX-License-Identifier: Apache-2.0
//
// The part of Apple's AdServices that LandfallApple uses, declared as Swift imports Apple's header, so that the adapter
// compiles and runs without Apple's SDK. Differences from Apple's: `AAAttributionError` is written by hand and not bridged from
// NSError (its `code`, domain and `errorCode` are the same), and a script answers in place of Apple's service.
public import Foundation

/// The domain of every error of ``AAAttribution``.
public let AAAttributionErrorDomain = "com.apple.ap.adservices.attributionError"

/// Why there is no token.
public struct AAAttributionError: CustomNSError, Hashable {
    public enum Code: Int, Sendable {
        case networkError = 1
        case internalError = 2
        case platformNotSupported = 3
    }

    public let code: Code

    public init(_ code: Code, userInfo: [String: Any] = [:]) { self.code = code }

    public static var errorDomain: String { AAAttributionErrorDomain }
    public var errorCode: Int { code.rawValue }

    public static var networkError: Code { .networkError }
    public static var internalError: Code { .internalError }
    public static var platformNotSupported: Code { .platformNotSupported }
}

/// Generates attribution tokens.
open class AAAttribution: NSObject {
    open class func attributionToken() throws -> String { try AdServicesScript.current() }
}

/// Not in Apple's module: what ``AAAttribution/attributionToken()`` does, on the thread that calls it. It may block.
public enum AdServicesScript {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var script: @Sendable () throws -> String = {
        throw AAAttributionError(.platformNotSupported)
    }

    /// Guarded by `lock`.
    public static var current: @Sendable () throws -> String {
        get { lock.withLock { script } }
        set { lock.withLock { script = newValue } }
    }
}
