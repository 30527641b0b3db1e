// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Landfall

@Suite("What a launch says about the app's setup", .timeLimit(.minutes(1)))
struct SetupStateTests {
    private func state(server: String = "https://api.example.com") throws -> SetupState {
        SetupState(
            bundle: AppBundle(), server: try #require(URL(string: server)), links: LinkRules().domains)
    }

    private func circumstances(at seconds: Int, isStarted: Bool = true, lacksListener: Bool = false) -> SetupCircumstances {
        SetupCircumstances(
            now: .seconds(seconds), isStarted: isStarted, isActivated: true, isPaywallAwaited: false, isElseAwaited: false,
            hasListeners: !isStarted, lacksListener: lacksListener, isConnected: true, hasTokenSource: true, collection: .full
        )
    }

    @Test("is found once: the parts that cannot change are looked at when the client starts")
    func lookedAtOnce() throws {
        var setup = try state(server: "api.example.com")

        #expect(setup.settle(circumstances(at: 0)).count == 1)
        #expect(setup.settle(circumstances(at: 1)).isEmpty)
    }

    @Test("is logged once, also by the installation after this one")
    func loggedOnce() throws {
        var setup = try state()
        #expect(setup.isNew(.noScenes))
        #expect(!setup.isNew(.noScenes))

        var next = try state()
        next.takeOver(from: setup)

        #expect(!next.isNew(.noScenes))
        #expect(next.traps == [.noScenes])
    }

    @Test("a listener waits five seconds for start() before that is a mistake, and the launch wakes for it")
    func notStarted() throws {
        var setup = try state()

        #expect(setup.settle(circumstances(at: 3, isStarted: false)).isEmpty)
        #expect(setup.wakeAt == .seconds(8))
        #expect(setup.settle(circumstances(at: 8, isStarted: false)) == [.notStarted])

        _ = setup.settle(circumstances(at: 9))
        #expect(setup.wakeAt == nil)
    }

    @Test("a link that gets its listener within five seconds is no mistake")
    func heard() throws {
        var setup = try state()

        #expect(setup.settle(circumstances(at: 0, lacksListener: true)).isEmpty)
        #expect(setup.settle(circumstances(at: 4)).isEmpty)
        #expect(setup.settle(circumstances(at: 6, lacksListener: true)).isEmpty)
        #expect(setup.settle(circumstances(at: 11, lacksListener: true)) == [.nobodyListens])
    }
}
