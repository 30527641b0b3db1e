// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallPostgres
@testable import LandfallStore

@Suite("A part of a table that is kept by month")
struct MonthPartTests {
    /// 2023-10-01 and 2023-11-01, UTC.
    private static let october: Int64 = 1_696_118_400_000, november: Int64 = 1_698_796_800_000

    private func part(isRest: Bool = false) throws -> MonthPart {
        try MonthPart(
            Row(
                columns: ["name", "first", "after_last", "is_rest"],
                values: [
                    .text("event_2023_10"), .text(UUIDv7.earliest(atMs: Self.october)), .text(UUIDv7.earliest(atMs: Self.november)),
                    .integer(isRest ? 1 : 0),
                ]))
    }

    @Test(
        "has the ids from the first instant of its month up to the first of the next one, which is not in it",
        arguments: [(october - 1, false), (october, true), (november - 1, true), (november, false)] as [(Int64, Bool)])
    func ids(atMs: Int64, isInside: Bool) throws {
        #expect(try part().has(UUIDv7.earliest(atMs: atMs)) == isInside)
    }

    @Test("has none where it is the rest")
    func rest() throws {
        #expect(try !part(isRest: true).has(UUIDv7.earliest(atMs: Self.october)))
    }
}
