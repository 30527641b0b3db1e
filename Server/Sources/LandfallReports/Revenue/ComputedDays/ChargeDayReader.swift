// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallServer
import LandfallStore

/// Reads the days of charges that are counted already, as far as nothing of them has changed since.
struct ChargeDayReader: Sendable {
    /// Days of one read.
    private static let part: Int64 = 31
    /// With more marks nothing is taken for counted: they are of days that one more would name.
    private static let mostMarks = 100_000

    let database: any StoreReading
    let app: AppID
    let view: RevenueView

    /// - Parameters:
    ///   - dimensions: of the origin of charges only these are read.
    ///   - body: is called for each counted day.
    /// - Returns: the days of which no count is right, as ranges that ascend.
    func forEach(
        _ days: ClosedRange<Int64>, by dimensions: [RevenueDimension], _ body: (ChargeDay) throws -> Void
    ) async throws -> [ClosedRange<Int64>] {
        var uncounted: [ClosedRange<Int64>] = []
        var parts = stride(from: days.lowerBound, through: days.upperBound, by: Int(Self.part)).map { begin in
            begin...min(begin + Self.part - 1, days.upperBound)
        }[...]
        try await withThrowingTaskGroup(of: (days: ClosedRange<Int64>, texts: [Int64: String]).self) { group in
            // One part is read while the one before is added up.
            func begin() {
                if let part = parts.popFirst() { group.addTask { (part, try await texts(part)) } }
            }
            begin()
            while let part = try await group.next() {
                begin()
                try Task.checkCancellation()
                for day in part.days {
                    if let text = part.texts[day], let counted = try ChargeDayText.day(day, text, by: dimensions) {
                        try body(counted)
                    } else if let last = uncounted.last, last.upperBound == day - 1 {
                        uncounted[uncounted.count - 1] = last.lowerBound...day
                    } else {
                        uncounted.append(day...day)
                    }
                }
            }
        }
        return uncounted
    }

    /// What the charges of a day add up to by their rows.
    func recounted(_ day: Int64) async throws -> String {
        var counter = ChargeDayCounter()
        try await RevenueReader(database: database, app: app).forEachStored(view, day...day, by: RevenueDimension.allCases) { counter.add($0) }
        return counter.text
    }

    /// Counted days that are not what their rows add up to, a sentence each.
    func differences(_ days: ClosedRange<Int64>) async throws -> [String] {
        var differences: [String] = []
        for begin in stride(from: days.lowerBound, through: days.upperBound, by: Int(Self.part)) {
            let part = begin...min(begin + Self.part - 1, days.upperBound)
            for (day, text) in try await texts(part).sorted(by: { $0.key < $1.key }) {
                // A charge that came in between has marked the day.
                guard try await recounted(day) != text, try await texts(day...day)[day] == text else { continue }
                differences.append("The counted day \(ReportDays.text(day)) by \(view.rawValue) is not what its charges add up to.")
            }
        }
        return differences
    }

    /// In one snapshot: what is not counted still has its mark.
    private func texts(_ days: ClosedRange<Int64>) async throws -> [Int64: String] {
        try await database.read { [app, view] connection in
            let values: [SQLValue] = [.text(app.rawValue), .text(view.rawValue), .integer(days.lowerBound), .integer(days.upperBound)]
            let rows = try connection.rows(ChargeDayRows.text, values)
            guard !rows.isEmpty else { return [:] }
            let marks = try connection.rows(
                ChargeDayRows.marksText, [.text(app.rawValue), .text(DirtyMark.charges), .integer(Int64(Self.mostMarks))])
            guard marks.count < Self.mostMarks else { return [:] }
            let marked = Set(try marks.map { try DirtyMark.chargeDay($0.text(0)) })
            return try rows.reduce(into: [:]) { texts, row in
                let day = try row.integer(0)
                if !marked.contains(day) { texts[day] = try row.text(1) }
            }
        }
    }
}
