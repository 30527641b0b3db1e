// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallReports
import LandfallRules
import LandfallServer
import LandfallWire
import NIOCore

/// `/console/reports/revenue`: revenue as a page, and with `.csv` or `.json` the same rows as a file.
struct RevenuePageRoutes: Sendable {
    let reports: Reports
    let versions: ChartVersions

    /// `GET ?view=&from=&to=&days=&by=&sort=&page=`
    @Sendable func page(_ call: ConsoleCall) async throws -> Response {
        var query = Self.query(call)
        let frame = try call.frame, moment = try await reports.moment(call.context.snapshot)
        let today = Self.today(moment)
        do {
            let days = try query.days(today: today), isMerging = try !call.seesPeople
            func request(by fields: [RevenueDimension]) -> RevenueRequest { Self.request(query, by: fields, days, isMerging: isMerging) }
            if isMerging, try await hides(query, days, call, moment) {
                var page = RevenuePage(frame: frame, query: query, from: days.from, to: days.to)
                page.isHidden = true
                return ConsoleAnswer.page(page.html)
            }
            let (found, foundByDay) = try await reports.answerWithDays(request(by: query.fields), call.context.snapshot, at: moment)
            let answer = Answer(found, isMerging: isMerging)
            if let sort = query.sort, !answer.document.has(sort) { query.forgetSort() }
            var page = RevenuePage(frame: frame, query: query, from: days.from, to: days.to)
            page.document = query.sort.map { answer.document.sorted(by: $0) } ?? answer.document
            (page.isEmpty, page.isMerged) = (answer.isEmpty, answer.isMerged)
            page.hasWeeks = days.days.count > RevenueRequest.mostCohortDays
            page.isByWeek = days.days.count > DayChart.most
            if !answer.isEmpty, let column = query.view.main(answer.document.currency) {
                let daily: RevenueDocument
                if query.fields == [.day] { daily = answer.document } else {
                    let byDay = if let foundByDay { foundByDay } else {
                        try await reports.answer(request(by: [.day]), call.context.snapshot, at: moment)
                    }
                    daily = Answer(byDay, isMerging: isMerging).document
                }
                let drawn = [DayChart.Day](
                    column, daily, days, today: today, length: page.isByWeek ? 7 : 1, isState: query.view == .subscriptions)
                page.days = drawn.contains { $0.value ?? 0 != 0 } ? drawn : []
                if !page.days.isEmpty { page.versions = try await versions.published(on: days, for: frame) }
            }
            return ConsoleAnswer.page(page.html)
        } catch {
            guard let refusal = Refusal(error, frame.words) else { throw error }
            let now = ReportDays.text(today)
            var page = RevenuePage(frame: frame, query: query, from: query.from ?? now, to: query.to ?? now)
            (page.problems, page.refusal) = (refusal.problems, refusal.sentence)
            return ConsoleAnswer.page(page.html, .unprocessableContent)
        }
    }

    @Sendable func csv(_ call: ConsoleCall) async throws -> Response {
        try await file(call, "csv", "text/csv; charset=utf-8") { Array((RevenueCSV($0).text + "\n").utf8) }
    }

    @Sendable func json(_ call: ConsoleCall) async throws -> Response {
        try await file(call, "json", "application/json") { Array(try WireCoding.encode($0)) }
    }

    /// Files leave the server, so they have no money of few payers for any member.
    private func file(
        _ call: ConsoleCall, _ ending: String, _ type: String, _ bytes: (RevenueDocument) throws -> [UInt8]
    ) async throws -> Response {
        do {
            let query = Self.query(call), moment = try await reports.moment(call.context.snapshot)
            let days = try query.days(today: Self.today(moment))
            let found = try await reports.answer(
                Self.request(query, by: query.fields, days, isMerging: true), call.context.snapshot, at: moment)
            let isHidden = try await hides(query, days, call, moment)
            var document = isHidden ? found.withoutNumbers : Answer(found, isMerging: true).document
            if let sort = query.sort, document.has(sort) { document = document.sorted(by: sort) }
            return ConsoleAnswer.file(try bytes(document), type: type, name: "revenue-\(document.from)-\(document.to).\(ending)")
        } catch {
            guard let refusal = Refusal(error, call.words) else { throw error }
            let sentences = refusal.problems.map(\.sentence) + (refusal.sentence.map { [$0] } ?? [])
            var answer = ConsoleAnswer.file((Set(sentences).sorted().joined(separator: "\n") + "\n").utf8, type: "text/plain; charset=utf-8")
            answer.status = .unprocessableContent
            return answer
        }
    }

