// SPDX-License-Identifier: Apache-2.0

/// How long rows are kept, in days since the server received them. A phone's clock says nothing here.
struct Retention: Hashable, Sendable {
    /// Not shorter than the longest window of a click, nor than a phone's report may be late.
    static let clickDays: ClosedRange<Int64> = 30...3650
    /// Not shorter than a phone keeps events.
    static let eventDays: ClosedRange<Int64> = 30...3650
    static let installDays: ClosedRange<Int64> = 90...3650

    /// A little more than a year, so that a season can be compared with the one before. What an install's attribution says is
    /// kept with the install and does not depend on it.
    var clickDays: Int64 = 400
    var eventDays: Int64 = 400
    /// Since an install was seen; then it goes with everything that it owns, and with its profile where nobody else has that.
    var installDays: Int64 = 1100

    var clickMs: Int64 { clickDays * Self.dayMs }
    var eventMs: Int64 { eventDays * Self.dayMs }
    var installMs: Int64 { installDays * Self.dayMs }

    static let dayMs: Int64 = 86_400_000
    /// What tells a repeated event or request: twice as long as a phone may repeat one.
    static let keyMs: Int64 = 60 * dayMs
    /// What Apple answered is a fact of the install by then, and no token lives so long.
    static let exchangeMs: Int64 = 60 * dayMs
    /// A return after such a time counts no more.
    static let absenceMs: Int64 = 800 * dayMs
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
