// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("What a person may use", .timeLimit(.minutes(1)))
struct AccessTests {
    private let phone = Phone()
    private static let hour: Int64 = 3_600_000

    private func anna(_ time: Int64, endsIn left: Int64?, version: Int64 = 1) -> WireProfile {
        .payer(at: time, endsIn: left, version: version)
    }

    private var calendar: Int64 { phone.clock.date.unixMilliseconds }

    private func launch(_ profile: WireProfile?) async -> LandfallClient {
        if let profile {
            phone.firstOpen { try .lines([.profile(profile), .attribution(.notAttributed), .end(.final)]) }
        } else {
            phone.firstOpen { throw TransportError(.offline) }
        }
        let client = phone.app()
        client.start()
        await client.waitForProfile()
        return client
    }

    @Test("A profile says what the server has verified; a level that nothing has opened is not active")
    func said() async {
        let client = await launch(anna(calendar, endsIn: Self.hour))
        let profile = client.profile

        #expect(profile?.purchaseToken == UUID(uuidString: "5a6b7c8d-1111-4222-8333-444455556666"))
        #expect(profile?.access("premium").isActive == true && profile?.access("premium").state == .active)
        #expect(profile?.access("premium").productID == "yearly" && profile?.access("premium").isTrial == true)
        #expect(profile?.access("gold") == Access(isActive: false, state: .none))
        await client.shutdown()
    }

    @Test("It ends at the server's time, whatever the phone's calendar says, and listeners hear of it then", arguments: [-50, 0, 50])
    func ends(hoursOff: Int64) async {
        let client = await launch(anna(calendar + hoursOff * Self.hour, endsIn: Self.hour))
        let heard = Task {
            for await profile in client.profiles where !profile.access("premium").isActive { return profile.access("premium") }
            return Access(isActive: true, state: .none)
        }
        await phone.pass(.seconds(3_599))
        phone.clock.moveCalendar(by: .seconds(86_400))
        #expect(client.profile?.access("premium").isActive == true)

        await phone.pass(.seconds(1))

        #expect(client.profile?.access("premium").isActive == false)
        #expect(await heard.value.state == .expired)
        await client.shutdown()
    }

    private func answers(with profile: WireProfile) {
        phone.server.on("GET", WirePath.profile) { _ in try .json(ProfileAnswer(profile: profile, attribution: .notAttributed)) }
    }

    @Test("The server is asked shortly before an end: a renewal leaves no gap, and costs one request")
    func renewed() async {
        answers(with: anna(calendar + 3_540_000, endsIn: 30 * 24 * Self.hour, version: 2))
        let client = await launch(anna(calendar, endsIn: Self.hour))
        let heard = Locked<[Bool]>([])
        let listening = Task { for await profile in client.profiles { heard.withLock { $0.append(profile.access("premium").isActive) } } }
        await phone.pass(.seconds(3_530))
        #expect(phone.server.requests("GET", WirePath.profile).isEmpty)

        await phone.pass(.seconds(200))

        #expect(client.profile?.version == 2 && client.profile?.access("premium").isActive == true)
        #expect(phone.server.requests("GET", WirePath.profile).count == 1)
        await client.shutdown()
        await listening.value
        #expect(heard.withLock { !$0.isEmpty && $0.allSatisfy(\.self) })
    }

    @Test("What ended without a network is asked for when there is one; what the server confirms is asked for no more")
    func confirmed() async {
        let time = calendar
        let client = await launch(anna(time, endsIn: Self.hour))
        phone.server.isOffline = true
        await phone.pass(.seconds(4_000))
        #expect(client.profile?.access("premium").isActive == false)
        var ended = anna(time + 4_000_000, endsIn: 0, version: 2)
        ended.accessLevels = ended.accessLevels?.mapValues { $0.ended(at: .max) }
        answers(with: ended)
        phone.server.isOffline = false

        client.networkPathChanged(isSatisfied: true)
        await phone.pass(.seconds(3_600))

        #expect(client.profile?.version == 2 && client.profile?.access("premium").isActive == false)
        let asked = phone.server.requests("GET", WirePath.profile).count
        await phone.pass(.seconds(3_600))
        #expect(phone.server.requests("GET", WirePath.profile).count == asked)
        await client.shutdown()
    }

