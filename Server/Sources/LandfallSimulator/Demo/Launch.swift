// SPDX-License-Identifier: Apache-2.0

/// One launch of one phone, observed from outside. Times count from the launch.
public struct Launch: Hashable, Sendable {
    public enum Sight: Hashable, Sendable {
        /// The phone got its ad token.
        case token
        /// Apple answered the server, with this HTTP status.
        case answer(status: Int)
        /// The app got its paywall, or the error that there is none.
        case paywall
    }

    public struct Moment: Hashable, Sendable {
        public let sight: Sight
        public let at: Duration

        public init(_ sight: Sight, at: Duration) {
            self.sight = sight
            self.at = at
        }
    }

    /// The final result for the app.
    public struct Outcome: Hashable, Sendable {
        /// The paywall's name; nil if there was none.
        public var paywall: String?
        /// True if it was chosen for an audience, and not for everyone.
        public var isTargeted: Bool
        /// `matchingAudience`, `defaultAudience`, `cache`, `bundled`, or `none`.
        public var origin: String
        /// `pending`, `attributed`, `notAttributed` or `unavailable`, when the paywall was handed out.
        public var attribution: String
        public var elapsed: Duration
        /// HTTP requests that left the phone until then.
        public var requests: Int

        public init(paywall: String?, isTargeted: Bool, origin: String, attribution: String, elapsed: Duration, requests: Int) {
            self.paywall = paywall
            self.isTargeted = isTargeted
            self.origin = origin
            self.attribution = attribution
            self.elapsed = elapsed
            self.requests = requests
        }
    }

    public let phone: String
    /// 1 is the first open.
    public let number: Int
    /// False: no request can leave the phone.
    public let isOnline: Bool
    /// In the order in which they happened.
    public private(set) var moments: [Moment] = []
    public private(set) var outcome: Outcome?
    /// True if nothing more is expected that the drawing would show.
    public internal(set) var isOver = false

    public init(phone: String, number: Int, isOnline: Bool = true) {
        self.phone = phone
        self.number = number
        self.isOnline = isOnline
    }

    public mutating func note(_ sight: Sight, at: Duration) {
        let later = moments.firstIndex { $0.at > at } ?? moments.endIndex
        moments.insert(Moment(sight, at: at), at: later)
    }

    public mutating func end(with outcome: Outcome) {
        self.outcome = outcome
        note(.paywall, at: outcome.elapsed)
    }
}
