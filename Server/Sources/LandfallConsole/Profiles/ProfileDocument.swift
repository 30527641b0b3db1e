// SPDX-License-Identifier: Apache-2.0

/// What one person did and what is known of them, as the page shows it and as its `.json` says it.
struct ProfileDocument: Encodable, Hashable, Sendable {
    struct Install: Encodable, Hashable, Sendable {
        let install: String
        let firstOpenMilliseconds: Int64
        let lastSeenMilliseconds: Int64
        /// For a reinstall: the first install of the same phone.
        let firstInstall: String?
        let testDevice: String?
    }

    struct Fact: Encodable, Hashable, Sendable {
        /// Who says it.
        enum Source: String, Encodable, CaseIterable, Sendable { case phone, app, backend, server, attribution, link, configuration }

        /// As audiences call it.
        let name: String
        let value: String
        let source: Source
        /// Nil if the time is not kept.
        let sinceMilliseconds: Int64?
        /// Of a number of Apple Ads; nil if it has none.
        var appleAds: AdName?

        init(_ name: String, _ value: String, _ source: Source, sinceMilliseconds: Int64?) {
            self.name = name
            self.value = value
            self.source = source
            self.sinceMilliseconds = sinceMilliseconds
        }
    }

    /// One statement about the source of an install.
    struct Claim: Encodable, Hashable, Sendable {
        let source: String
        /// `organic`, `non_organic` or `unknown`.
        let status: String
        let isVerified: Bool
        let isTest: Bool
        let saidMilliseconds: Int64
        let recordedMilliseconds: Int64
        var details: [ProfileDetail]
        let standing: FactVerdict
    }

    struct Attribution: Encodable, Hashable, Sendable {
        enum State: String, Encodable, CaseIterable, Sendable { case attributed, notAttributed, pending, unavailable }

        let state: State
        /// Why there is no answer.
        let reason: String?
        var claims: [Claim]
    }

    struct Assignment: Encodable, Hashable, Sendable {
        let experiment: String
        let epoch: Int64
        let variation: String
        let bucket: Int64
        let step: String
        let assignedMilliseconds: Int64
        let shownMilliseconds: Int64?
    }

    let profile: String
    let customer: String?
    let customerIsVerified: Bool
    /// The one that was seen last first. Empty: the installs that showed this profile show another one now.
    let installs: [Install]
    /// The install that the facts, the attribution and the assignments are of.
    let install: String?
    var facts: [Fact]
    let attributes: [ProfileDetail]
    var attribution: Attribution?
    let assignments: [Assignment]
    let timeline: Timeline
}

/// What a statement about an install's source means.
enum FactVerdict: String, Encodable, CaseIterable, Sendable {
    /// It is the install's source.
    case counts
    /// A tap that brought the user back.
    case broughtBack
    /// It names no origin.
    case namesNothing
    /// A tap too long before the first open, or after it.
    case outsideWindow
    case behindAppleAds
    /// It says organic, and another source names an origin.
    case organic
    /// A tap that was found by its network address.
    case guessed
    /// Another source said so earlier.
    case later
}

/// A name and a value that somebody else chose.
struct ProfileDetail: Encodable, Hashable, Sendable {
    let name: String
    let value: String
    /// Of a number of Apple Ads; nil if it has none.
    var appleAds: AdName?

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
