// SPDX-License-Identifier: Apache-2.0

/// What just happened: a first open, a tap, an attribution, an exposure.
package struct LiveRow: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable { case firstOpen, tap, attribution, exposure }

    /// Grows with time, so that a browser can say which row it saw last.
    package let id: Int64
    package let kind: Kind
    package let atMs: Int64
    /// What it is about: a link, a placement, a campaign.
    package let subject: String
    package let details: [Detail]
    /// Tells a browser which row it is, whichever node sends it. Nil where one node alone serves the store.
    package let key: Int64?
    /// A test device did it, by the configuration of this moment.
    package var isTest = false

    package struct Detail: Hashable, Sendable {
        package let name: DetailName
        package let value: String

        init(_ name: DetailName, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package enum DetailName: String, Sendable {
        case install, platform, country, version, link, outcome, source, campaign, placement, paywall, audience, variation, visitor
    }

    package init(id: Int64, kind: Kind, atMs: Int64, subject: String, details: [Detail], key: Int64? = nil) {
        self.id = id
        self.kind = kind
        self.atMs = atMs
        self.subject = subject
        self.details = details
        self.key = key
    }
}

extension LiveRow {
    /// The install that it names.
    package var install: String? { details.first { $0.name == .install }?.value }
}
