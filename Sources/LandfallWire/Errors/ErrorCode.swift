// SPDX-License-Identifier: Apache-2.0
/// A stable word for an error. New codes may appear; a client that does not know a code uses the HTTP status.
public struct ErrorCode: WireIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    // 400
    public static let malformedRequest = ErrorCode("malformed_request")
    public static let malformedJSON = ErrorCode("malformed_json")
    public static let invalidValue = ErrorCode("invalid_value")
    public static let forbiddenCharacter = ErrorCode("forbidden_character")
    public static let invalidLocale = ErrorCode("invalid_locale")
    public static let reservedSource = ErrorCode("reserved_source")
    public static let invalidAttribute = ErrorCode("invalid_attribute")
    /// An own event whose properties are too many, too long or wrongly named.
    public static let invalidProperty = ErrorCode("invalid_property")
    public static let invalidLink = ErrorCode("invalid_link")
    /// A configuration with mistakes; the answer lists them.
    public static let configurationInvalid = ErrorCode("configuration_invalid")
    // 401, 403
    public static let invalidKey = ErrorCode("invalid_key")
    public static let profileRequired = ErrorCode("profile_required")
    public static let profileMismatch = ErrorCode("profile_mismatch")
    public static let invalidIdentityToken = ErrorCode("invalid_identity_token")
    /// The server key does not have the scope for this call.
    public static let scopeMissing = ErrorCode("scope_missing")
    /// A server key may not change these sections of the configuration.
    public static let configurationProtected = ErrorCode("configuration_protected")
    // 404, 405, 408, 409, 410, 413, 415, 429, 431
    public static let notFound = ErrorCode("not_found")
    public static let placementUnknown = ErrorCode("placement_unknown")
    public static let methodNotAllowed = ErrorCode("method_not_allowed")
    /// Another link has this suffix, or the path cannot be used for a link.
    public static let linkTaken = ErrorCode("link_taken")
    /// Somebody published since the version that this configuration was made from.
    public static let configurationStale = ErrorCode("configuration_stale")
    /// The server publishes its own file only.
    public static let configurationOwned = ErrorCode("configuration_owned")
    public static let keyReused = ErrorCode("key_reused")
    /// The install was erased; the phone has to start as a new one.
    public static let profileErased = ErrorCode("profile_erased")
    public static let bodyTooLarge = ErrorCode("body_too_large")
    public static let rateLimited = ErrorCode("rate_limited")
    public static let requestTimeout = ErrorCode("request_timeout")
    public static let headersTooLarge = ErrorCode("headers_too_large")
    // 5xx: the same call may succeed later
    public static let internalError = ErrorCode("internal_error")
    public static let busy = ErrorCode("busy")
    public static let diskLow = ErrorCode("disk_low")
    /// The server's store is damaged; its operator has to act.
    public static let storeDamaged = ErrorCode("store_damaged")
}
