// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// Why a store refuses a call. Final: the same call never succeeds. A call that may succeed later fails with `DatabaseError`.
enum InstallError: Refusal, Hashable, Sendable {
    /// The install id was created with another secret.
    case profileMismatch
    /// The person or the team had the data erased.
    case profileErased
    case keyReused(IdempotencyKey)
    case reservedSource(AttributionSource)
    /// The sentence names the attribute and its limit.
    case invalidAttribute(String)
    /// The sentence names the field and its limit.
    case invalidValue(String)
    /// The install has the most of these that one install may have.
    case limitReached(String)

    var code: ErrorCode {
        switch self {
        case .profileMismatch: .profileMismatch
        case .profileErased: .profileErased
        case .keyReused: .keyReused
        case .reservedSource: .reservedSource
        case .invalidAttribute: .invalidAttribute
        case .invalidValue: .invalidValue
        case .limitReached: .rateLimited
        }
    }

    var description: String {
        switch self {
        case .profileMismatch:
            "This install id was created with another secret. Send the secret that the install made, or make a new install."
        case .profileErased:
            "This install was erased, and data that it sends is not stored. Start as a new install, with a new id and a new secret."
        case .keyReused(let key):
            "The idempotency key '\(key)' was used for another request of this install. Use a new key for each request."
        case .reservedSource(let source):
            "Only the server itself reports '\(source)'. Report other providers under their own names."
        case .invalidAttribute(let sentence), .invalidValue(let sentence), .limitReached(let sentence): sentence
        }
    }
}
