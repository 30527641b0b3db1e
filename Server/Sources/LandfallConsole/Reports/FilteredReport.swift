// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallServer
import LandfallWire

/// A report as an address of the console asks for it: its days, dimensions and filters.
struct FilteredReport: Sendable {
    let reports: Reports
    let snapshot: Snapshot
    let moment: Reports.Moment
    var query: ReportQuery
    /// Groups of few installs are shown only together.
    let isMerging: Bool

    /// The rows of an answer, and what is to be said about them.
    struct Rows {
        var sheet: ReportSheet
        var isMerged = false
        /// The filters ask for a group that is too small.
        var isHidden = false
        /// Filters whose value no row has.
        var unmatched: Set<String> = []
    }

    /// The days that the query asks for. A report of many of them has weeks, where days are its usual rows.
    mutating func days() throws(ReportError) -> ReportDays {
        let (first, end) = try ReportDays.read(from: query.from, to: query.to)
        let last = end ?? moment.today
        let days = try ReportDays(first ?? max(0, last - Int64(query.length) + 1), last, in: moment.zone)
        if query.report == .retention { query.usual = RetentionReport.usual(days).map(\.rawValue) }
        return days
    }

    /// As many days before them; nil before 1970.
    func before(_ days: ReportDays) -> ReportDays? {
        let first = days.days.lowerBound - Int64(days.days.count)
        return first < 0 ? nil : try? ReportDays(first, days.days.lowerBound - 1, in: days.zone)
    }

    /// The rows that have the filters.
    /// - Parameter most: so many of the first rows are asked for; nil for all.
    /// - Throws: ``ReportError``; the errors of the store.
    func rows(by fields: [String], _ days: ReportDays, most: Int? = nil) async throws -> Rows {
        try await rows(byEach: [fields], days, most: most)[0]
    }

    /// The same grouped in several ways. Days of campaigns are read once for all.
    func rows(byEach groupings: [[String]], _ days: ReportDays, most: Int? = nil) async throws -> [Rows] {
        let plans = try groupings.map { try plan(by: $0, days, most: most) }
        var sheets = try await reports.answers(plans.flatMap { $0.requests(withGroups: isMerging) }, snapshot, at: moment)
        // Readers of small groups need all groups only where nothing has the filters, to be told which of them has no rows.
        let groups = plans.filter { plan in plan.narrowest.flatMap { sheets[$0] }.map { !$0.has(query.filters) } ?? false }.compactMap(\.groups)
        sheets.merge(try await reports.answers(groups.filter { sheets[$0] == nil }, snapshot, at: moment)) { first, _ in first }
        return plans.compactMap { plan in rows(plan, sheets) }
    }

    /// What is asked for rows with filters.
    private struct Plan {
        let fields: [String]
        /// All values beside those of the filters say whether a group is there, and large enough.
        var groups: ReportRequest?
        /// The report with the filters alone. In the report of paywalls an install can be in several rows, and counts once in this one. In
        /// other reports the days with fewer dimensions leave less out.
        var narrowest: ReportRequest?
        let rows: ReportRequest

        /// The narrowest before the rows, so that newer facts do not look like a rest.
        func requests(withGroups isAsked: Bool) -> [ReportRequest] { [isAsked ? groups : nil, narrowest, rows].compactMap { $0 } }
    }

    private func plan(by fields: [String], _ days: ReportDays, most: Int?) throws(ReportError) -> Plan {
        let filtered = query.filters.map(\.field)
        guard !filtered.isEmpty else { return Plan(fields: fields, rows: try request(by: fields, days, limit: most)) }
        let times = query.report == .paywalls ? [] : fields.filter { ReportSheet.times.contains($0) }
        let groups = try request(by: filtered, days), isCounted = reports.isCounted(groups.report, at: moment)
        // In many days the groups are only few if days are no part of their key.
        let leavesOut = isCounted && [.campaigns, .links].contains(query.report)
        let only = leavesOut ? Dictionary(query.filters.map { ($0.field, Array($0.value.utf8)) }) { first, _ in first } : [:]
        var plan = Plan(fields: fields, rows: try request(by: fields + filtered.filter { !fields.contains($0) }, days, only: only))
        guard isCounted else { return plan }
        if leavesOut || times.isEmpty { plan.groups = groups }
        plan.narrowest = try request(by: times + filtered, days, only: only)
        return plan
    }

    /// - Parameter sheets: the answers to what the plan asks.
    private func rows(_ plan: Plan, _ sheets: [ReportRequest: ReportSheet]) -> Rows? {
        guard let found = sheets[plan.rows] else { return nil }
        var rows = Rows(sheet: found)
        if !query.filters.isEmpty {
            let fields = plan.fields, whole = plan.narrowest.flatMap { sheets[$0] } ?? found, groups = plan.groups.flatMap { sheets[$0] } ?? whole
            rows.unmatched = Set(query.filters.filter { !groups.has([$0]) }.map(\.field))
            rows.sheet = found.filtered(query.filters, by: fields)
            if query.report == .paywalls {
                rows.sheet.totals = whole.filtered(query.filters, by: []).totals
            } else {
                rows.sheet.complete(to: whole.filtered(query.filters, by: fields.filter { ReportSheet.times.contains($0) }))
            }
            if isMerging, groups.hides(query.filters) {
                rows.isHidden = true
                rows.sheet.rows = [:]
                rows.sheet.totals = rows.sheet.totals.map { _ in nil }
            }
        }
        if isMerging, let told = rows.sheet.forEverybody() {
            rows.sheet = told
            rows.isMerged = true
        }
        return rows
    }

