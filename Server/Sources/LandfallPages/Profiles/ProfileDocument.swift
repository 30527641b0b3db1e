// SPDX-License-Identifier: Apache-2.0

/// What one person did and what is known of them, as the page shows it and as its `.json` says it.
package struct ProfileDocument: Encodable, Hashable, Sendable {
    package struct Install: Encodable, Hashable, Sendable {
        package let install: String
        package let firstOpenMilliseconds: Int64
        package let lastSeenMilliseconds: Int64
        /// For a reinstall: the first install of the same phone.
        package let firstInstall: String?
        package let testDevice: String?

        package init(
            install: String, firstOpenMilliseconds: Int64, lastSeenMilliseconds: Int64, firstInstall: String?, testDevice: String?
        ) {
            self.install = install
            self.firstOpenMilliseconds = firstOpenMilliseconds
            self.lastSeenMilliseconds = lastSeenMilliseconds
            self.firstInstall = firstInstall
            self.testDevice = testDevice
        }
    }

    package struct Fact: Encodable, Hashable, Sendable {
        /// Who says it.
        package enum Source: String, Encodable, CaseIterable, Sendable { case phone, app, backend, server, attribution, link, configuration }

        /// As audiences call it.
        package let name: String
        package let value: String
        package let source: Source
        /// Nil if the time is not kept.
        package let sinceMilliseconds: Int64?

        package init(_ name: String, _ value: String, _ source: Source, sinceMilliseconds: Int64?) {
            self.name = name
            self.value = value
            self.source = source
            self.sinceMilliseconds = sinceMilliseconds
        }
    }

    /// One statement about the source of an install.
    package struct Claim: Encodable, Hashable, Sendable {
        package let source: String
        /// `organic`, `non_organic` or `unknown`.
        package let status: String
        package let isVerified: Bool
        package let isTest: Bool
        package let saidMilliseconds: Int64
        package let recordedMilliseconds: Int64
        package let details: [ProfileDetail]
        package let standing: AttributionStanding

        package init(
            source: String, status: String, isVerified: Bool, isTest: Bool, saidMilliseconds: Int64, recordedMilliseconds: Int64,
            details: [ProfileDetail], standing: AttributionStanding
        ) {
            self.source = source
            self.status = status
            self.isVerified = isVerified
            self.isTest = isTest
            self.saidMilliseconds = saidMilliseconds
            self.recordedMilliseconds = recordedMilliseconds
            self.details = details
            self.standing = standing
        }
    }

    package struct Attribution: Encodable, Hashable, Sendable {
        package enum State: String, Encodable, CaseIterable, Sendable { case attributed, notAttributed, pending, unavailable }

        package let state: State
        /// Why there is no answer.
        package let reason: String?
        package let claims: [Claim]

        package init(state: State, reason: String?, claims: [Claim]) {
            self.state = state
            self.reason = reason
            self.claims = claims
        }
    }

    package struct Assignment: Encodable, Hashable, Sendable {
        package let experiment: String
        package let epoch: Int64
        package let variation: String
        package let bucket: Int64
        package let step: String
        package let assignedMilliseconds: Int64
        package let shownMilliseconds: Int64?

        package init(
            experiment: String, epoch: Int64, variation: String, bucket: Int64, step: String, assignedMilliseconds: Int64,
            shownMilliseconds: Int64?
        ) {
            self.experiment = experiment
            self.epoch = epoch
            self.variation = variation
            self.bucket = bucket
            self.step = step
            self.assignedMilliseconds = assignedMilliseconds
            self.shownMilliseconds = shownMilliseconds
        }
    }

    package let profile: String
    package let customer: String?
    package let customerIsVerified: Bool
    /// The one that was seen last first. Empty: the installs that showed this profile show another one now.
    package let installs: [Install]
    /// The install that the facts, the attribution and the assignments are of.
    package let install: String?
    package let facts: [Fact]
    package let attributes: [ProfileDetail]
    package let attribution: Attribution?
    package let assignments: [Assignment]
    package let timeline: Timeline

    package init(
        profile: String, customer: String?, customerIsVerified: Bool, installs: [Install], install: String?, facts: [Fact],
        attributes: [ProfileDetail], attribution: Attribution?, assignments: [Assignment], timeline: Timeline
    ) {
        self.profile = profile
        self.customer = customer
        self.customerIsVerified = customerIsVerified
        self.installs = installs
        self.install = install
        self.facts = facts
        self.attributes = attributes
        self.attribution = attribution
        self.assignments = assignments
        self.timeline = timeline
    }
}

/// What a statement about an install's source means.
package enum AttributionStanding: String, Encodable, CaseIterable, Sendable {
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
package struct ProfileDetail: Encodable, Hashable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
