// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallRules

@Suite("Instants and spans", .timeLimit(.minutes(1)))
struct InstantTests {
    @Test(
        "are read in the form of RFC 3339",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01T01:00:00+01:00", 0), ("1969-12-31T23:30:00-00:30", 0),
            ("2026-11-22T12:00:00Z", 1_795_348_800_000), ("2026-11-22t12:00:00.5z", 1_795_348_800_500),
            ("2026-11-22 12:00:00.123999Z", 1_795_348_800_123), ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("1969-12-31T23:59:59.999Z", -1), ("9999-12-31T23:59:59Z", 253_402_300_799_000),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000),
        ] as [(String, Int64)])
    func read(text: String, milliseconds: Int64) throws {
        let instant = try #require(Instant(text))

        #expect(instant.milliseconds == milliseconds)
        #expect(Instant(instant.description) == instant)
    }

    @Test(
        "Any other text is not an instant",
        arguments: [
            "", "2026-11-22", "2026-11-22T12:00:00", "2026-11-22T12:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
            "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-11-22T24:00:00Z",
            "2026-11-22T12:60:00Z", "2026-11-22T12:00:61Z", "2026-11-22T12:00:00.Z", "2026-11-22T12:00:00+24:00",
            "2026-11-22T12:00:00+0100", "2026-11-22T12:00:00Z ", "26-11-22T12:00:00Z", "２026-11-22T12:00:00Z",
        ])
    func none(text: String) {
        #expect(Instant(text) == nil)
    }

    @Test(
        "Spans have a unit",
        arguments: [("7d", 604_800_000), ("1w", 604_800_000), ("12h", 43_200_000), ("30m", 1_800_000), ("1s", 1000), ("36525d", 3_155_760_000_000)]
            as [(String, Int64)])
    func spans(text: String, milliseconds: Int64) throws {
        let span = try #require(TimeSpan(text))

        #expect(span.milliseconds == milliseconds)
        #expect(TimeSpan(span.description) == span)
    }

    @Test("Any other text is not a span", arguments: ["", "d", "7", "0d", "-1d", "1.5d", "7 d", "7D", "36526d", "9999999999s", "٧d"])
    func noSpan(text: String) {
        #expect(TimeSpan(text) == nil)
    }
}
