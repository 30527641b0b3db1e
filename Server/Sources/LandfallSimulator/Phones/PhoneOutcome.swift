// SPDX-License-Identifier: Apache-2.0

/// How one launch ended.
struct PhoneOutcome: Hashable, Sendable {
    /// The paywall is one that only users of Apple Ads see; nil: no paywall came.
    let isAppleAds: Bool?
    /// From the start of the client to the paywall, or to the error.
    let elapsed: Duration
    /// How many left the phone until then.
    let requests: Int
    /// What left the phone, and what became of it.
    var story: [String] = []
}

/// What the run saw of one phone.
struct PhoneRecord: Hashable, Sendable {
    let phone: DrawnPhone
    let landfall: PhoneOutcome
    /// Apple's answer reached the server while there was still time to tell the phone.
    let wasPossible: Bool
    /// nil without comparison, as is the limit.
    let documented: PhoneOutcome?
    let limit: Duration?
    /// From the launch to Apple's answer at the server; nil where none came.
    var answeredAfter: Duration?
}
