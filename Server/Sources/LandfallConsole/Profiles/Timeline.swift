// SPDX-License-Identifier: Apache-2.0

/// One page of everything that the server knows of a person's time with the app, the newest first.
struct Timeline: Encodable, Hashable, Sendable {
    /// The entries of a page.
    static let most = 50

    struct Entry: Encodable, Hashable, Sendable {
        enum Kind: String, Encodable, CaseIterable, Sendable {
            case firstOpen, tap, attribution, exposure, event, leaving, identified, purchase, refund, trial
        }

        /// The name of a detail. The raw value is that of the `.json`.
        enum Term: String, Encodable, CaseIterable, Sendable {
            case platform, version, country, source, status, link, campaign, adGroup, creative, channel, placement, paywall, audience
            case variation, origin, revision, value, currency, properties, customer, profile, product, state
        }

        struct Detail: Encodable, Hashable, Sendable {
            let term: Term
            let value: String

            init(_ term: Term, _ value: String) {
                self.term = term
                self.value = value
            }
        }

        /// What was paid, or paid back.
        struct Money: Encodable, Hashable, Sendable {
            let milliunits: Int64
            let currency: String
        }

        /// What became of a purchase or a trial.
        enum State: String, Encodable, CaseIterable, Sendable { case paid, paidBack, paidAfterTrial, notPaidYet }

        /// In the order of time; ``Timeline/before`` is one.
        let key: String
        let kind: Kind
        /// When the server learned of it, or when it did it itself. Of money: when it moved.
        let atMilliseconds: Int64
        /// When it happened on the phone, if the server learned of it later.
        let happenedMilliseconds: Int64?
        /// What it is about: a link, a placement, an event's type.
        let subject: String
        let details: [Detail]
        let install: String
        /// The event's id as the phone calls it; nil for everything else.
        let event: String?
        /// Nil for everything but purchases and refunds.
        let money: Money?

        init(
            key: String, kind: Kind, atMilliseconds: Int64, happenedMilliseconds: Int64? = nil, subject: String, details: [Detail],
            install: String, event: String? = nil, money: Money? = nil
        ) {
            self.key = key
            self.kind = kind
            self.atMilliseconds = atMilliseconds
            self.happenedMilliseconds = happenedMilliseconds
            self.subject = subject
            self.details = details
            self.install = install
            self.event = event
            self.money = money
        }

        /// The value of a term; nil if it has none.
        func value(_ term: Term) -> String? { details.first { $0.term == term }?.value }
    }

    let entries: [Entry]
    /// Where the next page begins; nil on the last one.
    let before: String?
}
