// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Landfall

@Suite("The wait for attribution", .timeLimit(.minutes(1)))
struct AttributionWaitTests {
    @Test("is counted from its beginning, and is a day at most")
    func limits() {
        var short = AttributionWait(limit: .seconds(3), ownTimer: nil)
        var long = AttributionWait(limit: .seconds(1_000_000), ownTimer: nil)
        #expect(short.until == nil)

        short.begins(now: .seconds(2))
        long.begins(now: .zero)

        #expect(short.until == .seconds(5))
        #expect(long.until == .seconds(86_400))
    }

    @Test("without a limit ends with each call")
    func unlimited() {
        var wait = AttributionWait(limit: nil, ownTimer: nil)

        wait.begins(now: .zero)

        #expect(wait.until == nil)
    }
}
