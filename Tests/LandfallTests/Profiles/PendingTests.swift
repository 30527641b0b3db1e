// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("Pending answers", .timeLimit(.minutes(1)))
struct PendingTests {
    private let phone = Phone()

    @Test("Attribution, its token and purchases are each waited for, whether or not the others have come")
    func each() {
        var profileState = ProfileState()
        #expect(profileState.isAnythingPending(.zero), "Nothing was said about attribution.")

        profileState.settle(.notAttributed, now: .zero)
        #expect(!profileState.isAnythingPending(.zero))

        profileState.purchasesAreComing(now: .seconds(1))
        #expect(profileState.isAnythingPending(.seconds(3)))
        #expect(!profileState.isAnythingPending(.seconds(4)), "After 3 s nobody waits for them.")

        profileState.expects(tokenUnderWay: true, inBackground: false)
        profileState.purchasesAreComplete()
        #expect(profileState.isAnythingPending(.seconds(3)))
        profileState.expects(tokenUnderWay: false, inBackground: false)
        #expect(!profileState.isAnythingPending(.seconds(3)))
    }

    @Test("The first open says whether purchases are coming", arguments: [true, false])
    func request(isComing: Bool) async throws {
        try phone.streams(.undecided)
        let client = phone.app()
        if isComing { client.launch.change { state, at in state.profileState.purchasesAreComing(now: at.now) } }

        client.start()
        await phone.waitForFirstOpen()

        let request = try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.first)
        #expect(request.purchases == (isComing ? .coming : .none))
        await client.shutdown()
    }

    @Test("A call waits for an answer that only purchases can change, until they are known")
    func waits() async throws {
        var open = PaywallAnswer.untargeted(final: false)
        open.pending = [.purchases]
        let body = try phone.streams([.profile(.anna()), .attribution(.notAttributed), .paywall(open)])
        let client = phone.app()
        client.launch.change { state, at in state.profileState.purchasesAreComing(now: at.now) }
        client.start()
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await client.waitForProfile()
        await client.waitForCalls()
        phone.clock.advance(by: .seconds(2))

        client.launch.change { state in state.profileState.purchasesAreComplete() }
        try body.say(.paywall(.targeted()), .end(.final))

        let result = try await shown
        #expect(result.paywall?.name == .appleAds)
        #expect(result.elapsed == .seconds(2))
        await client.shutdown()
    }
}
