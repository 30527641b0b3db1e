// SPDX-License-Identifier: Apache-2.0

/// One of 300 people: where they came from, when, which paywall they saw, and what they do then. Everything follows from their number.
struct StoryPerson: Hashable, Sendable {
    /// What somebody does from the day of their first open on.
    enum Plan: Int, Hashable, Sendable {
        /// Looks at the paywall and leaves.
        case looks
        /// Buys in Apple's sandbox.
        case sandbox
        /// Restores a month that was bought ten days before the first open, for 9.99 $.
        case earlier
        /// Buys a week for 5.00 francs on day 2. No rate converts francs.
        case francs
        /// Buys a week for 4.99 $, which renews after 7, 14, 21 and 28 days.
        case weekly
        /// Tries for three days, then pays 9.99 € for a month in Germany, and gets all of it back a week later.
        case refunded
        /// Tries for three days in France and leaves.
        case triesOnly
        /// Buys a year in Japan for 6,000 ¥ on day 1, and gets half of it back on day 20.
        case yearly
        /// Buys coins in Britain for 1.99 £ at once and on day 5.
        case coins
        /// Buys a month for 9.99 $, and a year for 59.99 $ when twenty of the thirty days are left.
        case upgrade
    }

    /// What brought somebody, as reports call it. What is nil is not known.
    struct Origin: Hashable, Sendable {
        var source: String?
        var channel: String?
        var campaign: String?
        var adGroup: String?
        var keyword: String?
        var link: String?

        static func ad(_ number: Int) -> Origin {
            Origin(source: "apple_search_ads", campaign: "\(500 + number)", adGroup: "\(600 + number)", keyword: "\(700 + number)")
        }

        static let all = (1...5).map(ad) + [
            Origin(source: "link", channel: "poster", campaign: "summer", link: "brandname.go.link/beach"),
            Origin(source: "link", campaign: "winter", adGroup: "alps", link: "brandname.go.link/snow"),
            Origin(source: "link", channel: "mail", link: "brandname.go.link/plain"), Origin(), Origin(),
        ]
    }

    /// 0 to 299.
    let number: Int

    static let all = (0..<300).map { StoryPerson(number: $0) }

    /// Of ten people who follow one another each does something else.
    var plan: Plan { Plan(rawValue: number % 10)! }
    /// Thirty people each from five campaigns and three links, and sixty from nowhere.
    var origin: Origin { Origin.all[number / 30] }
    /// Of the first open: ten of thirty come on each of three days.
    var day: Int { number / 10 % 3 }
    /// Three of five tens are drawn into A.
    var variation: String { number / 10 % 5 < 3 ? "A" : "B" }
    var paywall: String { variation == "A" ? "default" : "special" }
}
