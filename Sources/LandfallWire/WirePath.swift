// SPDX-License-Identifier: Apache-2.0
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
    public static let identify = "/v1/identify"
    public static let logout = "/v1/logout"

    /// `GET`: the paywall of one placement. Query: `audience`, `locale`, `after`, `wait`.
    public static func paywall(of placement: PlacementID) -> String {
        "/v1/placements/\(placement.rawValue)/paywall"
    }
}
