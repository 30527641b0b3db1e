// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import LandfallServer

@Suite("Clicks of days that are not over", .timeLimit(.minutes(1)))
struct OpenClickDayTests {
    @Test("are counted again only when there are others, for each app, zone and day apart; few days are kept")
    func again() async throws {
        let open = OpenClickDays(), reads = Mutex(0)
        func texts(_ day: Int64, _ last: String?, count: Int64 = 1, zone: String = "UTC", app: String = "a") async throws -> [String] {
            let days = ClickDays(app: AppID(app), zone: try #require(ReportZone(zone)))
            return try await open.texts(of: day, days, .init(count: count, lastID: last)) {
                reads.withLock { $0 += 1; return ["\($0)"] }
            }
        }

        #expect(try await [texts(1, "x"), texts(1, "x"), texts(1, "x")] == [["1"], ["1"], ["1"]])
        #expect(try await [texts(1, "y"), texts(1, "y", count: 2), texts(1, "y", count: 2)] == [["2"], ["3"], ["3"]])
        #expect(try await [texts(1, "y", count: 2, zone: "Asia/Tokyo"), texts(1, "y", count: 2, app: "b"), texts(1, "y", count: 2)] == [["4"], ["5"], ["3"]])
        for day in 2...20 as ClosedRange<Int64> { _ = try await texts(day, "z") }
        #expect(try await [texts(20, "z"), texts(1, "y", count: 2)] == [["24"], ["25"]])
    }
}
