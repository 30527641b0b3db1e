// SPDX-License-Identifier: Apache-2.0

@testable import LandfallReports

/// What the reports of the story must say, added up from a table of prices. Nothing here asks the code that is tested.
///
/// The figures are in dollars: 1 € is 1.10 $ and from day 5 on 1.20 $, 1 ¥ is 0.0070 $, 1 £ is 1.30 $. Apple keeps 30 %, after the tax of
/// 19 % in Germany. Each amount is rounded by itself.
enum HandCount {
    /// In the order of the report's columns without net: purchases, gross, refunds, proceeds, upgrade credit, trials started, trials paid,
    /// refunds by number. Amounts are thousandths.
    struct Line {
        /// Counted from the first day of the story.
        let bought: Int
        let booked: Int
        let product: String
        let country: String
        let currency: String
        var purchases: Int64 = 0
        var gross: Int64 = 0
        var back: Int64 = 0
        var proceeds: Int64 = 0
        var credit: Int64 = 0
        var started: Int64 = 0
        var paid: Int64 = 0
        var refunds: Int64 = 0

        var columns: [Int64] { [purchases, gross, back, gross - back, proceeds, credit, started, paid, refunds] }
    }

    static func lines(of person: StoryPerson) -> [Line] {
        func bought(
            _ after: Int, _ product: String, _ country: String, _ currency: String, _ gross: Int64, _ proceeds: Int64, credit: Int64 = 0,
            paid: Int64 = 0
        ) -> Line {
            let day = person.day + after
            return Line(
                bought: day, booked: day, product: product, country: country, currency: currency, purchases: 1, gross: gross,
                proceeds: proceeds, credit: credit, paid: paid)
        }
        func tried(_ country: String) -> Line {
            Line(bought: person.day, booked: person.day, product: "monthly", country: country, currency: "EUR", started: 1)
        }
        func refunded(_ line: Line, after: Int, _ back: Int64, _ proceeds: Int64) -> Line {
            Line(
                bought: line.bought, booked: person.day + after, product: line.product, country: line.country, currency: line.currency,
                back: back, proceeds: -proceeds, refunds: 1)
        }
        switch person.plan {
        // Francs are in no row.
        case .looks, .sandbox, .francs: return []
        case .earlier: return [bought(-10, "monthly", "USA", "USD", 9_990, 6_993)]
        case .weekly: return [0, 7, 14, 21, 28].map { bought($0, "weekly", "USA", "USD", 4_990, 3_493) }
        case .refunded:
            // 9.99 × 1.10 = 10.989 and ÷ 1.19 × 0.7 = 6.464. People of the last day pay at 1.20: 11.988 and 7.052.
            let (gross, proceeds): (Int64, Int64) = person.day == 2 ? (11_988, 7_052) : (10_989, 6_464)
            let month = bought(3, "monthly", "DEU", "EUR", gross, proceeds, paid: 1)
            return [tried("DEU"), month, refunded(month, after: 10, gross, proceeds)]
        case .triesOnly: return [tried("FRA")]
        case .yearly:
            // 6,000 × 0.0070 = 42.
            let year = bought(1, "yearly", "JPN", "JPY", 42_000, 29_400)
            return [year, refunded(year, after: 20, 21_000, 14_700)]
        // 1.99 × 1.30 = 2.587, of which 70 % are 1.8109.
        case .coins: return [0, 5].map { bought($0, "coins", "GBR", "GBP", 2_587, 1_811) }
        case .upgrade:
            return [
                bought(0, "monthly", "USA", "USD", 9_990, 6_993, credit: 6_660), bought(10, "yearly", "USA", "USD", 59_990, 41_993),
            ]
        }
    }

    /// - Parameter name: gives days their names.
    static func key(
        _ by: [RevenueDimension], _ view: RevenueView, _ person: StoryPerson, _ line: Line, day name: (Int) -> String
    ) -> [String: String] {
        // A purchase that is older than the first open was brought by nothing here, and no paywall sold it.
        let isEarlier = person.plan == .earlier, origin = person.origin
        func brought(_ text: String?) -> String { isEarlier ? "before" : text ?? "unknown" }
        func sold(_ text: String) -> String { isEarlier ? "unknown" : text }
        return Dictionary(uniqueKeysWithValues: by.map { dimension in
            let text =
                switch dimension {
                case .day: name(view == .booking ? line.booked : line.bought)
                case .source: brought(origin.source)
                case .channel: brought(origin.channel)
                case .campaign: brought(origin.campaign)
                case .adGroup: brought(origin.adGroup)
                case .keyword: brought(origin.keyword)
                case .link: brought(origin.link)
                case .placement: sold("home")
                case .paywall: sold(person.paywall)
                case .variation: sold("spring-price:\(person.variation)")
                case .product: line.product
                case .country: line.country
                case .currency: line.currency
                }
            return (dimension.rawValue, text)
        })
    }

    /// The rows of a report, in no order.
    static func rows(_ by: [RevenueDimension], _ view: RevenueView, day name: (Int) -> String) -> [[String: String]: [Int64?]] {
        var rows: [[String: String]: [Int64]] = [:]
        for person in StoryPerson.all {
            for line in lines(of: person) {
                let key = key(by, view, person, line, day: name)
                rows[key] = rows[key].map { zip($0, line.columns).map { $0 + $1 } } ?? line.columns
            }
        }
        return rows.mapValues { $0.map(Optional.some) }
    }
}