    private func request(
        by names: [String], _ days: ReportDays, limit: Int? = nil, only: [String: [UInt8]] = [:]
    ) throws(ReportError) -> ReportRequest {
        try ReportRequest(query.report.kind, by: names, days, limit: limit, only: only)
    }
}

extension ReportSheet {
    func has(_ sort: ReportQuery.Sort) -> Bool { by.contains(sort.name) || columns.contains { $0.name == sort.name } }

    /// The rows with these values, grouped by the fields. The totals are theirs.
    func filtered(_ filters: [ReportQuery.Filter], by fields: [String]) -> ReportSheet {
        let kept = fields.compactMap { by.firstIndex(of: $0) }
        var rows: [Key: [Int64?]] = [:]
        for (key, counts) in self.rows where has(filters, key) {
            let short = kept.map { key[$0] }
            rows[short] = rows[short].map { Self.sum($0, counts) } ?? counts
        }
        let unknown = totals.indices.filter { index in
            totals[index] == nil || !rows.isEmpty && rows.values.allSatisfy { $0[index] == nil }
        }
        return ReportSheet(
            kind: kind, days: days, completeToMs: completeToMs, by: fields, columns: columns, layout: layout, rows: rows,
            totals: Self.sums(rows.values, count: totals.count, unknown: Set(unknown)))
    }

    /// Adds what the days have left out of these rows as a row of its own, for each day if rows have days. The totals are the sums.
    /// - Parameter whole: the same counts, grouped by times only.
    mutating func complete(to whole: ReportSheet) {
        let times = by.indices.filter { Self.times.contains(by[$0]) }
        if times.count == by.count { rows = whole.rows }
        let known = totals.indices.filter { totals[$0] != nil }
        var missing = whole.rows
        for (key, counts) in rows {
            let time = times.map { key[$0] }
            for index in known { if let sum = missing[time]?[index] { missing[time]?[index] = sum - (counts[index] ?? 0) } }
        }
        let rest = missing.filter { row in known.contains { row.value[$0] ?? 0 > 0 } }
        for (time, counts) in rest where times.count < by.count {
            let key = by.indices.map { index in times.firstIndex(of: index).map { time[$0] } ?? Array(DayCells.other.utf8) }
            let more = counts.indices.map { known.contains($0) ? counts[$0].map { max(0, $0) } : nil }
            rows[key] = rows[key].map { Self.sum($0, more) } ?? more
        }
        let sums = Self.sums(rows.values, count: totals.count)
        totals = totals.indices.map { index in
            whole.totals[index].map { totals[index] == nil || times.count == by.count ? $0 : sums[index] ?? $0 }
        }
    }

    /// Whether a row has all of them.
    fileprivate func has(_ filters: [ReportQuery.Filter]) -> Bool { rows.keys.contains { has(filters, $0) } }

    private func has(_ filters: [ReportQuery.Filter], _ key: Key) -> Bool {
        filters.allSatisfy { filter in
            by.firstIndex(of: filter.field).map { (key[$0] ?? []) == Array(filter.value.utf8) } ?? false
        }
    }

    /// Whether the filters ask for a group that is shown only together with others.
    fileprivate func hides(_ filters: [ReportQuery.Filter]) -> Bool {
        let installs = installs
        guard !installs.isEmpty else { return false }
        let indices = filters.compactMap { by.firstIndex(of: $0.field) }
        let groups = Dictionary(grouping: rows) { row in indices.map { row.key[$0] } }
            .mapValues { rows in installs.map { index in rows.reduce(0) { $0 + ($1.value[index] ?? 0) } } }
            .sorted { Self.precedes($0.key, $1.key) }
        let merged = SmallGroups.merged(
            groups.map { $0.value.reduce(0, +) }, smallest: groups.map { $0.value.filter { $0 > 0 }.min() ?? 0 })
        return groups.indices.contains { index in
            merged.contains(index)
                && zip(groups[index].key, filters).allSatisfy { ($0 ?? []) == Array($1.value.utf8) }
        }
    }
}

extension ReportDocument {
    /// The same rows in another order; values that are unknown are last. Rows with equal values keep their order.
    func sorted(by sort: ReportQuery.Sort) -> ReportDocument {
        let isField = by.contains(sort.name)
        func precedes(_ one: Row, _ other: Row) -> Bool? {
            isField
                ? sort.precedes((one.key[sort.name] ?? nil).map { Array($0.utf8) }, (other.key[sort.name] ?? nil).map { Array($0.utf8) }) { $0.lexicographicallyPrecedes($1) }
                : sort.precedes(one.values[sort.name] ?? nil, other.values[sort.name] ?? nil, <)
        }
        let order = rows.enumerated().sorted { precedes($0.element, $1.element) ?? ($0.offset < $1.offset) }
        return ReportDocument(
            report: report, from: from, to: to, timeZone: timeZone, completeToMilliseconds: completeToMilliseconds, by: by, columns: columns,
            rows: order.map(\.element), totals: totals, names: names)
    }
}
