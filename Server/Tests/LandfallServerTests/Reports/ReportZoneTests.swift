// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules

@Suite("The zone of reports", .timeLimit(.minutes(1)))
struct ReportZoneTests {
    @Test(
        "has days of 23 and 25 hours where clocks change, none that a country skipped, and quarters of an hour",
        arguments: [
            ("UTC", 20_751, 24), ("Europe/Berlin", 20_751, 25), ("Europe/Berlin", 20_541, 23), ("America/New_York", 20_758, 25),
            ("America/New_York", 20_520, 23), ("Asia/Kathmandu", 20_751, 24), ("Pacific/Apia", 15_338, 0),
        ] as [(String, Int64, Int64)])
    func days(name: String, day: Int64, hours: Int64) throws {
        let zone = try #require(ReportZone(name))
        let (start, end) = (zone.startMs(ofDay: day), zone.startMs(ofDay: day + 1))

        #expect(end - start == hours * 3_600_000)
        if hours > 0 {
            for (atMs, expected) in [(start - 1, day - 1), (start, day), (end - 1, day), (end, day + 1)] {
                #expect(zone.day(ofMs: atMs) == expected)
            }
        }
    }

    @Test(
        "finds the instant of a time on a clock: the first of two, and of one that is skipped the time after it",
        arguments: [
            ("UTC", "2026-10-25T02:30:00Z", "2026-10-25T02:30:00Z"), ("Europe/Berlin", "2026-07-01T09:00:00Z", "2026-07-01T07:00:00Z"),
            ("Europe/Berlin", "2026-10-25T02:30:00Z", "2026-10-25T00:30:00Z"), ("Europe/Berlin", "2026-10-25T03:00:00Z", "2026-10-25T02:00:00Z"),
            ("Europe/Berlin", "2026-03-29T02:30:00Z", "2026-03-29T01:30:00Z"), ("Asia/Kathmandu", "2026-03-29T02:30:00Z", "2026-03-28T20:45:00Z"),
            ("America/New_York", "2026-11-01T01:30:00Z", "2026-11-01T05:30:00Z"),
        ])
    func instants(name: String, local: String, expected: String) throws {
        let zone = try #require(ReportZone(name)), local = try #require(Instant(local))
        #expect(zone.instantMs(ofLocal: local.milliseconds) == Instant(expected)?.milliseconds)
    }

    @Test(
        "takes an instant outside the years 1 to 9999 for the nearest one",
        arguments: ["UTC", "Europe/Berlin", "America/New_York", "Pacific/Apia", "Asia/Kathmandu"])
    func ends(name: String) throws {
        let zone = try #require(ReportZone(name))

        for (instant, day) in [(Int64.max, 2_932_896), (.min, -719_162)] as [(Int64, Int64)] {
            #expect((day - 1...day + 1).contains(zone.day(ofMs: instant)))
            #expect(abs(zone.offsetMs(instant)) <= 16 * 3_600_000)
            #expect((day - 1...day + 1).contains(zone.day(ofMs: zone.instantMs(ofLocal: instant))))
            // Only that there is an answer: no report has such days.
            _ = zone.startMs(ofDay: instant)
        }
    }

    @Test("is UTC or a name of the IANA database")
    func names() throws {
        #expect(try Sample.configuration().reportZone == .utc)
        #expect(try Sample.configuration("reporting: { timeZone: Asia/Tokyo }\n").reportZone.name == "Asia/Tokyo")
        for name in ["Berlin", "CET", "Europe/Nowhere", "''"] {
            #expect(throws: (any Error).self) { try Sample.configuration("reporting: { timeZone: \(name) }\n") }
        }
    }
}
