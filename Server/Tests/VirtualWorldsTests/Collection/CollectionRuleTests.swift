// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallWire
import Testing

@testable import VirtualWorlds

@Suite("The guarantees of collection", .timeLimit(.minutes(1)))
struct CollectionRuleTests {
    private func breach(_ mode: CollectionMode, _ path: String, body: String = "", headers: [String] = []) -> String? {
        CollectionRule.breach(of: mode, "POST", path, headers: headers, body: body)
    }

    @Test("With full collection everything may leave")
    func full() {
        #expect(breach(.full, WirePath.adToken) == nil && breach(.full, WirePath.events) == nil)
    }

    @Test("C1: an ad token and a device's id are found with essential collection and with none", arguments: [CollectionMode.essential, .off])
    func tokens(mode: CollectionMode) {
        #expect(breach(mode, WirePath.adToken) != nil)
        #expect(breach(mode, WirePath.firstOpen, body: #"{"adToken":{"value":"sim.x"}}"#) != nil)
        #expect(breach(mode, WirePath.profile, headers: ["landfall-device"]) != nil)
        #expect(breach(mode, WirePath.firstOpen, body: #"{"adToken":{"none":"off"}}"#) == nil)
    }

    @Test("C1: events, purchases and clicks are found where nothing may be collected, and not where only essential things may")
    func events() {
        let click = #"{"recordsClick":true}"#

        #expect(breach(.off, WirePath.events) != nil && breach(.essential, WirePath.events) == nil)
        #expect(breach(.off, WirePath.purchases) != nil && breach(.essential, WirePath.purchases) == nil)
        #expect(breach(.off, WirePath.linkOpen, body: click) != nil && breach(.essential, WirePath.linkOpen, body: click) == nil)
        #expect(breach(.off, WirePath.linkOpen, body: #"{"recordsClick":false}"#) == nil)
    }
}