    @Test("Offline the next launch knows it too, until its end", arguments: [(30, true), (90, false)])
    func cached(minutes: Int, isActive: Bool) async {
        let first = await launch(anna(calendar, endsIn: Self.hour))
        await phone.storageHolds(.profile) { $0.contains("premium") }
        await first.shutdown()
        phone.clock.moveCalendar(by: .seconds(minutes * 60))

        let second = await launch(nil)

        #expect(second.profile?.access("premium").isActive == isActive)
        await second.shutdown()
    }

    @Test("A calendar that is set back makes nothing last longer than from what the server said")
    func setBack() async {
        let first = await launch(anna(calendar, endsIn: Self.hour))
        await phone.storageHolds(.profile) { $0.contains("premium") }
        await first.shutdown()
        phone.clock.moveCalendar(by: .seconds(-30 * 86_400))

        let second = await launch(nil)
        #expect(second.profile?.access("premium").isActive == true)
        let now = phone.clock.now.offset, date = phone.clock.date
        #expect(second.launch.read { $0.accessEndsAt(now, date) } == now + .seconds(3_600))
        await second.shutdown()
    }

    @Test("Time in which the app ran offline is not given back by a calendar that is set back")
    func usedUp() async {
        let first = await launch(anna(calendar, endsIn: Self.hour))
        await phone.pass(.seconds(1_800))
        first.enteredBackground()
        await phone.storageHolds(.profile) { $0.contains("\(calendar)") }
        await first.shutdown()
        phone.clock.moveCalendar(by: .seconds(-30 * 86_400))

        let second = await launch(nil)
        await phone.pass(.seconds(1_799))
        #expect(second.profile?.access("premium").isActive == true)
        await phone.pass(.seconds(1))

        #expect(second.profile?.access("premium").isActive == false)
        await second.shutdown()
    }

    @Test("A phone whose calendar is wrong all the time has its access as long as others", arguments: [-50, 50])
    func steadilyWrong(hoursOff: Int) async {
        let time = calendar
        phone.clock.moveCalendar(by: .seconds(hoursOff * 3_600))
        let first = await launch(anna(time, endsIn: Self.hour))
        await phone.storageHolds(.profile) { $0.contains("premium") }
        await first.shutdown()
        phone.clock.moveCalendar(by: .seconds(3_599))

        let second = await launch(nil)
        #expect(second.profile?.access("premium").isActive == true)
        await phone.pass(.seconds(1))

        #expect(second.profile?.access("premium").isActive == false)
        await second.shutdown()
    }

    private func isActive(_ state: LaunchState, at now: Duration) -> Bool {
        var state = state
        state.openAccess(.init(now: now, date: Date(timeIntervalSince1970: 4_000_000_000), chance: 0))
        return state.profileState.profile?.access("premium").isActive == true
    }

    @Test("What never ends stays; a server that fails, or that knows nothing of purchases, takes nothing away")
    func stays() {
        let forEver = anna(calendar, endsIn: nil)

        #expect(isActive(state(after: forEver), at: .seconds(1_000_000)))
        #expect(isActive(state(after: forEver, .anna(version: 2)), at: .seconds(1_000_000)))
        #expect(!isActive(state(after: forEver, .anna(epoch: 2, id: "bert")), at: .zero), "Another person.")
    }

    @Test("Times outside all calendars end or last, and nothing breaks", arguments: [Int64.min, -1, 0, 1, .max])
    func strange(time: Int64) {
        for end in [Int64.min, 0, .max] {
            var profile = anna(1_000, endsIn: nil)
            profile.asOfMilliseconds = time
            profile.accessLevels?["premium"]?.endsAtMilliseconds = end
            var state = state(after: profile)

            state.openAccess(.init(now: .seconds(1), date: .distantPast, chance: 0))

            #expect(state.profileState.profile?.access("premium").isActive == (end == .max))
            #expect(state.accessEndsAt(.seconds(1), .distantPast).map { $0 <= .seconds(86_401) } ?? true)
            #expect(state.asksForAccessFrom(.seconds(1)) != nil)
        }
    }
}

/// What a launch knows after the server has sent these, one after the other.
func state(after profiles: WireProfile...) -> LaunchState {
    var state = LaunchState(LandfallConfiguration(sdkKey: "pk_test", server: URL(string: "https://api.example.com")!))
    for profile in profiles { state.profileState.apply(profile, nil, now: .zero) }
    return state
}