    /// What is wrong with the request, in words.
    private struct Refusal {
        let problems: [FieldProblem]
        let sentence: String?

        /// Nil for an error that is not about the request.
        init?(_ error: any Error, _ words: Words) {
            switch error {
            case let error as ReportError: (problems, sentence) = (error.problems(words), error.refusal.map { words.sentence($0) })
            case is RevenueError: (problems, sentence) = ([], words.tooManyRows)
            default: return nil
            }
        }
    }

    private struct Answer {
        let document: RevenueDocument
        let isEmpty: Bool
        let isMerged: Bool

        init(_ found: RevenueDocument, isMerging: Bool) {
            let told = isMerging ? found.forEverybody() : nil
            (document, isEmpty, isMerged) = (told ?? found, found.isEmpty, told != nil)
        }
    }

    private static func request(_ query: RevenueQuery, by fields: [RevenueDimension], _ days: ReportDays, isMerging: Bool) -> RevenueRequest {
        var request = RevenueRequest(query.view, by: fields, days)
        request.countsPayers = isMerging
        request.filters = query.keys
        return request
    }

    /// Whether readers who may not see single people would learn from the filters what the rows do not tell them.
    private func hides(_ query: RevenueQuery, _ days: ReportDays, _ call: ConsoleCall, _ moment: Reports.Moment) async throws -> Bool {
        let keys = query.keys
        guard !keys.isEmpty else { return false }
        var request = RevenueRequest(query.view, by: RevenueDimension.allCases.filter { keys[$0] != nil }, days)
        request.countsPayers = true
        let whole = try await reports.answer(request, call.context.snapshot, at: moment)
        return whole.hides(Dictionary(keys.map { ($0.key.rawValue, $0.value) }) { first, _ in first })
    }

    private static func query(_ call: ConsoleCall) -> RevenueQuery {
        RevenueQuery(FormText.fields(call.request.uri.query ?? "", most: ConsoleCall.mostFields) ?? [:])
    }

    /// Money has days of UTC, whatever the zone of other reports.
    private static func today(_ moment: Reports.Moment) -> Int64 { ReportZone.utc.day(ofMs: moment.nowMs) }
}

extension RevenueQuery {
    /// - Throws: a ``ReportError`` about days.
    func days(today: Int64) throws(ReportError) -> ReportDays {
        let (first, end) = try ReportDays.read(from: from, to: to)
        let last = end ?? today
        return try ReportDays(first ?? max(0, last - Int64(length) + 1), last, in: .utc)
    }
}

extension RevenueDocument {
    /// Nothing has happened on these days, in no currency.
    fileprivate var isEmpty: Bool {
        unconverted.isEmpty && totals.numbers.values.allSatisfy { $0 == 0 }
            && rows.allSatisfy { $0.values.numbers.values.allSatisfy { $0 == 0 } }
    }
}

extension [DayChart.Day] {
    /// Every day with a column's value, or every week from the first day on. A day without a row has nothing, if the sum is known.
    /// - Parameters:
    ///   - document: by day.
    ///   - today: is not over yet.
    ///   - length: the days of a bar.
    ///   - isState: a week has the value of its last day.
    init(_ column: RevenueColumn, _ document: RevenueDocument, _ days: ReportDays, today: Int64, length: Int, isState: Bool) {
        let found = Dictionary(document.rows.map { ($0.key["day"] ?? "", $0.values.numbers[column]) }) { first, _ in first }
        let none: Int64? = isState || document.totals.numbers[column] == nil ? nil : 0
        self = stride(from: days.days.lowerBound, through: days.days.upperBound, by: length).map { first in
            let bar = first...Swift.min(first + Int64(length) - 1, days.days.upperBound)
            let values = bar.map { day in found[ReportDays.text(day)] ?? none }
            return DayChart.Day(
                date: ReportDays.text(first), value: isState ? values.last { $0 != nil } ?? nil : DayChart.sum(values), before: nil,
                isWhole: bar.upperBound < today && bar.count == length)
        }
    }
}

extension ConsoleRoute {
    static func revenue(_ routes: RevenuePageRoutes) -> [ConsoleRoute] {
        [
            get("/console/reports/revenue", .member(.reports), routes.page),
            get("/console/reports/revenue.csv", .member(.reports), routes.csv),
            get("/console/reports/revenue.json", .member(.reports), routes.json),
        ]
    }
}
