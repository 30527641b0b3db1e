// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallReports
import LandfallRules

/// What the command line asks to export.
struct ExportOrder: Sendable {
    static let onlyLocal =
        "A server key does not permit a copy of all rows. Run the command on the machine of the store, with --data DIR, or with --database URL."
    /// Of one run.
    static let mostDays: Int64 = 400

    let format: ExportFormat
    /// A folder has its whole path.
    let place: ExportPlace
    /// Empty: all of them.
    private let tables: [ExportTable]
    private let from: Int64?
    private let until: Int64?

    /// - Throws: a sentence for the operator.
    init(tables: [String], from: String?, until: String?, format: String, to: String) throws {
        self.tables = try tables.map { name in
            guard let table = ExportTable(rawValue: name) else { throw ValidationError("\(ExportRefusal.unknownTable(name))") }
            return table
        }
        guard let format = ExportFormat(rawValue: format) else { throw ValidationError("\(ExportRefusal.unknownFormat(format))") }
        self.format = format
        self.from = try Self.day(from, of: "from")
        self.until = try Self.day(until, of: "until")
        if let first = self.from, let last = self.until { try Self.check(first, last) }
        place = try Self.place(to)
    }

    private static func place(_ text: String) throws -> ExportPlace {
        switch ExportPlace(text) {
        case .bucket(let place)?: return .bucket(place)
        case .folder(let path)?:
            return .folder(BackupPlace.path(path))
        case nil: throw ValidationError("--to is '\(text.shortened)'; it has to be a folder, or s3://BUCKET/PREFIX.")
        }
    }

    private static func day(_ text: String?, of option: String) throws -> Int64? {
        guard let text else { return nil }
        guard let day = ReportDays.day(text) else {
            throw ValidationError("--\(option) is '\(text.shortened)'; it has to be a day, such as 2026-11-01.")
        }
        return day
    }

    private static func check(_ first: Int64, _ last: Int64) throws {
        guard first <= last else { throw ValidationError("--from is a day after --until. Exchange them.") }
        guard last - first < mostDays else { throw ValidationError("One run exports at most \(mostDays) days. Export the others with another run.") }
    }

    /// The files, day by day.
    /// - Returns: `left` has a sentence for each table that nobody named, and that lacks some of the days.
    /// - Throws: a sentence for a day that cannot be exported.
    func files(of offer: ExportOffer) throws -> (parts: [ExportRun.Part], days: ClosedRange<Int64>, left: [String]) {
        guard let over = ReportDays.day(offer.lastDay) else { throw ExportRefusal.unreadablePage }
        let last = until ?? max(over, from ?? over), first = from ?? min(over, last)
        try Self.check(first, last)
        guard last <= over else { throw ExportRefusal.notOver(day: ReportDays.text(last), last: offer.lastDay) }
        var parts: [ExportRun.Part] = [], left: [String] = []
        let firstDays = Dictionary(offer.tables.map { ($0.table, $0.firstDay.flatMap(ReportDays.day)) }) { first, _ in first }
        let asked = ExportTable.allCases.filter { tables.isEmpty || tables.contains($0) }
        for table in asked {
            guard let known = firstDays[table] ?? nil, first < known else { continue }
            let refusal = ExportRefusal.deleted(table, day: ReportDays.text(first), first: ReportDays.text(known))
            guard tables.isEmpty else { throw refusal }
            left.append("\(refusal)")
        }
        for day in first...last {
            for table in asked where day >= (firstDays[table] ?? nil) ?? .min { parts.append(ExportRun.Part(table, day)) }
        }
        return (parts, first...last, left)
    }
}
