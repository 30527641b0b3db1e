// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallReports
@testable import LandfallRules

@Suite("The days of a report", .timeLimit(.minutes(1)))
struct ReportDaysTests {
    @Test("are at most four hundred, first and last included", arguments: [(399, true), (400, false)] as [(Int64, Bool)])
    func most(after: Int64, isAllowed: Bool) throws {
        let first: Int64 = 20_000

        let days = try? ReportDays(first, first + after, in: .utc)

        #expect((days != nil) == isAllowed)
        #expect(days.map { $0.days.count } == (isAllowed ? 400 : nil))
    }

    @Test("are one where the first is the last, and none where they are the wrong way round")
    func order() throws {
        #expect(try ReportDays(20_000, 20_000, in: .utc).days.count == 1)
        #expect(throws: ReportError.reversed) { try ReportDays(20_001, 20_000, in: .utc) }
    }
}
