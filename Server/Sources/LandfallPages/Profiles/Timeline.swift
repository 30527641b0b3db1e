// SPDX-License-Identifier: Apache-2.0

/// One page of everything that the server knows of a person's time with the app, the newest first.
package struct Timeline: Encodable, Hashable, Sendable {
    /// The entries of a page.
    package static let most = 50

    package struct Entry: Encodable, Hashable, Sendable {
        package enum Kind: String, Encodable, CaseIterable, Sendable {
            case firstOpen, tap, attribution, exposure, event, leaving, identified
        }

        /// The name of a detail. The raw value is that of the `.json`.
        package enum Term: String, Encodable, CaseIterable, Sendable {
            case platform, version, country, source, status, link, campaign, adGroup, creative, channel, placement, paywall, audience
            case variation, origin, revision, value, currency, properties, customer, profile
        }

        package struct Detail: Encodable, Hashable, Sendable {
            package let term: Term
            package let value: String

            package init(_ term: Term, _ value: String) {
                self.term = term
                self.value = value
            }
        }

        /// In the order of time; ``Timeline/before`` is one.
        package let key: String
        package let kind: Kind
        /// When the server learned of it, or when it did it itself.
        package let atMilliseconds: Int64
        /// When it happened on the phone, if the server learned of it later.
        package let happenedMilliseconds: Int64?
        /// What it is about: a link, a placement, an event's type.
        package let subject: String
        package let details: [Detail]
        package let install: String
        /// The event's id as the phone calls it; nil for everything else.
        package let event: String?

        package init(
            key: String, kind: Kind, atMilliseconds: Int64, happenedMilliseconds: Int64? = nil, subject: String, details: [Detail],
            install: String, event: String? = nil
        ) {
            self.key = key
            self.kind = kind
            self.atMilliseconds = atMilliseconds
            self.happenedMilliseconds = happenedMilliseconds
            self.subject = subject
            self.details = details
            self.install = install
            self.event = event
        }

        /// The value of a term; nil if it has none.
        func value(_ term: Term) -> String? { details.first { $0.term == term }?.value }
    }

    package let entries: [Entry]
    /// Where the next page begins; nil on the last one.
    package let before: String?

    package init(entries: [Entry], before: String?) {
        self.entries = entries
        self.before = before
    }
}
