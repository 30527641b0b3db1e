// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallSimulator

@Suite("Phones that arrive later in the demo", .timeLimit(.minutes(1)))
struct DemoArrivalsTests {
    @Test("come by a link, by Apple Ads and by themselves, in turn")
    func ways() {
        let ways = (0..<6).map(DemoArrivals.Way.of)

        #expect(Set(ways).count == 3)
        #expect(ways[0] == .link)
        #expect(ways[3] == .link)
        #expect(Array(ways[0..<3]) == Array(ways[3..<6]))
    }

    @Test("are bounded")
    func bound() {
        #expect(DemoArrivals.pause >= .seconds(1))
        #expect(DemoArrivals.pause * DemoArrivals.most <= .seconds(3_600))
    }
}
