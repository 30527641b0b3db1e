// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("The phone's copy of its assignments", .timeLimit(.minutes(1)))
struct AssignmentCopyTests {
    var phone = Phone()

    init() { phone.takesEvents() }

    /// A launch in which a call returned this answer.
    private func launch(_ answer: PaywallAnswer) async throws {
        try phone.streams(answer)
        let client = phone.app()
        client.start()
        _ = try await client.paywall(for: .onboarding)
        await phone.storageHolds(.experiments) { $0.contains("spring-price") }
        await phone.storageHolds(.paywalls) { $0.contains("spring-price") }
        await phone.pass(.seconds(2))
        await client.shutdown()
    }

    @Test("is sent with every first open, so that a server that lost its store gets it back")
    func echo() async throws {
        try await launch(.assigned("B"))
        #expect(try phone.broughtAssignments == nil)

        try await launch(.assigned("B"))

        #expect(try phone.broughtAssignments == [.spring("B")])
    }

    @Test("stays through an identity and a log-out")
    func people() async throws {
        try phone.streams(.assigned("B"))
        for path in [WirePath.identify, WirePath.logout] {
            phone.server.on("POST", path) { _ in
                try .json(ProfileAnswer(profile: .anna(version: 9, id: "other"), attribution: .notAttributed))
            }
        }
        let client = phone.app()
        client.start()
        _ = try await client.paywall(for: .onboarding)
        _ = try await client.identify("customer-7")
        _ = try await client.logOut()
        await client.shutdown()

        try await launch(.assigned("B", version: 9, profile: "other"))

        #expect(try phone.broughtAssignments == [.spring("B")])
        // The shutdown may have come before the answer: then the next launch sends it again.
        #expect(Set(try phone.events.filter { $0.type == .paywallDecided }.map(\.id)).count == 1)
    }

    @Test("A stored paywall keeps its variation without a network", arguments: ["B", "C"] as [VariationName])
    func cached(variation: VariationName) async throws {
        try await launch(.assigned(variation))
        phone.server.isOffline = true
        let client = phone.app { $0.fallback = .bundle }
        client.start()

        let shown = try await client.paywall(for: .onboarding)

        #expect(shown.assignment == .spring(variation))
        #expect((shown.paywall == nil) == (variation == "C"))
        #expect(shown.elapsed == .zero)
        await client.shutdown()
    }

    @Test("A server that lost its store hears of the decision again, once")
    func wipedServer() async throws {
        try await launch(.assigned("B"))
        try await launch(.assigned("B", epoch: 60_000))
        #expect(try phone.broughtAssignments == [.spring("B")])

        try await launch(.assigned("B", epoch: 60_000))

        #expect(Set(try phone.events.filter { $0.type == .paywallDecided }.map(\.id)).count == 2)
    }

    @Test("An answer that can still change is not kept; a call that returns it makes it the install's")
    func preliminary() async throws {
        try phone.streams([.profile(.anna()), .attribution(.pending), .paywall(.assigned("B", final: false))])
        let client = phone.app()
        client.start()
        await client.waitForProfile()
        await phone.settle()
        #expect(client.explain().experiments.isEmpty)

        let shown = try await phone.clock.run { try await client.paywall(for: .onboarding, within: .seconds(1)) }
        await client.shutdown()

        #expect(shown.assignment == .spring("B"))
        try await launch(.assigned("B"))
        #expect(try phone.broughtAssignments == [.spring("B")])
        // An event whose answer the shutdown cut off is sent again, under the same id.
        #expect(Set(try phone.events.filter { $0.type == .paywallDecided }.map(\.id)).count == 1)
    }

    @Test("A variation that the server assigned anew replaces the copy and reports a decision of its own")
    func anotherVariation() async throws {
        try await launch(.assigned("A"))
        try await launch(.assigned("B", version: 2))

        try await launch(.assigned("B", version: 2))

        #expect(try phone.broughtAssignments == [.spring("B")])
        let decided = try phone.events.filter { $0.type == .paywallDecided }
        #expect(decided.map(\.assignment) == [.spring("A"), .spring("B")])
    }

