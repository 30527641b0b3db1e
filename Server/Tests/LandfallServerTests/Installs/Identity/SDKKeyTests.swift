// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("An SDK key", .timeLimit(.minutes(1)))
struct SDKKeyTests {
    @Test(
        "is valid up to its end, not at that instant; one without an end always is",
        arguments: [(9, true), (10, false), (11, false)] as [(Int64, Bool)])
    func end(nowMs: Int64, isActive: Bool) {
        var configuration = Configuration.sample()
        configuration.keys = [
            SDKKey(text: "pk_ends", environment: .production, expiresAtMs: 10),
            SDKKey(text: "pk_stays", environment: .production, expiresAtMs: nil),
        ]
        let snapshot = Snapshot(configuration, revision: 1)

        #expect((snapshot.app(ofKey: "pk_ends", nowMs: nowMs) != nil) == isActive)
        #expect(snapshot.app(ofKey: "pk_stays", nowMs: nowMs) == configuration.app.id)
    }
}
