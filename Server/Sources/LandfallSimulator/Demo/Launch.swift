// SPDX-License-Identifier: Apache-2.0

/// One launch of one phone, observed from outside. Times count from the launch.
package struct Launch: Hashable, Sendable {
    enum Sight: Hashable, Sendable {
        /// The phone got its ad token.
        case token
        /// Apple answered the server, with this HTTP status.
        case answer(status: Int)
        /// The app got its paywall, or the error that there is none.
        case paywall
    }

    struct Moment: Hashable, Sendable {
        let sight: Sight
        let at: Duration

        init(_ sight: Sight, at: Duration) {
            self.sight = sight
            self.at = at
        }
    }

    /// The final result for the app.
    struct Outcome: Hashable, Sendable {
        /// The paywall's name; nil if there was none.
        var paywall: String?
        /// True if it was chosen for an audience other than everyone.
        var isTargeted: Bool
        /// `matchingAudience`, `defaultAudience`, `cache`, `bundled`, or `none`.
        var origin: String
        /// `pending`, `attributed`, `notAttributed` or `unavailable`, when the paywall was handed out.
        var attribution: String
        var elapsed: Duration
        /// HTTP requests that the phone sent until then.
        var requests: Int

        init(paywall: String?, isTargeted: Bool, origin: String, attribution: String, elapsed: Duration, requests: Int) {
            self.paywall = paywall
            self.isTargeted = isTargeted
            self.origin = origin
            self.attribution = attribution
            self.elapsed = elapsed
            self.requests = requests
        }
    }

    package let phone: String
    /// 1 is the first open.
    let number: Int
    /// False: no request can leave the phone.
    let isOnline: Bool
    /// In the order in which they happened.
    private(set) var moments: [Moment] = []
    private(set) var outcome: Outcome?
    /// True if nothing more is expected that the drawing would show.
    package internal(set) var isOver = false

    init(phone: String, number: Int, isOnline: Bool = true) {
        self.phone = phone
        self.number = number
        self.isOnline = isOnline
    }

    mutating func note(_ sight: Sight, at: Duration) {
        let later = moments.firstIndex { $0.at > at } ?? moments.endIndex
        moments.insert(Moment(sight, at: at), at: later)
    }

    mutating func end(with outcome: Outcome) {
        self.outcome = outcome
        note(.paywall, at: outcome.elapsed)
    }
}
