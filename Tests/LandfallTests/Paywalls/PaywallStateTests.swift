// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@testable import Landfall

@Suite("When each call is checked", .timeLimit(.minutes(1)))
struct PaywallStateTests {
    private func circumstances(at seconds: Int) -> PaywallCircumstances {
        PaywallCircumstances(
            now: .seconds(seconds), isStarted: true, hasInstall: true, installRetry: Retry(), isHopeless: false,
            isConstrained: false,
            profileState: ProfileState(), firstOpen: FirstOpenState(hold: .zero)
        )
    }

    @Test("A new call does not delay a call whose deadline has passed and whose alarm is still to come")
    func overdue() async {
        let (resumed, wakeAt): ([Int], Duration?) = await withCheckedContinuation { report in
            Task {
                _ = try? await withCheckedThrowingContinuation { (waiter: CheckedContinuation<PaywallResult, any Error>) in
                    var paywalls = PaywallState(cacheAge: .zero, preparing: [])
                    let call = { (id: Int, asked: Int, deadline: Int) in
                        PaywallCall(
                            id: id, key: PaywallKey("onboarding", .matching, locale: nil), cache: .reload,
                            asked: .seconds(asked),
                            deadline: .seconds(deadline), waiter: PaywallWaiter(waiter), wakeAt: .seconds(deadline)
                        )
                    }
                    paywalls.add(call(1, 0, 1))
                    _ = paywalls.settle(circumstances(at: 0), date: Date(timeIntervalSince1970: 0))

                    paywalls.add(call(2, 2, 7))
                    let effects = paywalls.settle(only: 2, circumstances(at: 2), date: Date(timeIntervalSince1970: 0))

                    let resumed = effects.compactMap { if case .resume(let call, _) = $0 { call.id } else { nil } }
                    report.resume(returning: (resumed, paywalls.wakeAt))
                    waiter.resume(throwing: CancellationError())
                }
            }
        }

        #expect(resumed == [1])
        #expect(wakeAt.map { $0 > .seconds(2) } == true)
    }

    @Test("An answer counts as lately given for five minutes, that instant included", arguments: [(300_000, true), (300_001, false)])
    func life(milliseconds: Int, isAnswered: Bool) {
        var paywalls = PaywallState(cacheAge: .zero, preparing: [])
        let key = PaywallKey("onboarding", .matching, locale: "en-US")
        paywalls.received(
            .targeted(), for: key, isCertain: true, isBeyondDoubt: true, now: .zero, date: Date(timeIntervalSince1970: 0))

        #expect(paywalls.isAnswered(key, by: "anna", .milliseconds(milliseconds)) == isAnswered)
        #expect(!paywalls.isAnswered(key, by: "bert", .zero), "Another person.")
    }
}
