// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("The second launch", .timeLimit(.minutes(1)))
struct SecondLaunchTests {
    let phone = Phone()

    /// A first launch that ended like this.
    private func firstLaunch(_ lines: [FirstOpenLine], _ paywall: PaywallID) async throws {
        try phone.streams(.undecided + lines)
        let client = phone.app()
        client.start()
        let shown = try await client.paywall(for: .onboarding, within: .seconds(5))
        #expect(shown.paywall?.name == paywall)
        await phone.filesHold { $0.contains("\"attributionVersion\":1") }
        await phone.storageHolds(.profile) { $0.contains("\"version\":2") }
        await client.shutdown()
    }

    @Test("Attributed and online: the targeted paywall from the cache at once, refreshed behind it")
    func attributedOnline() async throws {
        try await firstLaunch(.becomesTargeted, .appleAds)
        phone.clock.advance(by: .seconds(3_600))
        let body = try phone.streams()
        let client = phone.app()
        client.start()

        let result = try await client.paywall(for: .onboarding, within: .seconds(5))

        #expect(result.paywall?.name == .appleAds)
        #expect(result.origin == .cache(age: .seconds(3_600)))
        #expect(result.elapsed == .zero)
        await phone.waitForFirstOpen(count: 2)
        let wanted = try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.last).placements
        #expect(wanted.map(\.id) == [.onboarding])
        body.finish()
        await client.shutdown()
    }

    @Test("Attributed, and the first open did not ask for this placement: the paywall from the cache is asked for by a request of its own")
    func attributedLater() async throws {
        try await firstLaunch(.becomesTargeted, .appleAds)
        try phone.streams([.profile(.anna(version: 2, attributionVersion: 1)), .attribution(.appleAds), .end(.final)])
        phone.plain { _ in try .json(PaywallAnswer.targeted(version: 3)) }
        let client = phone.app(preparing: [])
        client.start()
        await phone.pass(.milliseconds(100))
        await phone.waitForFirstOpen(count: 2)
        await phone.settle()
        #expect(phone.plainRequests.isEmpty)

        let result = try await client.paywall(for: .onboarding, within: .seconds(5))

        #expect(result.paywall?.name == .appleAds)
        #expect(result.elapsed == .zero)
        await phone.waitForPlain()
        await phone.filesHold { $0.contains("\"profileVersion\":3") }
        await client.shutdown()
    }

    @Test("Attributed and offline: the targeted paywall at once")
    func attributedOffline() async throws {
        try await firstLaunch(.becomesTargeted, .appleAds)
        phone.server.isOffline = true
        let client = phone.app()
        client.start()

        let result = try await client.paywall(for: .onboarding, within: .seconds(5))

        #expect(result.paywall?.name == .appleAds)
        #expect(result.attribution == .appleAds)
        #expect(result.elapsed == .zero)
        await client.shutdown()
    }

    @Test("Known to be offline from the start: the bundle does not overtake the cache while the files are being read")
    func offlineFromTheStart() async throws {
        try await firstLaunch(.becomesTargeted, .appleAds)
        phone.server.isOffline = true
        let client = phone.app { $0.fallback = .bundle }
        client.networkPathChanged(isSatisfied: false, isDenied: true)
        client.start()

        let result = try await client.paywall(for: .onboarding, within: .seconds(5))

        #expect(result.paywall?.name == .appleAds)
        await client.shutdown()
    }

    @Test("Organic and online: the first line answers, nobody waits for attribution")
    func organicOnline() async throws {
        try await firstLaunch(.becomesOrganic, .default)
        try phone.streams([
            .profile(.anna(version: 2, attributionVersion: 1)), .attribution(.notAttributed),
            .paywall(.untargeted(final: true, version: 2, attributionVersion: 1)), .end(.final),
        ])
        let client = phone.app()
        client.start()

        let result = try await client.paywall(for: .onboarding, within: .seconds(5))

        #expect(result.origin == .matchingAudience)
        #expect(result.attribution == .notAttributed)
        #expect(result.elapsed == .zero)
        await client.shutdown()
    }

    @Test("Organic and offline: the stored paywall at once")
    func organicOffline() async throws {
        try await firstLaunch(.becomesOrganic, .default)
        phone.server.isOffline = true
        let client = phone.app()
        client.start()

        let result = try await client.paywall(for: .onboarding, within: .seconds(5))

        #expect(result.origin == .cache(age: .zero))
        #expect(result.elapsed == .zero)
        await client.shutdown()
    }

    @Test("Organic and a server that is down: the stored paywall at once")
    func organicServerDown() async throws {
        try await firstLaunch(.becomesOrganic, .default)
        phone.firstOpen { throw TransportError(.connectionFailed) }
        phone.plain { _ in throw TransportError(.connectionFailed) }
        let client = phone.app()
        client.start()

        let result = try await client.paywall(for: .onboarding, within: .seconds(5))

        #expect(result.origin == .cache(age: .zero))
        #expect(result.elapsed == .zero)
        await client.shutdown()
    }

    @Test("The stored profile reaches listeners before any network")
    func storedProfileFirst() async throws {
        try await firstLaunch(.becomesTargeted, .appleAds)
        phone.firstOpen { try await phone.never() }
        let client = phone.app()
        let first = Task { await client.profiles.first { _ in true } }

        client.start()

        #expect(await first.value?.attribution == .appleAds)
        #expect(client.profile?.appliedAttributionSources == [])
        await client.shutdown()
    }

    @Test("A stored targeted paywall wins over a newer stored default")
    func newerDefault() async throws {
        try await firstLaunch(.becomesTargeted, .appleAds)
        phone.clock.advance(by: .seconds(60))
        phone.plain { $0 == .default ? try .json(PaywallAnswer.everyone("newer")) : try await phone.never() }
        try phone.streams()
        let second = phone.app()
        second.start()
        _ = try await second.defaultPaywall(for: .onboarding, within: .seconds(5))
        await phone.filesHold { $0.contains("newer") }
        await second.shutdown()
        phone.server.isOffline = true
        let third = phone.app()
        third.start()

        let result = try await third.paywall(for: .onboarding, within: .seconds(5))

        #expect(result.paywall?.name == .appleAds)
        await third.shutdown()
    }

    @Test(
        "A stored paywall of the matching audience is used for seven days and no longer", arguments: [(7, true), (8, false)])
    func age(days: Int, serves: Bool) async throws {
        try await firstLaunch(.becomesTargeted, .appleAds)
        phone.clock.moveCalendar(by: .seconds(days * 86_400))
        phone.server.isOffline = true
        let client = phone.app { $0.fallback = .bundle }
        client.start()
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        if !serves {
            await client.waitForCalls()
            await phone.pass(.seconds(5))
        }

        let result = try await shown

        // A request that found no network says nothing about the next second: only what is stored for this person is at once.
        #expect(result.elapsed == (serves ? .zero : .seconds(5)))
        #expect(result.paywall?.name == (serves ? .appleAds : .bundled))
        await client.shutdown()
    }

    @Test("A restored server has a new epoch: its answers count, and values stored under the old epoch do not")
    func restoredServer() async throws {
        try await firstLaunch(.becomesTargeted, .appleAds)
        let body = try phone.streams()
        let client = phone.app()
        client.start()
        await phone.waitForFirstOpen(count: 2)

        try body.say(
            .profile(.anna(epoch: 2, version: 1)), .attribution(.notAttributed),
            .paywall(.untargeted(final: true, version: 1, epoch: 2)), .end(.final)
        )
        await client.waitForProfile { $0.epoch == 2 }

        #expect(client.attribution == .notAttributed)
        #expect(try await client.paywall(for: .onboarding).paywall?.name == .default)
        await client.shutdown()
    }

    @Test(
        "Broken files are set aside and reported, and the app goes on",
        arguments: [
            StorageName.install, .profile, .paywalls,
        ])
    func brokenFile(name: StorageName) async throws {
        try await firstLaunch(.becomesTargeted, .appleAds)
        try phone.storage.write(Data("{\"format\":".utf8), to: name)
        try phone.streams([
            .profile(.anna(version: 2)), .attribution(.notAttributed), .paywall(.untargeted(final: true, version: 2)),
        ])
        let client = phone.app()
        client.start()

        let result = try await client.paywall(for: .onboarding, within: .seconds(5))

        #expect([.default, .appleAds].contains(result.paywall?.name))
        #expect(phone.storage.filesSetAside[name] == Data("{\"format\":".utf8))
        #expect(phone.log.warnings.contains { $0.contains(name.rawValue) })
        await client.shutdown()
    }
}
