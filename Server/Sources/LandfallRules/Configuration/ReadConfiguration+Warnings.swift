// SPDX-License-Identifier: Apache-2.0

extension ReadConfiguration {
    /// A newest rate that is older says that nobody updates them.
    private static let oldestRateDays: Int64 = 40

    /// What is allowed but probably not meant, and what is true only on this day.
    package func warnings(nowMs: Int64) -> [ConfigurationProblem] {
        guard let newest = money?.rates.last(where: { !$0.rates.isEmpty }), let node = root?["purchases"]?["rates"] else { return warnings }
        let days = nowMs / Retention.dayMs - Int64(newest.day)
        guard days > Self.oldestRateDays else { return warnings }
        let message = "The newest of the 'rates' is \(days) days old; money of later days is converted by it. Add a newer day."
        let warning = ConfigurationProblem(place: node.place, message: message, path: "purchases.rates")
        return (warnings + [warning]).sorted { $0.place < $1.place }
    }
}
