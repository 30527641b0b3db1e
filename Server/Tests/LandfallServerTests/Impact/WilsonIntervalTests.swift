// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallReports

@Suite("The range of a share", .timeLimit(.minutes(1)))
struct WilsonIntervalTests {
    /// Values from a table that others computed.
    static let cases: [(count: Int, total: Int, low: Double, high: Double)] = [
        (0, 0, 0, 1), (0, 10, 0, 0.2775), (10, 10, 0.7225, 1), (1, 10, 0.0179, 0.4042), (5, 10, 0.2366, 0.7634),
        (50, 100, 0.4038, 0.5962), (1, 1, 0.2065, 1), (1_000, 10_000, 0.0943, 0.1060),
    ]

    @Test("is Wilson's, and within 0 and 1", arguments: cases)
    func table(count: Int, total: Int, low: Double, high: Double) {
        let bounds = WilsonInterval.bounds(count, of: total)

        #expect(abs(bounds[0] - low) < 0.0001, "\(bounds)")
        #expect(abs(bounds[1] - high) < 0.0001, "\(bounds)")
    }
}
