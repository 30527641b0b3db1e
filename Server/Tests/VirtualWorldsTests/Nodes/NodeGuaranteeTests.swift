// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import VirtualWorlds

@Suite("The guarantees of several nodes", .timeLimit(.minutes(1)))
struct NodeGuaranteeTests {
    private func said(_ version: Int64, plan: String = "free") -> PhoneLaunch.Said {
        PhoneLaunch.Said(epoch: 1, version: version, attributionVersion: 1, attributes: ["plan": .string(plan)])
    }

    @Test("Nodes that say the same break no guarantee")
    func agree() { #expect(PhoneLaunch.breaches(of: [said(3), said(3), said(3)]).isEmpty) }

    @Test("N2: a node that says an older version is found, one that says another attribute, and one that says nothing")
    func differ() {
        #expect(PhoneLaunch.breaches(of: [said(3), said(2)]).map(\.guarantee) == ["N2"])
        #expect(PhoneLaunch.breaches(of: [said(3), said(3, plan: "pro")]).map(\.guarantee) == ["N2"])
        #expect(PhoneLaunch.breaches(of: [said(3), nil]).map(\.guarantee) == ["N2"])
        #expect(PhoneLaunch.breaches(of: [nil, nil]).map(\.guarantee) == ["N2"])
    }
}
