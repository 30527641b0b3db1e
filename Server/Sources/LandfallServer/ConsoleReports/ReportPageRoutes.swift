// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallPages
import LandfallWire
import NIOCore

/// `/console/reports/{name}`: a report as a page, and with `.csv` or `.json` the same rows as a file.
struct ReportPageRoutes: Sendable {
    let reports: ReportRoutes

    /// `GET ?from=&to=&days=&by=&sort=&compare=&page=`, and filters by field.
    @Sendable func report(_ call: ConsoleCall) async throws -> Response {
        let parts = (call.context.parameters.get("name") ?? "").split(separator: ".", omittingEmptySubsequences: false)
        guard let report = parts.first.flatMap({ ReportName(rawValue: String($0)) }), parts.count <= 2 else { throw RequestError.notFound }
        let values = FormText.fields(call.request.uri.query ?? "", most: ConsoleCall.mostFields) ?? [:]
        let query = ReportQuery(report, values), snapshot = call.context.snapshot
        let counted = try await reports.counted(snapshot)
        func asking(isMerging: Bool) -> ReportAsking {
            ReportAsking(reports: reports, snapshot: snapshot, counted: counted, query: query, isMerging: isMerging)
        }
        switch parts.dropFirst().first {
        case nil:
            let seesPeople = try call.member.member.role.rights.contains(.people)
            let page = try await asking(isMerging: !seesPeople).page(try call.frame)
            return ConsoleAnswer.page(page.html, page.problems.isEmpty && page.refusal == nil ? .ok : .unprocessableContent)
        case "csv": return try await file(asking(isMerging: true), call, "text/csv; charset=utf-8") { Array((ReportCSV($0).text + "\n").utf8) }
        case "json": return try await file(asking(isMerging: true), call, "application/json") { Array(try WireCoding.encode($0)) }
        default: throw RequestError.notFound
        }
    }

    /// - Parameter bytes: of the file.
    private func file(
        _ asking: ReportAsking, _ call: ConsoleCall, _ type: String, _ bytes: (ReportDocument) throws -> [UInt8]
    ) async throws -> Response {
        var headers = ConsoleAnswer.fields
        do {
            let days = try ReportAsking.days(asking.query, asking.counted)
            let rows = try await asking.rows(by: asking.query.fields, days)
            var document = rows.sheet.document(nowMs: rows.completeToMs)
            if let sort = asking.query.sort, document.has(sort) { document = document.sorted(by: sort) }
            headers[.contentType] = type
            let name = "\(document.report)-\(document.from)-\(document.to)." + (type.hasPrefix("text/csv") ? "csv" : "json")
            headers[.contentDisposition] = "attachment; filename=\"\(name)\""
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: try bytes(document))))
        } catch {
            let sentences: [String]
            if let problem = error as? ReportAsking.DayProblem {
                sentences = problem.fields(call.words).map(\.sentence)
            } else if let refusal = (error as? RequestError).flatMap({ ReportAsking.refusal($0) }) {
                sentences = [call.words.sentence(refusal)]
            } else {
                throw error
            }
            headers[.contentType] = "text/plain; charset=utf-8"
            let text = Set(sentences).sorted().joined(separator: "\n") + "\n"
            return Response(status: .unprocessableContent, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
        }
    }
}

extension ReportAsking {
    func page(_ frame: Frame) async throws -> ReportPage {
        let today = ReportDays.text(counted.zone.day(ofMs: counted.nowMs))
        do {
            return try await page(frame, try Self.days(query, counted), today)
        } catch {
            var page = ReportPage(
                frame: frame, query: query, from: query.from ?? today, to: query.to ?? today, today: today,
                timeZone: counted.zone.name, completeToLocalMilliseconds: nil)
            if let problem = error as? DayProblem {
                page.problems = problem.fields(frame.words)
            } else if let refusal = (error as? RequestError).flatMap({ Self.refusal($0) }) {
                page.refusal = refusal
            } else {
                throw error
            }
            return page
        }
    }