    @Test("leaves the phone with forget(), and with a new installation")
    func forgotten() async throws {
        try await launch(.assigned("B"))
        phone.server.on("DELETE", WirePath.profile) { _ in try .json(ErasureAnswer(profiles: 1, installs: 1)) }
        try phone.streams(.assigned("B"))
        let client = phone.app()
        client.start()
        _ = try await client.paywall(for: .onboarding)
        let phone = phone
        phone.firstOpen { try await phone.never() }
        let asked = phone.firstOpenRequests.count

        try await client.forget()
        await phone.waitForFirstOpen(count: asked + 1)

        #expect(!phone.text(of: .experiments).contains("spring-price"))
        #expect(try phone.broughtAssignments == nil)
        await client.shutdown()
    }

    @Test("of another installation is not this one's: a copy of the files on another phone begins anew")
    func otherInstall() async throws {
        try await launch(.assigned("B"))
        let file = phone.text(of: .experiments).replacingOccurrences(of: #""install":"anna""#, with: #""install":"berta""#)
        try phone.storage.write(Data(file.utf8), to: .experiments)

        try await launch(.assigned("B"))

        #expect(file.contains("berta"))
        #expect(try phone.broughtAssignments == nil)
    }

    @Test("An event that another installation recorded is sent without its assignment, and does not count as a decision of this one")
    func otherInstallsEvents() async throws {
        phone.server.on("POST", WirePath.events) { _ in throw TransportError(.offline) }
        try await launch(.assigned("B"))
        let file = phone.text(of: .install).replacingOccurrences(of: #""id":"anna""#, with: #""id":"berta""#)
        try phone.storage.write(Data(file.utf8), to: .install)
        phone.takesEvents()
        let before = try phone.events.count

        try await launch(.assigned("A"))

        let events = try phone.events.dropFirst(before)
        #expect(file.contains("berta"))
        #expect(events.map(\.type) == [.paywallDecided, .paywallDecided])
        #expect(events.map(\.assignment) == [nil, .spring("A")])
    }

    @Test("A call for a paywall names the device: it may reach the server before the first open does")
    func device() async throws {
        var phone = phone
        phone.deviceIDs = MemoryDeviceIDs("device-of-anna")
        try phone.streams([.profile(.anna()), .attribution(.pending)])
        phone.plain { _ in try .json(PaywallAnswer.untargeted(final: true)) }
        let client = phone.app(preparing: ["other"])
        client.start()
        await client.waitForProfile()

        let call = Task { try await client.paywall(for: .onboarding, within: .seconds(1)) }
        await phone.waitForPlain()

        #expect(phone.plainRequests.first?.headers["landfall-device"] == "device-of-anna")
        call.cancel()
        await client.shutdown()
    }

    @Test("A reinstalled app has no copy, and takes the variation that the server gives back")
    func reinstall() async throws {
        try await launch(.assigned("B"))
        for name in phone.storage.files.keys where name != .install { try phone.storage.remove(name) }

        try await launch(.assigned("B"))

        #expect(try phone.broughtAssignments == nil)
        #expect(phone.text(of: .experiments).contains(#""variation":"B""#))
    }

    @Test("A broken file is set aside, and the app goes on")
    func broken() async throws {
        try await launch(.assigned("B"))
        try phone.storage.write(Data("{\"format\":".utf8), to: .experiments)

        try await launch(.assigned("B"))

        #expect(phone.storage.filesSetAside[.experiments] == Data("{\"format\":".utf8))
        #expect(phone.log.warnings.contains { $0.contains("experiments.json") })
    }

    @Test("explain() shows it, and the variation of a placement that shows nothing")
    func explained() async throws {
        try phone.streams(.assigned("C"))
        let client = phone.app()
        client.start()
        _ = try await client.paywall(for: .onboarding)

        let told = client.explain()

        #expect(told.experiments.map(\.assignment) == [.spring("C")])
        #expect(told.experiments.map(\.isDecided) == [true])
        #expect(told.description.contains("variation 'C', epoch 1, bucket 402675, decided"))
        #expect(told.placements.first?.rungs.first?.variation == "spring-price:C")
        #expect(told.description.contains("nothing to show, variation 'spring-price:C'"))
        await client.shutdown()
    }
}
