// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallRules
import LandfallServer
import LandfallWire

extension FilteredReport {
    func page(_ frame: Frame) async throws -> ReportPage {
        let today = ReportDays.text(moment.today)
        do {
            var report = self
            let days = try report.days()
            return try await report.page(frame, days, today)
        } catch let error as ReportError {
            var page = ReportPage(
                frame: frame, query: query, from: query.from ?? today, to: query.to ?? today, today: today,
                timeZone: moment.zone.name, completeToLocalMilliseconds: nil)
            page.problems = error.problems(frame.words)
            page.refusal = error.refusal
            return page
        }
    }

    private func page(_ frame: Frame, _ days: ReportDays, _ today: String) async throws -> ReportPage {
        var query = query
        let length = query.page.multipliedReportingOverflow(by: ReportQuery.pageLength)
        // Only another order needs every row. Retention says of each row how old it is.
        let most = query.sort != nil || query.report == .retention || length.overflow ? nil : length.partialValue
        var rows = try await rows(by: query.fields, days, most: most)
        rows.sheet.rows = ReportSheet.capped(rows.sheet.rows, by: rows.sheet.by)
        let isSorted = query.sort.map { rows.sheet.has($0) } ?? false
        if !isSorted { query.forgetSort() }
        var document = rows.sheet.document(most: most)
        if let sort = query.sort { document = document.sorted(by: sort) }
        let shown = RowPages(rows.sheet.count, page: query.page).shown(of: document.rows)
        document = try await document.named(by: reports.names(snapshot, at: moment), of: shown)
        let completeToMs = document.completeToMilliseconds
        var page = ReportPage(
            frame: frame, query: query, from: days.from, to: days.to, today: today, timeZone: days.zone.name,
            completeToLocalMilliseconds: completeToMs + days.zone.offsetMs(completeToMs))
        let daysBefore = query.compares && query.report != .retention ? before(days) : nil
        let before = try await daysBefore.asyncMap { try await self.rows(by: query.fields, $0) }
        var table = ReportTable(
            document, rows: shown, count: rows.sheet.count, before: before.map { $0.sheet.document() }, hasMergedGroups: rows.isMerged)
        (page.unmatched, page.isHidden) = (rows.unmatched, rows.isHidden)
        if !rows.isHidden, !document.rows.isEmpty { table.nets = try await nets(days) }
        page.table = table
        guard !rows.isHidden else { return page }
        page.times = rows.sheet.elapsedTimes
        switch query.report {
        case .campaigns, .links, .paywalls: (page.days, page.isByWeek) = (try await chart(days, daysBefore), Self.isByWeek(days))
        case .funnel: page.steps = try await steps(document, days)
        case .retention: page.ages = ages(table, days, completeToMs: rows.sheet.completeToMs)
        }
        return page
    }

    /// The steps of the funnel, and what installs did then: the report of campaigns counts that, with the same filters. Purchases are the
    /// last one, if the app sells.
    private func steps(_ document: ReportDocument, _ days: ReportDays) async throws -> [FunnelSteps.Step] {
        func step(_ name: String, _ side: FunnelSteps.Step.Side, _ document: ReportDocument) -> FunnelSteps.Step {
            FunnelSteps.Step(name, side, (document.totals[name] ?? nil).map { Int64($0) })
        }
        let steps = [
            step("clicks", .taps, document), step("sentToStore", .taps, document), step("firstOpens", .installs, document),
            step("shown", .installs, document),
        ]
        let purchased = step("purchased", .installs, document)
        let sold = purchased.value ?? 0 > 0 || !snapshot.configuration.purchases.products.isEmpty ? [purchased] : []
        guard snapshot.metrics.contains(where: { $0.event != nil }) else { return steps + sold }
        var report = self
        report.query = query.asked(of: .campaigns)
        let rows = try await report.rows(by: [], days)
        let campaigns = rows.sheet.document()
        let metrics = campaigns.columns.filter { $0.unit == .count && $0.name.hasPrefix("converted.") }.map { step($0.name, .installs, campaigns) }
        return steps + metrics.filter { $0.value != nil }.prefix(10) + sold
    }

    /// For how many days after the first one the cohort of each row is complete, and last the oldest cohort of all.
    private func ages(_ table: ReportTable, _ days: ReportDays, completeToMs: Int64) -> [Int] {
        let completeDay = days.zone.day(ofMs: completeToMs)
        func age(_ first: Int64) -> Int {
            guard query.fields.contains("week") else { return Int(completeDay - first - 2) }
            // The first day of 1970 was a Thursday.
            return Int(completeDay - min(first - (first + 3) % 7 + 6, days.days.upperBound) - 2)
        }
        let time = query.fields.first { ReportSheet.times.contains($0) }
        let ages = table.rows.map { row in
            age(time.flatMap { row.key[$0] ?? nil }.flatMap(ReportDays.day) ?? days.days.lowerBound)
        }
        return ages + [ages.max() ?? 0]
    }

    /// - Returns: days, or weeks if the days are too many to be drawn; nothing without anything to draw.
    private func chart(_ days: ReportDays, _ before: ReportDays?) async throws -> [DayChart.Day] {
        let now = try await byDay(days), earlier = try await before.asyncMap { try await byDay($0) }
        let drawn = [DayChart.Day](
            query.report.main ?? "", days, now: now, before: earlier, today: moment.today, length: Self.isByWeek(days) ? 7 : 1)
        return drawn.contains { $0.value ?? 0 > 0 || $0.before ?? 0 > 0 } ? drawn : []
    }

    private static func isByWeek(_ days: ReportDays) -> Bool { days.days.count > DayChart.most }

    private func byDay(_ days: ReportDays) async throws -> ReportDocument {
        let rows = try await rows(by: ["day"], days)
        return rows.sheet.document()
    }
}

extension ReportError {
    /// What is wrong with the fields of the page; empty for an error that is not about days.
    func problems(_ words: Words) -> [FieldProblem] {
        switch self {
        case .unreadable(let days): days.map { FieldProblem($0.rawValue, words.wrongDay) }
        case .reversed: [FieldProblem("from", words.daysInReverse)]
        case .tooManyDays: [FieldProblem("from", words.tooManyDays)]
        case .unknownReport, .dimensions, .campaignsAndCountries, .daysAndWeeks, .tooManyInstalls: []
        }
    }

    /// Why there is no table; nil for an error about days.
    var refusal: ReportPage.Refusal? {
        switch self {
        case .tooManyInstalls: .tooManyInstalls
        case .unknownReport, .dimensions, .campaignsAndCountries, .daysAndWeeks: .countedApart
        case .unreadable, .reversed, .tooManyDays: nil
        }
    }
}

extension Optional {
    fileprivate func asyncMap<Result>(_ transform: (Wrapped) async throws -> Result) async rethrows -> Result? {
        if let self { try await transform(self) } else { nil }
    }
}
