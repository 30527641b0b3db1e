// SPDX-License-Identifier: Apache-2.0

extension ConfigurationReader {
    private static let mostRateDays = 4_000
    private static let mostCommissions = 100
    /// Before and after the point.
    private static let mostPlaces = 9

    /// The keys of `purchases` about money. Numbers are read digit by digit, so that none is rounded.
    mutating func money(_ fields: Fields) -> MoneyRules {
        var money = MoneyRules()
        money.currency = fields["currency"].flatMap { code($0, "'currency'") }
        money.rates = fields["rates"].map { rates($0) } ?? []
        if let node = fields["rates"], fields["currency"] == nil {
            note(node.place, "'rates' needs 'currency', the currency that they lead to. Add it.")
        }
        if let node = fields["rates"], let currency = money.currency, money.rates.contains(where: { $0.rates[currency] != nil }) {
            note(node.place, "'rates' gives '\(currency)' a rate to itself. Remove it.")
        }
        money.tax = fields["tax"].map { shares($0) } ?? [:]
        if let node = fields["commission"] {
            money.commission = (list(node, of: "'commission'", most: Self.mostCommissions) ?? []).compactMap { commission($0) }
        }
        return money
    }

    private mutating func rates(_ node: ConfigurationNode) -> [RateDay] {
        let entries = entries(node, of: "'rates'") ?? []
        if entries.count > Self.mostRateDays {
            note(node.place, "'rates' has \(entries.count) days; at most \(Self.mostRateDays) fit. Remove some.")
        }
        let days = entries.prefix(Self.mostRateDays).compactMap { entry -> RateDay? in
            let day = day(entry.key, at: entry.keyPlace, "A day of 'rates'")
            var rates: [String: ExactDecimal] = [:]
            for rate in self.entries(entry.value, of: "A day of 'rates'") ?? [] {
                let code = isCode(rate.key, at: rate.keyPlace, "A currency")
                if let worth = decimal(rate.value, "A rate", isRight: { $0 > .zero }, "above 0"), code { rates[rate.key] = worth }
            }
            return day.map { RateDay(day: $0, rates: rates) }
        }
        return days.sorted { $0.day < $1.day }
    }

    private mutating func shares(_ node: ConfigurationNode) -> [String: ExactDecimal] {
        var shares: [String: ExactDecimal] = [:]
        for entry in entries(node, of: "'tax'") ?? [] {
            let code = isCode(entry.key, at: entry.keyPlace, "A storefront")
            if let share = share(entry.value, "A share of tax"), code { shares[entry.key] = share }
        }
        return shares
    }

    private mutating func commission(_ node: ConfigurationNode) -> CommissionRule? {
        let fields = fields(
            node, of: "An entry of 'commission'", required: ["from", "usual"], optional: ["storefronts", "afterYear"])
        guard let fields else { return nil }
        let from = fields["from"].flatMap { node in text(node, "'from'").flatMap { day($0, at: node.place, "'from'") } }
        var storefronts: [String] = []
        if let node = fields["storefronts"] {
            let elements = list(node, of: "'storefronts'") ?? []
            if case .list = node.content, elements.isEmpty {
                note(node.place, "'storefronts' is empty, so the entry counts nowhere. List some, or remove it to mean all.")
            }
            storefronts = elements.compactMap { code($0, "A storefront") }
        }
        let usual = fields["usual"].flatMap { share($0, "'usual'") }
        let afterYear = fields["afterYear"].flatMap { share($0, "'afterYear'") }
        guard let from, let usual else { return nil }
        return CommissionRule(fromDay: from, storefronts: storefronts, usual: usual, afterYear: afterYear)
    }

    /// Since 1970, UTC.
    private mutating func day(_ text: String, at place: ConfigurationNode.Place, _ what: String) -> Int? {
        if let day = Instant.day(text) { return day }
        note(place, "\(what) cannot be '\(text.shortened)'. Write a day, such as 2026-11-01.")
        return nil
    }

    private mutating func code(_ node: ConfigurationNode, _ what: String) -> String? {
        guard let text = text(node, what) else { return nil }
        return isCode(text, at: node.place, what) ? text : nil
    }

    private mutating func isCode(_ text: String, at place: ConfigurationNode.Place, _ what: String) -> Bool {
        if text.utf8.count == 3, text.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) { return true }
        note(place, "\(what) cannot be '\(text.shortened)'. Write three capitals, such as EUR for a currency and DEU for a storefront.")
        return false
    }

    /// From 0 to below 1.
    private mutating func share(_ node: ConfigurationNode, _ what: String) -> ExactDecimal? {
        decimal(node, what, isRight: { $0.digits < $0.divisor }, "below 1, such as 0.19 for 19 %")
    }

    private mutating func decimal(
        _ node: ConfigurationNode, _ what: String, isRight: (ExactDecimal) -> Bool, _ range: String
    ) -> ExactDecimal? {
        guard let text = text(node, what) else { return nil }
        let fits = text.utf8.split(separator: UInt8(ascii: ".")).allSatisfy { $0.count <= Self.mostPlaces }
        if fits, let number = ExactDecimal(text), isRight(number) { return number }
        note(
            node.place,
            "\(what) cannot be '\(text.shortened)'. Write a number \(range), with at most \(Self.mostPlaces) digits on each side of the point.")
        return nil
    }
}
