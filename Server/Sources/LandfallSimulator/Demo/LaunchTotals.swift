// SPDX-License-Identifier: Apache-2.0

/// The totals of a group of launches.
package struct LaunchTotals: Hashable, Sendable {
    /// Launches that have an outcome.
    let opens: Int
    /// Launches with the paywall of an audience, not the one for everyone.
    let targeted: Int
    /// Launches whose paywall came more than 50 ms after the deadline.
    let late: Int
    let withoutPaywall: Int
    /// Zero without a launch.
    let median: Duration
    let longest: Duration
    /// The mean of the launches that have a network; zero without such a launch.
    let requestsPerOpen: Double

    package init(_ launches: [Launch], deadline: Duration) {
        let outcomes = launches.compactMap(\.outcome)
        let requests = launches.filter(\.isOnline).compactMap(\.outcome?.requests)
        let times = outcomes.map(\.elapsed).sorted()
        opens = outcomes.count
        targeted = outcomes.count { $0.isTargeted }
        late = outcomes.count { $0.elapsed > deadline + .milliseconds(50) }
        withoutPaywall = outcomes.count { $0.paywall == nil }
        median = times.isEmpty ? .zero : times[(times.count - 1) / 2]
        longest = times.last ?? .zero
        requestsPerOpen = requests.isEmpty ? 0 : Double(requests.reduce(0, +)) / Double(requests.count)
    }
}