    private func page(_ frame: Frame, _ days: ReportDays, _ today: String) async throws -> ReportPage {
        let rows = try await rows(by: query.fields, days)
        var document = rows.sheet.document(nowMs: rows.completeToMs), query = query
        if let sort = query.sort {
            if document.has(sort) { document = document.sorted(by: sort) } else { query.forgetSort() }
        }
        let completeToMs = document.completeToMilliseconds
        var page = ReportPage(
            frame: frame, query: query, from: days.from, to: days.to, today: today, timeZone: days.zone.name,
            completeToLocalMilliseconds: completeToMs + days.zone.offsetMs(completeToMs))
        let daysBefore = query.compares ? before(days) : nil
        let before = try await daysBefore.asyncMap { try await self.rows(by: query.fields, $0) }
        page.table = ReportTable(document, query, before: before.map { $0.sheet.document(nowMs: $0.completeToMs) }, isMerged: rows.isMerged)
        (page.unmatched, page.isHidden) = (rows.unmatched, rows.isHidden)
        if !rows.isHidden { page.days = try await chart(days, daysBefore, today) }
        return page
    }

    /// - Returns: nothing where the days are too many to be drawn.
    private func chart(_ days: ReportDays, _ before: ReportDays?, _ today: String) async throws -> [DayChart.Day] {
        guard days.days.count <= DayChart.most else { return [] }
        let now = try await values(days), earlier = try await before.asyncMap { try await values($0) }
        let drawn = days.days.map { day in
            let text = ReportDays.text(day), dayBefore = ReportDays.text(day - Int64(days.days.count))
            return DayChart.Day(
                date: text, value: now[text] ?? 0, before: earlier.map { $0[dayBefore] ?? 0 }, isWhole: text < today)
        }
        return drawn.contains { $0.value > 0 || $0.before ?? 0 > 0 } ? drawn : []
    }

    private func values(_ days: ReportDays) async throws -> [String: Int64] {
        let rows = try await rows(by: ["day"], days)
        return rows.sheet.document(nowMs: rows.completeToMs).rows.reduce(into: [:]) { values, row in
            if let day = row.key["day"] ?? nil, let value = row.values[query.report.main] ?? nil { values[day] = Int64(value) }
        }
    }
}

extension ReportAsking.DayProblem {
    func fields(_ words: Words) -> [FieldProblem] {
        switch self {
        case .unreadable(let fields): fields.map { FieldProblem($0, words.wrongDay) }
        case .inReverse: [FieldProblem("from", words.daysInReverse)]
        case .tooMany: [FieldProblem("from", words.tooManyDays)]
        }
    }
}

extension ReportTable {
    /// - Parameter before: the same report of the time before.
    init(_ document: ReportDocument, _ query: ReportQuery, before: ReportDocument?, isMerged: Bool) {
        func values(_ values: [String: Double?]) -> [Double?] { document.columns.map { values[$0.name] ?? nil } }
        func key(_ row: ReportDocument.Row) -> [String?] { document.by.map { row.key[$0] ?? nil } }
        let earlier = Dictionary(before?.rows.map { (key($0), values($0.values)) } ?? []) { first, _ in first }
        let groups = document.by.indices.filter { !ReportSheet.times.contains(document.by[$0]) }
        let last = max(1, (document.rows.count + ReportQuery.pageLength - 1) / ReportQuery.pageLength)
        let first = (min(query.page, last) - 1) * ReportQuery.pageLength
        self.init(
            columns: document.columns.map { .init(name: $0.name, definition: $0.definition, unit: Unit(rawValue: $0.unit) ?? .count) },
            rows: document.rows.dropFirst(first).prefix(ReportQuery.pageLength).map { row in
                let key = key(row)
                let isRest = !groups.isEmpty && groups.allSatisfy { key[$0] == RollupCells.other }
                return Row(key: key, values: values(row.values), before: isRest ? [] : earlier[key] ?? [], isRest: isRest)
            },
            count: document.rows.count,
            totals: Row(key: [], values: values(document.totals), before: before.map { values($0.totals) } ?? []), hasMergedGroups: isMerged)
    }
}

extension Optional {
    fileprivate func asyncMap<Result>(_ transform: (Wrapped) async throws -> Result) async rethrows -> Result? {
        if let self { try await transform(self) } else { nil }
    }
}

extension ConsoleRoute {
    static func reports(_ services: Services) -> [ConsoleRoute] {
        let reports = ReportRoutes(database: services.database, time: services.time, rollups: services.rollups)
        return [get("/console/reports/{name}", .member(.reports), ReportPageRoutes(reports: reports).report)]
    }
}
