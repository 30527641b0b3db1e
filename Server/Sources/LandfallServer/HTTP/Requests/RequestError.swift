// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
import LandfallRules
package import LandfallWire

/// An error answer to a request: a stable code, a sentence, a status.
package struct RequestError: Error, Hashable {
    package let code: ErrorCode
    package let status: HTTPResponse.Status
    package let message: String
    /// Seconds after which the same call may succeed.
    package var retryAfter: Int?
    /// The methods that the path accepts, for 405.
    var allow: String?
    /// The limit that was reached, if the refusal is about one.
    var limit: Limit?
    /// The members of the answer besides `error`, as a JSON object.
    var details: String?

    package init(_ code: ErrorCode, _ message: String, retryAfter: Int? = nil, allow: String? = nil, limit: Limit? = nil) {
        self.code = code
        self.status = Self.status(of: code)
        self.message = message
        self.retryAfter = retryAfter
        self.allow = allow
        self.limit = limit
    }

    /// True if the server forbids the call or cannot serve it just now; false if the call was wrong or the server failed.
    var isRefusal: Bool {
        switch status {
        case .unauthorized, .forbidden, .requestTimeout, .contentTooLarge, .expectationFailed, .tooManyRequests,
            .requestHeaderFieldsTooLarge, .serviceUnavailable:
            true
        default: code == .malformedRequest
        }
    }

    private static func status(of code: ErrorCode) -> HTTPResponse.Status {
        switch code {
        case .invalidKey, .profileRequired: .unauthorized
        case .profileMismatch, .invalidIdentityToken, .scopeMissing, .configurationProtected: .forbidden
        case .notFound, .placementUnknown: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .keyReused, .linkTaken, .configurationStale, .configurationOwned, .webhookOff: .conflict
        case .profileErased: .gone
        case .linkStale: .preconditionFailed
        case .preconditionRequired: .preconditionRequired
        case .bodyTooLarge: .contentTooLarge
        case .rateLimited: .tooManyRequests
        case .requestTimeout: .requestTimeout
        case .headersTooLarge: .requestHeaderFieldsTooLarge
        case .internalError: .internalServerError
        case .busy, .diskLow, .storeDamaged: .serviceUnavailable
        default: .badRequest
        }
    }
}

extension RequestError {
    package static let storeDamaged = RequestError(
        .storeDamaged, "The server's store is damaged. Its operator has to restore a backup.", retryAfter: 60)
    package static let storeSilent = RequestError(
        .busy, "The server's store does not answer: its disk may hang. Send traffic to another node.", retryAfter: 5)
    package static func clockDiffers(byMs differenceMs: Int64) -> RequestError {
        notReady(
            "clockDiffers",
            "The clocks of this machine and of its database differ by \(abs(differenceMs) / 1000) seconds. Set both by NTP; until then another node has to answer.")
    }
    /// Of a node that is in this state. Another node may take its traffic.
    package static func notReady(_ state: String, _ message: String) -> RequestError {
        var error = RequestError(.busy, message, retryAfter: 5)
        error.details = #"{"ready":false,"state":"\#(state)"}"#
        return error
    }
    package static let notFound = RequestError(.notFound, "There is nothing at this path. docs/openapi.yaml lists every endpoint.")
    static let profileRequired = RequestError(
        .profileRequired,
        "This call needs the header Landfall-Profile: <install id>.<secret>. The public SDK key alone may not make it."
    )
    static let profileMalformed = RequestError(
        .profileRequired,
        "The header Landfall-Profile is not <install id>.<secret>: a UUID in lower case, a dot, 32 bytes in base64url."
    )
    static let invalidKey = RequestError(
        .invalidKey,
        "The SDK key is missing, unknown or expired. Send Authorization: Bearer <key> with a key of the configuration."
    )
    static let serverKeyNeeded = RequestError(
        .invalidKey,
        "This call needs a server key: Authorization: Bearer sk_…, named by 'serverFrom' in the configuration's keys. An SDK key is not enough."
    )
    static func missing(_ scope: ServerKey.Scope) -> RequestError {
        RequestError(
            .scopeMissing,
            "This server key may not make this call: it needs '\(scope.rawValue)'. Add that to 'may' of the key in landfall.yaml."
        )
    }
    package static func invalid(_ field: String, _ advice: String) -> RequestError {
        RequestError(.invalidValue, notValid(field, advice))
    }
}

extension ErrorCode {
    /// The endpoint answered 410: nothing is sent to it.
    package static let webhookOff = ErrorCode("webhook_off")
}
