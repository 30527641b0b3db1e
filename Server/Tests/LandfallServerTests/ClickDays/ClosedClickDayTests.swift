// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import LandfallReports
@testable import LandfallRules

@Suite("Sums of days of clicks that are over", .timeLimit(.minutes(1)))
struct ClosedClickDayTests {
    private static func question(_ days: ClosedRange<Int64>, by: [LinkReport.Dimension] = [.host], app: String = "a", zone: String = "UTC") -> ClosedClickDays.Question {
        .init(app: AppID(app), zone: zone, days: days, by: by)
    }

    private static func sums(cells: Int) -> DaySums {
        var sums = DaySums(fields: [LinkReport.Dimension.host], by: [.host], size: 1)
        for cell in 0..<cells { sums.add([Array("\(cell)".utf8)], [1]) }
        return sums
    }

    @Test("are known for a minute, for each app, zone, days and fields apart")
    func minute() {
        let now = Mutex(Duration.zero), known = ClosedClickDays(uptime: { now.withLock { $0 } })
        known.keep(Self.sums(cells: 3), for: Self.question(1...28))

        #expect(known.sums(Self.question(1...28))?.table.count == 3)
        for other in [
            Self.question(1...29), Self.question(2...28), Self.question(1...28, by: [.path]), Self.question(1...28, app: "b"),
            Self.question(1...28, zone: "Asia/Tokyo"),
        ] { #expect(known.sums(other) == nil) }
        now.withLock { $0 = ClosedClickDays.kept - .nanoseconds(1) }
        #expect(known.sums(Self.question(1...28)) != nil)
        // Being asked for does not make them newer.
        now.withLock { $0 = ClosedClickDays.kept }
        #expect(known.sums(Self.question(1...28)) == nil)
    }

    @Test("have a bounded memory together, and a bounded number: those that nobody asks for go first")
    func bounded() {
        let now = Mutex(Duration.zero), third = Self.sums(cells: 100)
        let known = ClosedClickDays(
            mostBytes: 3 * third.table.byteCount, uptime: { now.withLock { $0 += .milliseconds(1); return $0 } })
        for day in 1...3 as ClosedRange<Int64> { known.keep(third, for: Self.question(day...day)) }
        _ = known.sums(Self.question(1...1))
        known.keep(third, for: Self.question(4...4))
        known.keep(Self.sums(cells: 1_000), for: Self.question(5...5))

        #expect((1...5).map { known.sums(Self.question($0...$0)) != nil } == [true, false, true, true, false])
        for day in 100...(100 + Int64(ClosedClickDays.most)) { known.keep(Self.sums(cells: 0), for: Self.question(day...day)) }
        #expect(known.sums(Self.question(1...1)) == nil && known.sums(Self.question(100...100)) == nil)
        #expect(known.sums(Self.question(101...101)) != nil)
    }
}
