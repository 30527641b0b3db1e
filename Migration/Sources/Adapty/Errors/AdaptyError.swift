// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The error that every call of ``Adapty`` throws. A call whose task was cancelled throws code 9000, with `CancellationError` inside.
public struct AdaptyError: Error, Sendable {
    public let adaptyErrorCode: ErrorCode
    /// The underlying error, if there is one.
    public let originalError: (any Error)?
    /// What happened and what to do.
    let message: String

    package init(_ code: ErrorCode, _ message: String, originalError: (any Error)? = nil) {
        self.adaptyErrorCode = code
        self.originalError = originalError
        self.message = message
    }

    /// As ``originalError``, for code that reads domain and number.
    public var originalNSError: NSError? { originalError.map { $0 as NSError } }
}

extension AdaptyError: CustomNSError {
    public static let AdaptyErrorDomain = "AdaptyErrorDomain"
    /// Never used: Landfall's network errors are in ``originalError``.
    public static let HTTPErrorDomain = "AdaptyHTTPErrorDomain"
    /// Never used: events never make a call fail.
    public static let EventsErrorDomain = "AdaptyEventsErrorDomain"
    /// Never used: the store's errors are in ``originalError``.
    public static let SKManagerErrorDomain = "AdaptySKManagerErrorDomain"

    /// Keys of `errorUserInfo`.
    public enum UserInfoKey {
        /// What happened and what to do.
        public static let description = "NSDebugDescription"
        /// Never set.
        public static let source = "AdaptySourceErrorKey"
        /// Never set: Landfall's errors name no addresses.
        public static let endpoint = "AdaptyHTTPEndpointErrorKey"
        /// Never set; ``AdaptyError/adaptyErrorCode`` distinguishes refusals (2003) from failures (2004).
        public static let statusCode = "AdaptyHTTPStatusCodeErrorKey"
    }

    public static var errorDomain: String { AdaptyErrorDomain }
    public var errorCode: Int { adaptyErrorCode.rawValue }
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message, UserInfoKey.description: message] }
}

extension AdaptyError: LocalizedError {
    public var errorDescription: String? { message }
}

extension AdaptyError: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { "\(message) (\(errorCode))" }
    public var debugDescription: String { "\(adaptyErrorCode) \(description)" + (originalError.map { ": \($0)" } ?? "") }
}

extension Result where Failure == AdaptyError {
    /// nil for a success.
    public var error: AdaptyError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
