// SPDX-License-Identifier: Apache-2.0

/// The result of one launch.
struct PhoneOutcome: Hashable, Sendable {
    /// True for a paywall that only users of Apple Ads see; nil: no paywall came.
    let isAppleAds: Bool?
    /// From the start of the client to the paywall, or to the error.
    let elapsed: Duration
    /// How many requests the phone sent until then.
    let requests: Int
    /// The phone's requests, and their results.
    var story: [String] = []
}

/// The records of one phone.
struct PhoneRecord: Hashable, Sendable {
    let phone: DrawnPhone
    let landfall: PhoneOutcome
    /// A perfect client would have had Apple's answer in time.
    let wasPossible: Bool
    /// nil without comparison, as is the limit.
    let documented: PhoneOutcome?
    let limit: Duration?
    /// From the launch to Apple's answer at the server; nil if none came.
    var answeredAfter: Duration?
}
