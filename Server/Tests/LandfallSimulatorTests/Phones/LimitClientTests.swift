// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallSimulator

@Suite("The limit of a phone without a network", .timeLimit(.minutes(1)))
struct LimitClientTests {
    /// No server: a client that connects fails.
    private let limit = LimitClient(port: 1)

    private func phone(isCached: Bool) throws -> DrawnPhone {
        DrawnPhone(0, in: try Scenario.fast.setting("offline", to: 1).setting("cached", to: isCached ? 1 : 0), seed: 1)
    }

    @Test("is the deadline on a first launch: a network may come until then")
    func first() async throws {
        #expect(try await limit.run(phone(isCached: false), deadline: .milliseconds(20)) >= .milliseconds(20))
    }

    @Test("is nothing on a later launch: the paywall is on the phone")
    func later() async throws {
        #expect(try await limit.run(phone(isCached: true), deadline: .seconds(30)) == .zero)
    }
}
