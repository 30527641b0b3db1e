// SPDX-License-Identifier: Apache-2.0
package import Metrics

/// What a recount of computed days found: nothing, as long as every fact was counted.
package struct RollupTelemetry: Sendable {
    private let installs: Counter
    private let days: Counter
    private let clickDays: Counter

    package init(_ factory: any MetricsFactory) {
        func counter(_ what: String) -> Counter {
            Counter(label: "landfall_report_differences_total", dimensions: [("what", what)], factory: factory)
        }
        (installs, days, clickDays) = (counter("install"), counter("day"), counter("click_day"))
    }

    package func found(_ differences: RollupRecount.Differences) {
        installs.increment(by: differences.installs)
        days.increment(by: differences.days)
        clickDays.increment(by: differences.clickDays)
    }
}
