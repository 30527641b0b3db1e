// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallRules
import LandfallServer
import LandfallWire

/// The numbers of the overview are those of the reports: nothing is counted here. With filters it has what days are counted by, and says
/// what it leaves out; no rows are read for them.
struct OverviewNumbers {
    static let mostLines = 5
    /// Some of the largest groups may have no line.
    private static let mostGroups = 20
    /// Counting takes seconds: so late, it is stuck, or has much to do.
    private static let behindMs: Int64 = 10 * 60_000

    let reports: Reports
    let snapshot: Snapshot
    let moment: Reports.Moment
    let query: OverviewQuery
    /// What fewer than ten installs did is not told.
    let isMerging: Bool

    private var isFiltered: Bool { !query.filters.isEmpty }

    /// - Throws: ``ReportError`` about the days; the errors of the store.
    func fill(_ page: inout OverviewPage) async throws {
        var installs = filtered(query.report)
        let days = try installs.days()
        (page.from, page.to, page.timeZone) = (days.from, days.to, days.zone.name)
        guard isCounted(query.report, by: ["day"], days) else {
            page.refusal = .countedApart
            return
        }
        page.choices = OverviewQuery.choices.filter { isCounted(query.report, by: $0, days) }
        // With filters that no day has beside the page's fields, by the first ones that it has.
        if !page.choices.contains(query.fields), let first = page.choices.first { page.query = query.with { $0.by = first } }
        let found = try await installs.rows(byEach: [["day"], page.query.fields], days), rows = found[0], daily = rows.sheet.document()
        (page.unmatched, page.isHidden) = (rows.unmatched, rows.isHidden)
        page.completeToMilliseconds = daily.completeToMilliseconds + days.zone.offsetMs(daily.completeToMilliseconds)
        guard !rows.isHidden else { return }
        let daysBefore = installs.before(days), dailyBefore: ReportDocument?
        if let daysBefore { dailyBefore = try await installs.rows(by: ["day"], daysBefore).sheet.document() } else { dailyBefore = nil }
        page.isByWeek = days.days.count > DayChart.most
        page.days = [DayChart.Day](
            "firstOpens", days, now: daily, before: dailyBefore, today: moment.today, length: page.isByWeek ? 7 : 1)

        let clicks = try await links(&page, days)
        page.campaigns = campaigns(found[1].sheet, by: page.query.fields)
        let metric = snapshot.metrics.first { $0.event.map { !Event.Kind.reserved.contains($0) } ?? false }?.name
        var figures: [OverviewPage.Figure?] = [
            daily.figure(.firstOpens, "firstOpens", before: dailyBefore),
            daily.figure(.attributed, "attributed", before: dailyBefore, of: "firstOpens"),
            daily.figure(.shown, "shown", before: dailyBefore, of: "firstOpens"),
            metric.map { daily.figure(.converted($0), "converted." + $0, before: dailyBefore, of: "firstOpens") },
            // In other rows than those of links nobody knows the clicks.
            isFiltered && daily.total("clicks") == nil ? nil : daily.figure(.clicks, "clicks", before: dailyBefore, as: clicks),
        ]
        if isFiltered {
            if query.isEverybody { figures[2] = nil }
            let uncounted: [OverviewPage.Uncounted?] = [
                query.isEverybody ? .figure(.shown) : nil, figures[4] == nil ? .figure(.clicks) : nil, .figure(.timeToPaywall),
                snapshot.configuration.purchases.products.isEmpty ? nil : .figure(.net(currency: "")), .origins,
            ]
            page.uncounted += uncounted.compactMap { $0 }
        } else {
            let (shown, time) = try await paywalls(&page, days, daysBefore)
            if query.isEverybody { figures[2] = shown }
            figures.insert(time, at: 4)
            figures.append(try await net(days))
        }
        page.figures = figures.compactMap { $0 }
        page.warnings = warnings(daily, clicks)
    }

    private func filtered(_ query: ReportQuery) -> FilteredReport {
        FilteredReport(reports: reports, snapshot: snapshot, moment: moment, query: query, isMerging: isMerging)
    }

    /// Whether days have these fields beside the filters. Before the first days are counted, every report is read from rows.
    private func isCounted(_ query: ReportQuery, by fields: [String], _ days: ReportDays) -> Bool {
        guard moment.hasCountedDays else { return true }
        let names = fields + query.filters.map(\.field).filter { !fields.contains($0) }
        return (try? ReportRequest(query.report.kind, by: names, days)).map { reports.isCounted($0.report, at: moment) } ?? false
    }

    private func campaigns(_ sheet: ReportSheet, by fields: [String]) -> [OverviewPage.Line] {
        sheet.document(most: Self.mostGroups).lines(["firstOpens", "shown"], most: Self.mostLines) { key in
            let values = fields.map { ReportQuery.Filter($0, (key[$0] ?? nil) ?? "") }
            // A source without campaigns stands for itself.
            return values.count > 1 && values.last?.value == "" ? Array(values.dropLast()) : values
        }
    }

