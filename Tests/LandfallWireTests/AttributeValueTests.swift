// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@Suite("Values of attributes", .timeLimit(.minutes(1)))
struct AttributeValueTests {
    @Test(
        "A date is a text with milliseconds and zone, whatever date it is",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_795_340_000.25, "2026-11-22T09:33:20.250Z"), (.nan, "1970-01-01T00:00:00.000Z"),
            (-.infinity, "0001-01-01T00:00:00.000Z"), (1e30, "4001-01-01T00:00:00.000Z"),
        ] as [(TimeInterval, String)])
    func dates(seconds: TimeInterval, text: String) {
        #expect(AttributeValue.date(Date(timeIntervalSince1970: seconds)) == .string(text))
    }
}
