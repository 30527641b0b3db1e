// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallServer

/// What installs have paid since their first open, by the day of it. In memory is a line for each install, fifty bytes, and no charge.
struct RevenueCohorts {
    static let ages: [(column: RevenueColumn, days: Int64)] = [
        (.day7Milliunits, 7), (.day30Milliunits, 30), (.day90Milliunits, 90), (.day365Milliunits, 365),
    ]
    /// What is known of an install before it pays.
    static let dimensions: [RevenueDimension] = [.day, .source, .channel, .campaign, .adGroup, .keyword, .link]

    /// Who brought a chain.
    enum Bringer: Hashable, Sendable {
        case install(InstallKey)
        /// Its rows are deleted. The chain has kept when it was opened first, and its key without the day.
        case expired(chain: String, openedAtMs: Int64, key: ReportSheet.Key)
    }

    private struct Member {
        let row: Int
        let openedAtMs: Int64
        var isPayer = false
    }

    private struct Line {
        var installs: Int64 = 0
        var payers: Int64 = 0
        /// In the order of ``RevenueCohorts/ages``. Wider than any amount, as in ``RevenueSums``.
        var nets = [Int128](repeating: 0, count: RevenueCohorts.ages.count)
        var proceeds: Int128 = 0
        var youngestMs = Int64.min

        mutating func add(_ other: Line) {
            installs += other.installs
            payers += other.payers
            for place in nets.indices { nets[place] += other.nets[place] }
            proceeds += other.proceeds
            youngestMs = max(youngestMs, other.youngestMs)
        }
    }

    private struct Key: Hashable, Comparable {
        /// The first one of the row; 0 if rows have no day.
        let day: Int64
        let names: ReportSheet.Key

        static func < (left: Key, right: Key) -> Bool {
            left.day != right.day ? left.day < right.day : ReportSheet.precedes(left.names, right.names)
        }
    }

    private let request: RevenueRequest
    /// Without the day.
    private let by: [RevenueDimension]
    private let hasDay: Bool
    private let days: ReportDays
    private let nowMs: Int64
    private let knowsInstalls: Bool
    private let mostRows: Int
    private var rows: [Key: Int] = [:]
    private var lines: [Line] = []
    private var members: [InstallKey: Member] = [:]
    private var expiredPayers: Set<String> = []
    private var currency: FigureCurrency

    /// - Parameter knowsInstalls: false if retention may have deleted some of these days.
    /// - Throws: ``ReportError/dimensions(known:)``
    init(
        _ request: RevenueRequest, _ rules: MoneyRules, knowsInstalls: Bool, nowMs: Int64, mostRows: Int = ReportSheet.mostRows
    ) throws(ReportError) {
        guard request.read.allSatisfy(Self.dimensions.contains) else { throw .dimensions(known: Self.dimensions.map(\.rawValue)) }
        self.request = request
        by = request.by.filter { $0 != .day }
        hasDay = request.by.contains(.day)
        days = request.days
        (self.knowsInstalls, self.nowMs, self.mostRows) = (knowsInstalls, nowMs, mostRows)
        currency = FigureCurrency(rules)
        if by.isEmpty {
            for day in days.days where day <= ReportZone.utc.day(ofMs: nowMs) { _ = row(of: [], openedOn: day) }
        }
    }

    /// Adds a first open.
    /// - Parameter key: of the row, without the day.
    /// - Throws: ``ReportError/tooManyInstalls``
    mutating func open(_ install: InstallKey, openedAtMs: Int64, key: ReportSheet.Key) throws(ReportError) {
        guard members[install] == nil, days.milliseconds.contains(openedAtMs) else { return }
        guard members.count < ReportCohort.mostMembers else { throw .tooManyInstalls }
        let row = row(of: key, openedOn: ReportZone.utc.day(ofMs: openedAtMs))
        members[install] = Member(row: row, openedAtMs: openedAtMs)
        lines[row].installs += 1
        lines[row].youngestMs = max(lines[row].youngestMs, openedAtMs)
    }

    /// Of the figures, see ``FigureCurrency``.
    var currencyCode: String? { currency.code }

    /// Nil if it was not added.
    func openedAtMs(_ install: InstallKey) -> Int64? { members[install]?.openedAtMs }

    /// Adds a purchase or a refund; call it after all first opens. A chain that is older than the first open of who brought it is of no
    /// cohort: it must not come here.
    /// - Parameter bringer: one whose first open was not added is left out.
    mutating func add(_ terms: Pricing.Terms, purchasedAtMs: Int64, by bringer: Bringer) {
        guard terms.kind != .trial, let (row, openedAtMs) = place(of: bringer, pays: terms.kind == .purchase) else { return }
        guard let price = currency.priced(terms, { $0.price(terms) }) else { return }
        lines[row].proceeds += Int128(price.proceeds)
        for (place, age) in Self.ages.enumerated() where purchasedAtMs - openedAtMs <= age.days * Retention.dayMs {
            lines[row].nets[place] += Int128(price.gross) - Int128(price.refunds)
        }
    }

