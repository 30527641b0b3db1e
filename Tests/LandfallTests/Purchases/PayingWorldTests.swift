// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("Drawn lives of customers", .timeLimit(.minutes(5)))
struct PayingWorldTests {
    @Test(
        "Who has paid is let in, who has not is not, nothing is lost or credited twice, and no first paywall is later",
        arguments: 1...24)
    func life(seed: Int) async {
        var world = PayingWorld(seed: seed)

        await world.live(steps: 24)

        #expect(world.complaints.isEmpty)
    }
}
