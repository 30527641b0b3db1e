// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("Another server answers", .timeLimit(.minutes(1)))
struct CaptivePortalTests {
    let phone = Phone()

    @Test("An answer without Landfall-Version changes no stored state and drops no token", arguments: [302, 200, 401, 511])
    func stranger(status: Int) async throws {
        let tokens = ScriptedAdTokens(.token("token-1"))
        phone.firstOpen { .stranger(status) }
        phone.plain { _ in .stranger(status) }
        let client = phone.app(tokens: tokens) { $0.fallback = .bundle }
        client.start()
        let before = phone.storage.files.filter { !$0.key.rawValue.hasPrefix("outbox") }
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(2)) }
        await client.waitForCalls()
        await phone.waitForFirstOpen()

        await phone.pass(.milliseconds(1_900))

        #expect(try await shown.value.origin == .bundled)
        #expect(phone.storage.files.filter { !$0.key.rawValue.hasPrefix("outbox") } == before)
        #expect(client.profile == nil)

        let body = try phone.streams(.undecided)
        await phone.pass(.seconds(10))
        let opens = try phone.firstOpenRequests.map { try phone.sent(FirstOpenRequest.self, $0) }
        #expect(opens.count >= 2)
        #expect(opens.last?.adToken == .value("token-1"))
        body.finish()
        await client.shutdown()
    }
}
