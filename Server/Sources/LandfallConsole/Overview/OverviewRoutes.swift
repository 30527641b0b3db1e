// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallReports
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// The first page. Its numbers are those of the reports; nothing is counted here.
struct OverviewRoutes: Sendable {
    static let usual = 28
    static let mostLines = 5
    /// Some of the largest groups may have no line.
    private static let mostGroups = 20

    let reports: Reports
    let database: any Database
    let health: HealthReader

    /// `GET /console?days=&who=`
    @Sendable func page(_ call: ConsoleCall) async throws -> Response {
        let frame = try call.frame
        guard frame.role.rights.contains(.reports) else { return ConsoleAnswer.see(Place("/console/live")) }
        let length = call.query("days").flatMap { Int($0) }.flatMap { OverviewPage.lengths.contains($0) ? $0 : nil } ?? Self.usual
        let snapshot = call.context.snapshot
        let checklist = try await Setup(database: database, app: snapshot.app.id)
            .checklist(isKeyUsed: !snapshot.keyMarks.lastUses.isEmpty)
        let isEverybody = call.query("who") == "everybody"
        let numbers = try await numbers(length, isEverybody, call, isMerging: try !call.seesPeople)
        var page = OverviewPage(
            frame: frame, from: numbers.now.from, to: numbers.now.to, length: length,
            completeToMilliseconds: numbers.now.completeToMilliseconds + numbers.zone.offsetMs(numbers.now.completeToMilliseconds),
            checklist: checklist.isComplete ? nil : checklist, figures: numbers.figures, days: numbers.days,
            origins: numbers.origins, campaigns: numbers.campaigns, links: numbers.links)
        page.alerts = try await AlertStore(database, app: snapshot.app.id).firing()
        (page.timeZone, page.isEverybody, page.warnings) = (numbers.zone.name, isEverybody, numbers.warnings)
        if frame.can(.operating) {
            let wrong = try await health.facts().checks.filter { !$0.isOK }.map(\.finding)
            if !wrong.isEmpty { page.warnings.append(.unhealthy(wrong)) }
        }
        return ConsoleAnswer.page(page.html)
    }

    /// Counting takes seconds: so late, it is stuck, or has much to do.
    private static let behindMs: Int64 = 10 * 60_000

    private struct Numbers {
        let now: ReportDocument
        let figures: [OverviewPage.Figure]
        let days: [DayChart.Day]
        let origins: [OverviewPage.Line]
        let campaigns: [OverviewPage.Line]
        let links: [OverviewPage.Line]
        let warnings: [OverviewPage.Warning]
        let zone: ReportZone
    }

    /// - Parameters:
    ///   - isEverybody: paywalls are counted for everybody who saw one on these days, also with an older install.
    ///   - isMerging: what fewer than ten installs did is not told.
    private func numbers(_ length: Int, _ isEverybody: Bool, _ call: ConsoleCall, isMerging: Bool) async throws -> Numbers {
        let snapshot = call.context.snapshot, moment = try await reports.moment(snapshot)
        let now = try moment.days(length, endingOn: moment.today), before = try moment.days(length, endingOn: moment.today - Int64(length))
        func document(_ report: ReportRequest.Report, _ days: ReportDays, most: Int? = nil) async throws -> ReportDocument {
            let sheet = try await reports.answer(ReportRequest(report, days), snapshot, at: moment)
            return (isMerging ? sheet.forEverybody() ?? sheet : sheet).document(most: most)
        }
        let daily = try await document(.campaigns(by: [.day]), now)
        let dailyBefore = try await document(.campaigns(by: [.day]), before)
        let links = ReportRequest(.links(by: [.host, .path]), now, limit: Self.mostLines)
        let clicks = try await reports.answer(links, snapshot, at: moment).document(most: Self.mostLines)
        let clicksBefore = try await document(.links(by: []), before)
        let campaigns = try await document(.campaigns(by: [.source, .campaign]), now, most: Self.mostGroups)
        let origins = try await document(.paywalls(by: [.origin]), now, most: Self.mostGroups)
        let paywalls = try await document(.paywalls(by: []), now)
        let paywallsBefore = try await document(.paywalls(by: []), before)
        var time = paywalls.figure(.timeToPaywall, "elapsed.p50", before: paywallsBefore)
        time.further = paywalls.total("elapsed.p95")
        // A metric may count exposures too.
        let metric = snapshot.metrics.first { $0.event.map { !Event.Kind.reserved.contains($0) } ?? false }?.name

        let figures: [OverviewPage.Figure] = [
            daily.figure(.firstOpens, "firstOpens", before: dailyBefore),
            daily.figure(.attributed, "attributed", before: dailyBefore, of: "firstOpens"),
            isEverybody
                ? paywalls.figure(.shown, "shown", before: paywallsBefore)
                : daily.figure(.shown, "shown", before: dailyBefore, of: "firstOpens"),
            metric.map { daily.figure(.converted($0), "converted." + $0, before: dailyBefore, of: "firstOpens") },
            paywalls.total("elapsed.p50") == nil ? nil : time,
            clicks.figure(.clicks, "clicks", before: clicksBefore),
            try await net(length, snapshot, moment, isMerging: isMerging),
        ].compactMap { $0 }
        let days = [DayChart.Day]("firstOpens", now, now: daily, before: dailyBefore, today: moment.today)
        func isRest(_ key: [String: String?]) -> Bool { key.values.allSatisfy { $0 == DayCells.other } }
        /// The report of a line: its key is what it is filtered by.
        func query(_ name: ReportName, by field: String) -> ([String: String?]) -> ReportQuery? {
            { key in
                isRest(key) ? nil : ReportQuery(name, key.mapValues { $0 ?? "" }.merging(["days": "\(length)", "by": field]) { $1 })
            }
        }
        return Numbers(
            now: daily, figures: figures, days: days,
            origins: origins.lines(["exposures"], most: 8) { $0["origin"] ?? nil },
            campaigns: campaigns.lines(["firstOpens", "shown"], most: Self.mostLines, report: query(.campaigns, by: "adGroup")) { key in
                if isRest(key) { return call.words.restOfRows }
                let parts = [key["source"] ?? nil, key["campaign"] ?? nil].compactMap { $0 }
                return parts.isEmpty ? nil : parts.joined(separator: " › ")
            },
            links: clicks.lines(["clicks", "uniqueClicks"], most: Self.mostLines, report: query(.links, by: "day")) { key in
                isRest(key) ? call.words.restOfRows : ((key["host"] ?? nil) ?? "") + ((key["path"] ?? nil) ?? "")
            },
            warnings: warnings(daily, clicks, moment), zone: moment.zone)
    }

