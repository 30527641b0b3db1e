// SPDX-License-Identifier: Apache-2.0

/// The demo for programs: one JSON document, every time in milliseconds.
package struct DemoReport: Hashable, Sendable, Encodable {
    struct Phone: Hashable, Sendable, Encodable {
        var name: String
        var launches: [OneLaunch]
    }

    struct OneLaunch: Hashable, Sendable, Encodable {
        struct Answer: Hashable, Sendable, Encodable {
            var status: Int
            var milliseconds: Int64
        }

        var number: Int
        var paywall: String?
        var targeted: Bool
        var origin: String
        var attribution: String
        var elapsedMilliseconds: Int64
        var requests: Int
        /// When the phone had its ad token; absent if it needed none.
        var tokenMilliseconds: Int64?
        /// Apple's answers to the server, with their times.
        var appleAnswers: [Answer]
        /// From Apple's attribution to the paywall; absent if the paywall did not wait for one.
        var millisecondsAfterAnswer: Int64?
    }

    struct Totals: Hashable, Sendable, Encodable {
        var opens: Int
        var targeted: Int
        var late: Int
        var withoutPaywall: Int
        var medianMilliseconds: Int64
        var longestMilliseconds: Int64
        var requestsPerOpen: Double
    }

    var server: String
    var deadlineMilliseconds: Int64
    var phones: [Phone]
    var firstLaunch: Totals
    var secondLaunch: Totals
    /// The way of a link, from a browser into the app; absent if it was not tried.
    package var link: DemoLink.Outcome?
    /// The way of money, from an ad to a refund; absent if it was not tried.
    package var sale: DemoSale.Outcome?
    /// The address at which the console's first member is made; absent if the server made no link.
    package var console: String?
    /// A link for browsers of this machine.
    package var ownLink: String?
    /// A link for phones in this machine's network; absent if the demo listens for this machine alone.
    package var nearbyLink: String?

    package init(server: String, deadline: Duration, launches: [Launch]) {
        self.server = server
        deadlineMilliseconds = deadline.milliseconds
        var names: [String] = []
        for launch in launches where !names.contains(launch.phone) { names.append(launch.phone) }
        phones = names.map { name in
            Phone(name: name, launches: launches.filter { $0.phone == name }.compactMap(OneLaunch.init))
        }
        firstLaunch = Totals(LaunchTotals(launches.filter { $0.number == 1 }, deadline: deadline))
        secondLaunch = Totals(LaunchTotals(launches.filter { $0.number == 2 }, deadline: deadline))
    }
}

extension DemoReport.OneLaunch {
    /// nil while the launch has no outcome.
    init?(_ launch: Launch) {
        guard let outcome = launch.outcome else { return nil }
        let answered = launch.moments.first { $0.sight == .answer(status: 200) && $0.at <= outcome.elapsed }?.at
        self.init(
            number: launch.number, paywall: outcome.paywall, targeted: outcome.isTargeted, origin: outcome.origin,
            attribution: outcome.attribution, elapsedMilliseconds: outcome.elapsed.milliseconds, requests: outcome.requests,
            tokenMilliseconds: launch.moments.first { $0.sight == .token }?.at.milliseconds,
            appleAnswers: launch.moments.compactMap { moment in
                guard case .answer(let status) = moment.sight else { return nil }
                return Answer(status: status, milliseconds: moment.at.milliseconds)
            },
            millisecondsAfterAnswer: answered.map { (outcome.elapsed - $0).milliseconds }
        )
    }
}

extension DemoReport.Totals {
    init(_ totals: LaunchTotals) {
        self.init(
            opens: totals.opens, targeted: totals.targeted, late: totals.late, withoutPaywall: totals.withoutPaywall,
            medianMilliseconds: totals.median.milliseconds, longestMilliseconds: totals.longest.milliseconds,
            requestsPerOpen: totals.requestsPerOpen
        )
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }
}
