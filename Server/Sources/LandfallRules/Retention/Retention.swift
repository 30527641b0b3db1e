// SPDX-License-Identifier: Apache-2.0

/// How long rows are kept, in days since the server received them. The phone's clock is not used.
package struct Retention: Hashable, Sendable {
    /// The minimum covers the longest click window and the longest delay of a phone's report.
    static let clickDays: ClosedRange<Int64> = 30...3650
    /// The minimum covers the time for which a phone keeps events.
    package static let eventDays: ClosedRange<Int64> = 30...3650
    static let installDays: ClosedRange<Int64> = 90...3650

    /// A little more than a year, so that a season can be compared with the one before. An install keeps its attribution
    /// itself, which does not depend on this.
    package var clickDays: Int64 = 400
    package var eventDays: Int64 = 400
    /// Since the install was last seen. Then it is deleted with everything that it owns, and with its profile unless another
    /// install has that.
    package var installDays: Int64 = 1100

    package var clickMs: Int64 { clickDays * Self.dayMs }
    package var eventMs: Int64 { eventDays * Self.dayMs }
    package var installMs: Int64 { installDays * Self.dayMs }

    package static let dayMs: Int64 = 86_400_000
    /// Keys that recognise a repeated event or request: twice as long as a phone may repeat one.
    package static let keyMs: Int64 = 60 * dayMs
    /// By then Apple's answer is a fact of the install, and every token has expired.
    package static let exchangeMs: Int64 = 60 * dayMs
    /// The count of an erased install is kept until its day is not counted again: one day, and the longest difference between time zones.
    package static let keptDayMs: Int64 = 2 * dayMs
    /// A return after a longer absence does not count.
    package static let absenceMs: Int64 = 800 * dayMs
}

extension ConfigurationReader {
    mutating func retention(_ node: ConfigurationNode) -> Retention {
        var retention = Retention()
        let fields = fields(node, of: "'retention'", optional: ["clickDays", "eventDays", "installDays"])
        if let days = dayCount(fields?["clickDays"], "'clickDays'", in: Retention.clickDays) { retention.clickDays = days }
        if let days = dayCount(fields?["eventDays"], "'eventDays'", in: Retention.eventDays) { retention.eventDays = days }
        if let days = dayCount(fields?["installDays"], "'installDays'", in: Retention.installDays) {
            retention.installDays = days
        }
        return retention
    }
}
