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

    /// What each look finds, one after the other.
    private func found(_ setup: SetupState, _ looks: [SetupCircumstances]) -> [[SetupTrap]] {
        var setup = setup
        return looks.map { setup.settle($0) }
    }

    @Test("is found once: the parts that cannot change are looked at when the client starts")
    func lookedAtOnce() throws {
        let found = found(try state(server: "api.example.com"), [circumstances(at: 0), circumstances(at: 1)])

        #expect(found.map(\.count) == [1, 0])
    }

    @Test("is logged once, also by the installation after this one")
    func loggedOnce() throws {
        var setup = try state(), next = try state()

        let isNew = [setup.isNew(.noScenes), setup.isNew(.noScenes)]
        next.takeOver(from: setup)
        let isNewAgain = next.isNew(.noScenes)

        #expect(isNew == [true, false])
        #expect(!isNewAgain)
        #expect(next.traps == [.noScenes])
    }

    @Test("a listener waits five seconds for start() before that is a mistake, and the launch wakes for it")
    func notStarted() throws {
        var setup = try state()

        let early = setup.settle(circumstances(at: 3, isStarted: false))
        let wakeAt = setup.wakeAt
        let late = setup.settle(circumstances(at: 8, isStarted: false))
        _ = setup.settle(circumstances(at: 9))

        #expect(early.isEmpty)
        #expect(wakeAt == .seconds(8))
        #expect(late == [.notStarted])
        #expect(setup.wakeAt == nil)
    }

    @Test("a link that gets its listener within five seconds is no mistake")
    func heard() throws {
        let found = found(
            try state(),
            [
                circumstances(at: 0, lacksListener: true), circumstances(at: 4), circumstances(at: 6, lacksListener: true),
                circumstances(at: 11, lacksListener: true),
            ])

        #expect(found == [[], [], [], [.nobodyListens]])
    }
}
