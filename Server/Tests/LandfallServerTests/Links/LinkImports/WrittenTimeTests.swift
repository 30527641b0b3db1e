// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import Testing

@testable import LandfallServer

@Suite("Times as people write them", .timeLimit(.minutes(1)))
struct WrittenTimeTests {
    @Test(
        "Days begin in UTC, and so do times without a zone",
        arguments: [
            ("2026-12-31", "2026-12-31T00:00:00Z"), ("2026/12/31", "2026-12-31T00:00:00Z"), ("2026.1.2", "2026-01-02T00:00:00Z"), ("20261231", "2026-12-31T00:00:00Z"),
            ("31.12.2026", "2026-12-31T00:00:00Z"), ("3.4.2026", "2026-04-03T00:00:00Z"), ("31/12/2026", "2026-12-31T00:00:00Z"), ("12/31/2026", "2026-12-31T00:00:00Z"),
            ("4/4/2026", "2026-04-04T00:00:00Z"), ("31 Dec 2026", "2026-12-31T00:00:00Z"), ("December 31, 2026", "2026-12-31T00:00:00Z"),
            ("Dec 31st 2026", "2026-12-31T00:00:00Z"), ("1 August 2026", "2026-08-01T00:00:00Z"), ("2026年12月31日", "2026-12-31T00:00:00Z"),
            ("2026-12-31T18:05:06Z", "2026-12-31T18:05:06Z"), ("2026-12-31 18:05", "2026-12-31T18:05:00Z"), ("2026-12-31T18:05:06.250+01:00", "2026-12-31T17:05:06.250Z"),
            ("31.12.2026, 18:05", "2026-12-31T18:05:00Z"), ("12/31/2026 6:05 PM", "2026-12-31T18:05:00Z"), ("12/31/2026 12:05 am UTC", "2026-12-31T00:05:00Z"),
            ("1798761600", "2027-01-01T00:00:00Z"), ("1798761600000", "2027-01-01T00:00:00Z"),
        ])
    func times(text: String, instant: String) throws {
        #expect(Instant(milliseconds: try WrittenTime.milliseconds(text, "expires")).description == instant)
    }

    @Test("A day that is another day elsewhere is not guessed", arguments: ["03/04/2026", "3-4-2026", "03/04/2026 18:00"])
    func ambiguous(text: String) {
        #expect(performing: { try WrittenTime.milliseconds(text, "expires") }, throws: { "\($0)".contains("two different days") })
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", "soon", "18:00", "2026", "2026-13-01", "2026-02-30", "31/12/26", "1.2", "31 Foo 2026", "2026-12-31 25:00", "2026-12-31 18:00 CET", "2026-12-31 13:00 pm",
            "2026-12-31-01", "٣١.١٢.٢٠٢٦", "12345678901234567890", "2026-12-31 :00", "2026 31 Dec",
        ])
    func wrong(text: String) { #expect(throws: LinkRefusal.self) { try WrittenTime.milliseconds(text, "expires") } }
}
