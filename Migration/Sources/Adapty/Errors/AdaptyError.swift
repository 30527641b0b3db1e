// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What every call of ``Adapty`` throws, but for `CancellationError` when the calling task was cancelled.
public struct AdaptyError: Error, Sendable {
    /// The numbers that apps already switch over.
    public enum ErrorCode: Int, Sendable {
        case unknown = 0
        /// `activate` was not called, or not in time for this call.
        case notActivated = 2002
        /// The server refused the call; the same call fails again.
        case badRequest = 2003
        /// The server failed; the same call may succeed later.
        case serverError = 2004
        /// Nothing came through the network.
        case networkFailed = 2005
        /// An answer or a file has the wrong form.
        case decodingFailed = 2006
        /// An argument is outside its limits.
        case wrongParam = 3001
        /// A second `activate` with another configuration.
        case activateOnceError = 3005
        /// Never thrown: a call follows the profile when it becomes another one.
        case profileWasChanged = 3006
        /// There was nothing to show at the end of the load time-out.
        case fetchTimeoutError = 3101
    }

    public let adaptyErrorCode: ErrorCode
    /// The underlying error, if there is one.
    public let originalError: (any Error)?
    /// What happened and what to do.
    let message: String

    init(_ code: ErrorCode, _ message: String, originalError: (any Error)? = nil) {
        self.adaptyErrorCode = code
        self.originalError = originalError
        self.message = message
    }
}

extension AdaptyError: CustomNSError {
    public static let errorDomain = "AdaptyErrorDomain"
    public var errorCode: Int { adaptyErrorCode.rawValue }
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
}

extension AdaptyError: LocalizedError {
    public var errorDescription: String? { message }
}

extension AdaptyError: CustomStringConvertible {
    public var description: String { "\(message) (\(errorCode))" }
}
