// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// Content of `profile.json`: the state that a launch leaves for the next one.
struct StoredStanding: Hashable, StoredValue {
    static let currentFormat = 1
    /// How many launches send a fresh token after one that brought no attribution.
    static let freshTokenLaunches = 3

    private(set) var format = Self.currentFormat
    var profile: WireProfile?
    var attribution: LandfallWire.Attribution?
    var collection: CollectionMode?
    /// ISO 3166-1 alpha-2, from an earlier launch.
    var storeCountry: String?
    /// nil until a token has brought no attribution.
    var freshTokenLaunchesLeft: Int?
    /// True once the server has had an ad token of this installation.
    var isTokenDelivered: Bool?
    /// nil until the server has answered whether a link was tapped before the installation.
    var deferredLink: StoredDeferredLink?

    init() {}

    /// After a token that brought no attribution, fresh ones follow, one in each launch.
    mutating func settle(_ attribution: LandfallWire.Attribution) {
        self.attribution = attribution
        switch attribution {
        case .attributed, .notAttributed: freshTokenLaunchesLeft = nil
        case .unavailable(.noToken), .unavailable(.unsupported), .unavailable(.collectionOff), .pending: break
        case .unavailable: freshTokenLaunchesLeft = freshTokenLaunchesLeft ?? Self.freshTokenLaunches
        }
    }
}