    /// The days are those of UTC. Nil where nobody has paid yet.
    private func net(
        _ length: Int, _ snapshot: Snapshot, _ moment: Reports.Moment, isMerging: Bool
    ) async throws -> OverviewPage.Figure? {
        let last = ReportZone.utc.day(ofMs: moment.nowMs)
        func document(endingOn last: Int64) async throws -> RevenueDocument? {
            let days = try ReportDays(last - Int64(length) + 1, last, in: .utc)
            return try await reports.revenueBeside(RevenueRequest(.purchase, by: [], days), snapshot, at: moment, isMerging: isMerging)
        }
        guard let now = try await document(endingOn: last), let currency = now.currency,
            let before = try await document(endingOn: last - Int64(length))
        else { return nil }
        guard [now, before].contains(where: { $0.totals.numbers[.purchases] ?? 0 > 0 }) else { return nil }
        // Without a configured currency, both are in the one that was paid in.
        return OverviewPage.Figure(
            .net(currency: currency), now.totals.numbers[.netMilliunits],
            before: before.currency == currency ? before.totals.numbers[.netMilliunits] : nil, definition: "")
    }

    private func warnings(_ daily: ReportDocument, _ clicks: ReportDocument, _ moment: Reports.Moment) -> [OverviewPage.Warning] {
        let behindMs = moment.nowMs - daily.completeToMilliseconds
        return [
            daily.total("late").flatMap { $0 > 0 ? .late($0) : nil },
            clicks.total("expiredClicks").flatMap { $0 > 0 ? .expiredClicks($0) : nil },
            behindMs >= Self.behindMs ? .behind(behindMs / 60_000) : nil,
        ].compactMap { $0 }
    }
}

extension ReportDocument {
    fileprivate func figure(
        _ name: OverviewPage.Figure.Name, _ column: String, before: ReportDocument, of whole: String? = nil
    ) -> OverviewPage.Figure {
        OverviewPage.Figure(
            name, total(column), before: before.total(column), of: whole.flatMap { total($0) },
            definition: columns.first { $0.name == column }?.definition ?? "")
    }

    fileprivate func total(_ column: String) -> Int64? { (totals[column] ?? nil).map { Int64($0) } }

    /// The rows with the highest values of the first column; rows without one are left out.
    fileprivate func lines(
        _ columns: [String], most: Int, report: ([String: String?]) -> ReportQuery? = { _ in nil }, name: ([String: String?]) -> String?
    ) -> [OverviewPage.Line] {
        var found: [(value: Int64, line: OverviewPage.Line)] = []
        for row in rows {
            let values: [Int64?] = columns.map { column in
                guard let value = row.values[column] ?? nil else { return nil }
                return Int64(value)
            }
            guard let first = values.first ?? nil, first > 0 else { continue }
            found.append((first, OverviewPage.Line(name(row.key), values, report: report(row.key))))
        }
        found.sort { one, other in
            one.value == other.value ? (one.line.name ?? "") < (other.line.name ?? "") : one.value > other.value
        }
        return found.prefix(most).map(\.line)
    }
}
