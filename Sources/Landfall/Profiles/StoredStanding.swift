// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// Content of `profile.json`: what a launch leaves to the next one.
struct StoredStanding: Hashable, StoredValue {
    static let currentFormat = 1
    /// How many launches send a fresh token after one that led nowhere.
    static let freshTokenLaunches = 3

    private var format = Self.currentFormat
    var profile: WireProfile?
    var attribution: LandfallWire.Attribution?
    var collection: CollectionMode?
    /// ISO 3166-1 alpha-2, as an earlier launch learned it.
    var storeCountry: String?
    /// nil until a token has led nowhere.
    var freshTokenLaunchesLeft: Int?
    /// True once the server has had an ad token of this installation.
    var isTokenDelivered: Bool?
    /// nil until the server has said whether a link was tapped before the installation.
    var deferredLink: StoredDeferredLink?

    init() {}

    /// A token that led nowhere is followed by fresh ones, each in a launch of its own.
    mutating func settle(_ attribution: LandfallWire.Attribution) {
        self.attribution = attribution
        switch attribution {
        case .attributed, .notAttributed: freshTokenLaunchesLeft = nil
        case .unavailable(.noToken), .unavailable(.unsupported), .unavailable(.collectionOff), .pending: break
        case .unavailable: freshTokenLaunchesLeft = freshTokenLaunchesLeft ?? Self.freshTokenLaunches
        }
    }
}
