// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationReader {
    /// - Parameters:
    ///   - events: the names of the declared events.
    ///   - currency: of figures; nil if the file names none.
    mutating func metrics(
        _ node: ConfigurationNode, events: Set<ExactText>, products: FileProducts, currency: String?
    ) -> [Metric] {
        let entries = entries(node, of: "'metrics'") ?? []
        if entries.count > Metric.most {
            note(node.place, "'metrics' has \(entries.count) entries; at most \(Metric.most) fit. Remove some.")
        }
        var metrics: [Metric] = []
        for entry in entries.prefix(Metric.most) {
            let isName = isName(entry.key, at: entry.keyPlace, of: "A metric")
            if let metric = metric(entry, events, products, currency), isName { metrics.append(metric) }
        }
        return metrics
    }

    private mutating func metric(
        _ entry: ConfigurationNode.Entry, _ events: Set<ExactText>, _ products: FileProducts, _ currency: String?
    ) -> Metric? {
        let what = "The metric '\(entry.key.shortened)'"
        let fields = fields(entry.value, of: what, optional: ["event", "purchase", "revenue", "windowDays"])
        guard let fields else { return nil }
        let days = dayCount(fields["windowDays"], "'windowDays'", in: Metric.windowDays) ?? Metric.usualWindowDays
        var measures: [Metric.Measure?] = []
        if let node = fields["event"] { measures.append(declared(node, events)) }
        if let node = fields["purchase"] {
            measures.append(bought(node, products).map { .purchase($0) })
        }
        if let node = fields["revenue"] {
            if currency == nil {
                warn(node.place, "\(what) needs a currency to count in: add 'currency' to 'purchases'. Until then nothing is known of it.")
            }
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

    /// `any`, or the id of a product, which may end with a star where a product of the file may.
    private mutating func bought(_ node: ConfigurationNode, _ products: FileProducts) -> Metric.Purchases? {
        guard let text = text(node, "'purchase'") else { return nil }
        guard text != "any" else { return .any }
        guard Self.isProductID(text) else {
            note(
                node.place,
                "'purchase' cannot be '\(text.shortened)'. Write any, or a product id of the App Store; only '\(Self.simulatedProducts)*' may end with '*'.")
            return nil
        }
        let name = ProductRule.Name(text)
        warn(of: [name.text], at: node.place, products)
        return .product(name)
    }

    private mutating func declared(_ node: ConfigurationNode, _ events: Set<ExactText>) -> Metric.Measure? {
        guard let name = text(node, "'event'") else { return nil }
        guard isKnown(name, "event", at: node.place, among: events, whereNone: " Declare it under 'events'.") else { return nil }
        return .event(Event.Kind(name))
    }
}
