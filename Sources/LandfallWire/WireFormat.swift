// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Every path of the SDK's API, so that neither side writes one by hand.
public enum WirePath {
    public static let firstOpen = "/v1/first-open"
    public static let profile = "/v1/profiles/me"
    public static let adToken = "/v1/profiles/me/ad-token"
    public static let attributes = "/v1/profiles/me/attributes"
    public static let attribution = "/v1/attribution"
    public static let events = "/v1/events"
    public static let linkOpen = "/v1/links/open"
    public static let deferredLink = "/v1/links/deferred"
    public static let purchases = "/v1/purchases"
    public static let identify = "/v1/identify"
    public static let logout = "/v1/logout"

    /// `GET`: the paywall of one placement. Query: `audience`, `locale`, `after`, `wait`.
    public static func paywall(of placement: PlacementID) -> String {
        "/v1/placements/\(placement.rawValue)/paywall"
    }
}

/// The names of the HTTP headers that both sides use.
public enum WireHeader {
    /// Contains `<install id>.<secret>` and authenticates the caller. The public SDK key is in `Authorization: Bearer`.
    public static let profile = "Landfall-Profile"
    /// Present on every answer of a Landfall server. An answer without it comes from another server (a captive portal, a
    /// proxy's page) and changes nothing on the phone.
    public static let version = "Landfall-Version"
    /// The id that the phone keeps outside the app's files, in calls for a paywall: an install that the server first hears of by
    /// such a call is known as its device's.
    public static let device = "Landfall-Device"
    /// The version of the ``WireLinkRules`` that the phone has; ``WireLinkRules/noVersion`` if it has none. An answer contains the
    /// rules only if the request has this header and the version is another one.
    public static let linkRules = "Landfall-Link-Rules"
    /// The id of one request, repeated in error bodies and in the server's log.
    public static let requestID = "Landfall-Request-Id"
}

/// The encoding of all values: compact JSON, keys sorted, so that equal values are equal bytes.
public enum WireCoding {
    public static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    /// - Throws: `DecodingError` also for a fault in a field that `type` does not have.
    public static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        guard JSONGrammar.permits(data) else {
            throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: "This is not JSON in UTF-8."))
        }
        return try JSONDecoder().decode(type, from: data)
    }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero, the unit of time on the wire; saturates at the ends of `Int64`.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carried) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return carried ? (seconds < 0 ? .min : .max) : sum
    }
}