    /// - Returns: the report of clicks; nil if it does not have all the filters.
    private func links(_ page: inout OverviewPage, _ days: ReportDays) async throws -> ReportDocument? {
        var asked = query.with { report in for filter in report.unknown { report.remove(filter) } }.report.asked(of: .links)
        // All clicks are those of links.
        asked.remove(.init("source", "link"))
        guard asked.unknown.isEmpty, isCounted(asked, by: ["host", "path"], days) else {
            page.uncounted.append(.links)
            return nil
        }
        let found = try await filtered(asked).rows(by: ["host", "path"], days, most: Self.mostLines).sheet.document(most: Self.mostLines)
        page.links = found.lines(["clicks", "uniqueClicks"], most: Self.mostLines) { key in
            [.init("link", ((key["host"] ?? nil) ?? "") + ((key["path"] ?? nil) ?? ""))]
        }
        return found
    }

    /// What is counted for everybody who saw a paywall on these days, also with an older install.
    private func paywalls(
        _ page: inout OverviewPage, _ days: ReportDays, _ before: ReportDays?
    ) async throws -> (shown: OverviewPage.Figure, time: OverviewPage.Figure?) {
        let report = filtered(ReportQuery(.paywalls))
        let origins = try await report.rows(by: ["origin"], days).sheet.document(most: Self.mostGroups)
        page.origins = origins.lines(["exposures"], most: 8) { key in [.init("origin", (key["origin"] ?? nil) ?? "")] }
        let now = try await report.rows(by: [], days).sheet.document(), earlier: ReportDocument?
        if let before { earlier = try await report.rows(by: [], before).sheet.document() } else { earlier = nil }
        var time = now.figure(.timeToPaywall, "elapsed.p50", before: earlier)
        time.further = now.total("elapsed.p95")
        return (now.figure(.shown, "shown", before: earlier), time.value == nil ? nil : time)
    }

    /// The days are those of UTC, up to today unless others were chosen. Nil where nobody has paid yet.
    private func net(_ days: ReportDays) async throws -> OverviewPage.Figure? {
        let last = query.report.to == nil ? ReportZone.utc.day(ofMs: moment.nowMs) : days.days.upperBound, count = Int64(days.days.count)
        func document(endingOn last: Int64) async throws -> RevenueDocument? {
            let days = try ReportDays(last - count + 1, last, in: .utc)
            return try await reports.revenueBeside(RevenueRequest(.purchase, by: [], days), snapshot, at: moment, isMerging: isMerging)
        }
        guard let now = try await document(endingOn: last), let currency = now.currency,
            let before = try await document(endingOn: last - count)
        else { return nil }
        guard [now, before].contains(where: { $0.totals.numbers[.purchases] ?? 0 > 0 }) else { return nil }
        // Without a configured currency, both are in the one that was paid in.
        return OverviewPage.Figure(
            .net(currency: currency), now.totals.numbers[.netMilliunits],
            before: before.currency == currency ? before.totals.numbers[.netMilliunits] : nil, definition: "")
    }

    private func warnings(_ daily: ReportDocument, _ clicks: ReportDocument?) -> [OverviewPage.Warning] {
        let behindMs = moment.nowMs - daily.completeToMilliseconds, endsToday = query.report.to == nil
        return [
            daily.total("late").flatMap { $0 > 0 ? .late($0) : nil },
            clicks?.total("expiredClicks").flatMap { $0 > 0 ? .expiredClicks($0) : nil },
            endsToday && behindMs >= Self.behindMs ? .behind(behindMs / 60_000) : nil,
        ].compactMap { $0 }
    }
}

extension ReportDocument {
    /// - Parameter other: a report that says what the number counts; nil: this one.
    fileprivate func figure(
        _ name: OverviewPage.Figure.Name, _ column: String, before: ReportDocument?, of whole: String? = nil, as other: ReportDocument? = nil
    ) -> OverviewPage.Figure {
        OverviewPage.Figure(
            name, total(column), before: before?.total(column), of: whole.flatMap { total($0) },
            definition: (other ?? self).columns.first { $0.name == column }?.definition ?? "")
    }

    fileprivate func total(_ column: String) -> Int64? { (totals[column] ?? nil).map { Int64($0) } }

    /// The rows with the highest values of the first column; rows without one are left out.
    /// - Parameter key: of a row that is not the smallest groups together.
    fileprivate func lines(
        _ columns: [String], most: Int, key: ([String: String?]) -> [ReportQuery.Filter]
    ) -> [OverviewPage.Line] {
        var found: [(value: Int64, line: OverviewPage.Line)] = []
        for row in rows {
            let values: [Int64?] = columns.map { column in
                guard let value = row.values[column] ?? nil else { return nil }
                return Int64(value)
            }
            guard let first = values.first ?? nil, first > 0 else { continue }
            let isRest = row.key.values.allSatisfy { $0 == DayCells.other }
            found.append((first, OverviewPage.Line(isRest ? [] : key(row.key), values)))
        }
        func name(_ line: OverviewPage.Line) -> String { line.key.map(\.value).joined(separator: " ") }
        found.sort { one, other in one.value == other.value ? name(one.line) < name(other.line) : one.value > other.value }
        return found.prefix(most).map(\.line)
    }
}
