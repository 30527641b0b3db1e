// SPDX-License-Identifier: Apache-2.0
import LandfallApple
import LandfallTesting
import Testing

@Suite("An app that uses everything public", .timeLimit(.minutes(1)))
struct PublicAPITests {
    @Test("makes a client without input or output, and results for previews")
    func construction() {
        let world = ScriptedWorld()
        let client = world.client()

        #expect(client.profile == nil)
        #expect(world.server.requests.isEmpty)
        #expect(explanation(of: preview()) == "onboarding bundled, revision 1, organic, after 0.0 seconds")
    }
}
