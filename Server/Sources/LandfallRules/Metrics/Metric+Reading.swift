// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationReader {
    /// - Parameter events: the names of the declared events.
    mutating func metrics(_ node: ConfigurationNode, events: Set<ExactText>) -> [Metric] {
        let entries = entries(node, of: "'metrics'") ?? []
        if entries.count > Metric.most {
            note(node.place, "'metrics' has \(entries.count) entries; at most \(Metric.most) fit. Remove some.")
        }
        var metrics: [Metric] = []
        for entry in entries.prefix(Metric.most) {
            let isName = isName(entry.key, at: entry.keyPlace, of: "A metric")
            if let metric = metric(entry, events: events), isName { metrics.append(metric) }
        }
        return metrics
    }

    private mutating func metric(_ entry: ConfigurationNode.Entry, events: Set<ExactText>) -> Metric? {
        let what = "The metric '\(entry.key.shortened)'"
        let fields = fields(entry.value, of: what, optional: ["event", "purchase", "revenue", "windowDays"])
        guard let fields else { return nil }
        let days = dayCount(fields["windowDays"], "'windowDays'", in: Metric.windowDays) ?? Metric.usualWindowDays
        var measures: [Metric.Measure?] = []
        if let node = fields["event"] { measures.append(declared(node, events)) }
        if let node = fields["purchase"] {
            measures.append(choice(node, "'purchase'", as: Metric.Purchases.self).map { .purchase($0) })
        }
        if let node = fields["revenue"] {
            measures.append(choice(node, "'revenue'", as: Metric.Revenue.self).map { .revenue($0) })
        }
        guard measures.count == 1 else {
            note(
                entry.keyPlace,
                "\(what) needs exactly one of 'event', 'purchase' and 'revenue'. Write, for example, { event: trial_started }.")
            return nil
        }
        return measures[0].map { Metric(name: entry.key, measure: $0, windowDays: days) }
    }

    private mutating func declared(_ node: ConfigurationNode, _ events: Set<ExactText>) -> Metric.Measure? {
        guard let name = text(node, "'event'") else { return nil }
        guard isKnown(name, "event", at: node.place, among: events, whereNone: " Declare it under 'events'.") else { return nil }
        return .event(Event.Kind(name))
    }
}
