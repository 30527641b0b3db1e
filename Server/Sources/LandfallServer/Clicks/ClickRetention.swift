// SPDX-License-Identifier: Apache-2.0

/// How long stored clicks are kept. What an install's attribution says is kept with the install and does not depend on it.
struct ClickRetention: Hashable, Sendable {
    /// Not shorter than the longest window of a click, nor than a phone's report may be late.
    static let days: ClosedRange<Int64> = 30...3650

    /// Since a click was stored. A little more than a year, so that a season can be compared with the one before.
    var clickDays: Int64 = 400

    var clickMs: Int64 { clickDays * 86_400_000 }
}

extension ConfigurationReader {
    mutating func clickRetention(_ node: ConfigurationNode) -> ClickRetention {
        var retention = ClickRetention()
        let fields = fields(node, of: "'retention'", optional: ["clickDays"])
        if let days = dayCount(fields?["clickDays"], "'clickDays'", in: ClickRetention.days) { retention.clickDays = days }
        return retention
    }
}
