// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@testable import Landfall

/// A state of the person, as the server counts: by the epoch of its store, then by the version.
private typealias Mark = (epoch: Int64, version: Int64)

@Suite("The order of what the server says", .timeLimit(.minutes(1)))
struct EpochOrderTests {
    /// What is there, what comes, and whether that counts.
    static let pairs: [(there: (Int64, Int64), comes: (Int64, Int64), counts: Bool)] = [
        ((1, 9), (2, 1), true), ((2, 1), (1, 9), false),
        ((1, 2), (1, 3), true), ((1, 3), (1, 2), false),
        ((2, 3), (2, 3), true), ((2, 3), (3, 2), true), ((2, 3), (1, 4), false),
    ]

    @Test("A profile of a later epoch counts whatever its version is, one of an earlier epoch never", arguments: pairs.indices)
    func profiles(index: Int) {
        let (there, comes) = (Self.mark(Self.pairs[index].there), Self.mark(Self.pairs[index].comes))
        var state = ProfileState()
        state.apply(.anna(epoch: there.epoch, version: there.version), .notAttributed, now: .zero)

        state.apply(.anna(epoch: comes.epoch, version: comes.version), .appleAds, now: .seconds(1))

        let counts = Self.pairs[index].counts
        #expect(state.wire?.epoch == (counts ? comes.epoch : there.epoch))
        #expect(state.wire?.version == (counts ? comes.version : there.version))
        #expect(state.attribution == (counts ? .appleAds : .notAttributed))
    }

    @Test("A paywall's answer of a later epoch replaces the one that is there, one of an earlier epoch does not", arguments: pairs.indices)
    func answers(index: Int) {
        let (there, comes) = (Self.mark(Self.pairs[index].there), Self.mark(Self.pairs[index].comes))
        let key = PaywallKey(.onboarding, .matching, locale: "en-US")
        var paywalls = PaywallState(cacheAge: .days(7), preparing: [])
        func hears(_ mark: Mark, at now: Duration) {
            paywalls.received(
                .targeted(version: mark.version, epoch: mark.epoch), for: key, isCertain: true, isBeyondDoubt: true, now: now,
                date: Date(timeIntervalSince1970: 0))
        }
        hears(there, at: .zero)

        hears(comes, at: .seconds(1))

        let kept = Self.pairs[index].counts ? comes : there
        #expect(paywalls.answers[key]?.answer.epoch == kept.epoch)
        #expect(paywalls.answers[key]?.answer.profileVersion == kept.version)
        #expect(paywalls.answers[key]?.receivedAt == (Self.pairs[index].counts ? Duration.seconds(1) : Duration.zero))
    }

    @Test("A profile outdates the answers that were given before it, by epoch and then by version", arguments: pairs.indices)
    func outdated(index: Int) {
        let (answer, profile) = (Self.mark(Self.pairs[index].there), Self.mark(Self.pairs[index].comes))
        var state = ProfileState()
        state.apply(.anna(epoch: profile.epoch, version: profile.version), .notAttributed, now: .zero)

        let isNewer = state.isNewer(than: .targeted(version: answer.version, epoch: answer.epoch))

        #expect(isNewer == (Self.pairs[index].counts && answer != profile))
    }

    private static func mark(_ pair: (Int64, Int64)) -> Mark { (epoch: pair.0, version: pair.1) }
}
