// SPDX-License-Identifier: Apache-2.0
import LandfallServer
import LandfallStore
import LandfallWire

/// Counts clicks in one pass, grouped by several sets of dimensions at once.
struct ClickTally: Sendable {
    /// The most groups while a day is counted, some ten megabytes of them: everybody who follows links can name campaigns. Further groups are
    /// called ``DayCells/other`` in every field.
    static let mostCells = 50_000

    private let sets: [[LinkReport.Dimension]]
    /// For each set of fields its cells. The counts are in the order of ``LinkReport/layout``.
    private(set) var tables: [CellTable]
    private let mostCells: Int
    /// A visitor's number is about one link and one day, and the first of its clicks is the unique one: so the sums of all reports agree.
    private var visitors: Set<Int64> = []
    private var key: [UInt8] = []

    /// The memory that it takes. A set has a third more slots than values, and a bit for each.
    var byteCount: Int { tables.reduce(11 * visitors.capacity) { $0 + $1.byteCount } }

    init(_ sets: [[LinkReport.Dimension]], mostCells: Int = Self.mostCells) {
        self.sets = sets
        self.mostCells = mostCells
        tables = sets.map { _ in CellTable(size: LinkReport.layout.count) }
    }

    /// In the order of their ids.
    static let text = """
        SELECT click_id, kind, outcome, visitor, link_host, link_path, campaign, ad_group, creative, channel, platform, country,
          referrer, browser, language, product_page
        FROM click
        WHERE app_id = $1 AND click_id > $2 AND click_id < $3 ORDER BY click_id LIMIT $4
        """

    private static func column(of field: LinkReport.Dimension) -> Int? {
        switch field {
        case .day: nil
        case .host: 4
        case .path: 5
        case .campaign: 6
        case .adGroup: 7
        case .creative: 8
        case .channel: 9
        case .platform: 10
        case .country: 11
        case .referrer: 12
        case .browser: 13
        case .language: 14
        case .productPage: 15
        }
    }

    /// - Parameter row: of ``text``. All earlier clicks of the day were added before.
    mutating func add(_ row: Row) throws {
        let counts = try counts(row)
        for index in sets.indices {
            key.removeAll(keepingCapacity: true)
            for dimension in sets[index] {
                let column = Self.column(of: dimension)
                DayText.append(column.flatMap { row.optionalText($0) }?.utf8, to: &key)
            }
            if tables[index].count >= mostCells, tables[index].counts(key) == nil { key = DayCells.rest(sets[index].count) }
            tables[index].add(key, counts)
        }
    }

    private mutating func counts(_ row: Row) throws -> [Int64] {
        let kind = try row.text(1), outcome = try row.text(2), isPerson = kind == ClickKind.person.rawValue
        let isExpired = outcome == Click.Outcome.expired.rawValue, isClick = isPerson && !isExpired
        let isUnique = isClick && (row.optionalInteger(3).map { visitors.insert($0).inserted } ?? false)
        var counts = Array(repeating: Int64(0), count: LinkReport.layout.count)
        func count(_ metric: ReportMetric, if isCounted: Bool) { if isCounted { counts[LinkReport.layout[metric]] = 1 } }
        count(.clicks, if: isClick)
        count(.uniqueClicks, if: isUnique)
        count(.sentToStore, if: isPerson && outcome == Click.Outcome.store.rawValue)
        count(.expiredClicks, if: isPerson && isExpired)
        count(.machineRequests, if: !isPerson && ClickKind(rawValue: kind) != nil)
        count(.appOpens, if: kind == "app")
        count(.unprovenAppOpens, if: kind == "unproven")
        count(.buttonTaps, if: kind == "tap")
        return counts
    }
}
