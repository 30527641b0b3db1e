// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("The last try before a call's deadline", .timeLimit(.minutes(1)))
struct LastTryTests {
    private let phone = Phone()

    @Test(
        "A server that refuses connections until shortly before the last quarter of the time is in time",
        arguments: [Duration.seconds(1), .seconds(2), .seconds(3), .seconds(5), .seconds(8)])
    func inTime(limit: Duration) async throws {
        let result = try await shown(within: limit, servesFrom: limit - min(.seconds(1), limit / 4) - .milliseconds(20))

        #expect(result.paywall?.name == .default)
        #expect(result.elapsed <= limit)
    }

    @Test("A server that refuses for ever costs one try more, and the bundle comes before the deadline")
    func never() async throws {
        let result = try await shown(within: .seconds(5), servesFrom: .seconds(1_000))

        #expect(result.origin == .bundled)
        #expect(result.elapsed >= .seconds(4) && result.elapsed < .seconds(5))
        let matching = phone.plainRequests.count { $0.url.query?.contains("audience=matching") == true }
        #expect((4...5).contains(matching), "\(matching)")
    }

    private func shown(within limit: Duration, servesFrom time: Duration) async throws -> PaywallResult {
        let begun = phone.clock.now
        phone.firstOpen { throw TransportError(.connectionFailed) }
        phone.plain { [clock = phone.clock] kind in
            guard begun.duration(to: clock.now) >= time else { throw TransportError(.connectionFailed) }
            return try .json(kind == .default ? PaywallAnswer.everyone() : .untargeted(final: true))
        }
        let client = phone.app { $0.fallback = .bundle }
        client.start()
        let call = Task { try await client.paywall(for: .onboarding, within: limit) }
        await client.waitForCalls()
        await phone.pass(limit, in: .milliseconds(10))
        let result = try await call.value
        await client.shutdown()
        return result
    }
}