    private mutating func place(of bringer: Bringer, pays: Bool) -> (row: Int, openedAtMs: Int64)? {
        switch bringer {
        case .install(let install):
            guard let member = members[install] else { return nil }
            if pays, !member.isPayer {
                members[install]?.isPayer = true
                lines[member.row].payers += 1
            }
            return (member.row, member.openedAtMs)
        case .expired(let chain, let openedAtMs, let key):
            guard days.milliseconds.contains(openedAtMs) else { return nil }
            let row = row(of: key, openedOn: ReportZone.utc.day(ofMs: openedAtMs))
            lines[row].youngestMs = max(lines[row].youngestMs, openedAtMs)
            if pays, expiredPayers.insert(chain).inserted { lines[row].payers += 1 }
            return (row, openedAtMs)
        }
    }

    private mutating func row(of names: ReportSheet.Key, openedOn day: Int64) -> Int {
        let key = Key(day: hasDay ? firstDay(ofRowWith: day) : 0, names: names)
        if let row = rows[key] { return row }
        let other = other(of: names)
        if lines.count >= ReportCohort.mostRows, names != other { return row(of: other, openedOn: day) }
        lines.append(Line())
        rows[key] = lines.count - 1
        return lines.count - 1
    }

    private func other(of names: ReportSheet.Key) -> ReportSheet.Key { names.map { _ in Array(DayCells.other.utf8) } }

    /// Day 4 since 1970 was a Monday.
    private func firstDay(ofRowWith day: Int64) -> Int64 {
        days.days.count > RevenueRequest.mostCohortDays ? day - ((day - 4) % 7 + 7) % 7 : day
    }
}

extension RevenueCohorts {
    /// By day, then by key.
    /// - Parameter brought: installs, as Apple counts them.
    func result(spend: AdSpend.OfRow = { _, _ in nil }, brought: AdSpend.OfRow = { _, _ in nil }) -> RevenueResult {
        let found = capped.sorted { $0.key < $1.key }.map { key, line in
            let days = daysOfRow(key), names = request.names(by, key.names)
            return RevenueDocument.Row(
                day: hasDay ? key.day : nil, key.names, by, values(line, of: days, spend(days, names), brought: brought(days, names)))
        }
        let total = lines.reduce(into: Line()) { $0.add($1) }
        return RevenueResult(
            currency: currency.code, rows: found, totals: values(total, of: days.days, spend(days.days, request.names([], []))), unconverted: currency.unconverted)
    }

    /// The rows with the most installs; what is left is one row a day.
    private var capped: [Key: Line] {
        let all = rows.mapValues { lines[$0] }
        guard all.count > mostRows else { return all }
        let ranked = all.sorted { $0.value.installs != $1.value.installs ? $0.value.installs > $1.value.installs : $0.key < $1.key }
        let kept = max(0, mostRows - Set(rows.keys.map(\.day)).count)
        return ranked.dropFirst(kept).reduce(into: Dictionary(ranked.prefix(kept).map { ($0.key, $0.value) }) { first, _ in first }) { capped, row in
            capped[Key(day: row.key.day, names: other(of: row.key.names)), default: Line()].add(row.value)
        }
    }

    private func daysOfRow(_ key: Key) -> ClosedRange<Int64> {
        guard hasDay else { return days.days }
        let last = days.days.count > RevenueRequest.mostCohortDays ? key.day + 6 : key.day
        return max(key.day, days.days.lowerBound)...min(last, days.days.upperBound)
    }

    private func values(_ line: Line, of days: ClosedRange<Int64>, _ spent: Int64?, brought: Int64? = nil) -> RevenueValues {
        var values = RevenueValues(RevenueColumn.list(.cohorts), numbers: [.payers: line.payers])
        if knowsInstalls { values.numbers[.installs] = line.installs }
        let youngestMs = line.youngestMs == .min ? (days.upperBound + 1) * Retention.dayMs : line.youngestMs
        // Amounts of several currencies are no sum.
        let isSum = currency.code != nil
        // Somebody who is younger may still pay.
        for (age, net) in zip(Self.ages, line.nets) where youngestMs <= nowMs - age.days * Retention.dayMs {
            values.numbers[age.column] = isSum ? Int64(exactly: net) : 0
        }
        values.compare(isSum ? line.proceeds : nil, with: spent)
        if knowsInstalls, let brought, brought > 0 { values.ratios[.coverage] = Double(line.installs) / Double(brought) }
        return values
    }
}
