// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("Profiles", .timeLimit(.minutes(1)))
struct ProfileTests {
    let phone = Phone()

    @Test("A late listener gets the current profile at once, then every change in order")
    func lateListener() async throws {
        let body = try phone.streams(.undecided)
        let client = phone.app()
        client.start()
        await client.waitForProfile()

        var late = client.profiles.makeAsyncIterator()
        #expect(await late.next()?.version == 1)
        try body.say(.profile(.anna(version: 2)), .attribution(.pending), .profile(.anna(version: 3)), .attribution(.appleAds))
        try body.say(.profile(.anna(version: 4)), .attribution(.appleAds))

        #expect(await late.next()?.version == 3, "What came as one change is one change.")
        #expect(await late.next()?.version == 4)
        await client.shutdown()
        #expect(await late.next() == nil)
    }

    @Test("The link that brought the user back is reported, and known at the next launch before the server is asked")
    func engagement() async throws {
        var wire = WireProfile.anna()
        wire.engagement = .init(source: .link, verified: true, attributedAtMilliseconds: 1_790_000_000_000)
        wire.engagement?.link = .init(clickedAtMilliseconds: 1_790_000_000_000, isReattribution: true)
        let tapped = Date(timeIntervalSince1970: 1_790_000_000)
        var expected = Landfall.AttributionDetails(source: .link, attributedAt: tapped)
        expected.link = .init(clickedAt: tapped, isReattribution: true)
        let details = expected
        try phone.streams([.profile(wire), .attribution(.notAttributed)])
        let client = phone.app()
        client.start()

        await client.waitForProfile { $0.engagement == details && $0.attribution == .notAttributed }
        await phone.storageHolds(.profile) { $0.contains("isReattribution") }
        await client.shutdown()

        phone.server.isOffline = true
        let second = phone.app()
        second.start()
        await second.waitForProfile { $0.engagement == details }
        await second.shutdown()
    }

    @Test("Listeners that end while profiles change delay no one")
    func leaving() async throws {
        let body = try phone.streams([.profile(.anna()), .attribution(.pending)])
        let client = phone.app()
        client.start()
        await client.waitForProfile()

        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                let listener = Task { for await _ in client.profiles {} }
                group.addTask { listener.cancel() }
                group.addTask { await listener.value }
            }
            for version in 2...100 {
                group.addTask { try? body.say(.profile(.anna(version: Int64(version))), .attribution(.pending)) }
            }
        }

        try body.say(.profile(.anna(version: 101)), .attribution(.appleAds))
        await client.waitForProfile { $0.version == 101 }
        await client.shutdown()
    }

    @Test("Profiles that differ only in attribution are not equal, and both are reported")
    func onlyAttributionDiffers() async throws {
        let body = try phone.streams(.undecided)
        let client = phone.app()
        client.start()
        var changes = client.profiles.makeAsyncIterator()
        let before = await changes.next()

        try body.say(.attribution(.appleAds))
        let after = await changes.next()

        #expect(before != after)
        #expect(before?.version == after?.version)
        #expect(after?.attribution == .appleAds)
        await client.shutdown()
    }

    @Test("Order is epoch, then version: an older profile is ignored, a new epoch always wins")
    func order() async throws {
        let body = try phone.streams([.profile(.anna(epoch: 3, version: 9)), .attribution(.notAttributed)])
        let client = phone.app()
        client.start()
        await client.waitForProfile()

        try body.say(.profile(.anna(epoch: 2, version: 50)), .attribution(.appleAds))
        try body.say(.profile(.anna(epoch: 3, version: 8)), .attribution(.appleAds))
        try body.say(.profile(.anna(epoch: 4, version: 1)), .attribution(.unavailable(.notFound)))
        await client.waitForProfile { $0.epoch == 4 }

        #expect(client.profile?.version == 1)
        #expect(client.attribution == .unavailable(.notFound))
        await client.shutdown()
    }

    @Test("Identify and log-out: the answer is the profile, and calls after it are about that person")
    func identify() async throws {
        try phone.streams([.profile(.anna()), .attribution(.notAttributed), .paywall(.untargeted(final: true)), .end(.final)])
        phone.server.on("POST", WirePath.identify) { _ in
            var profile = WireProfile.anna(epoch: 2, id: "bea")
            profile.customerId = "customer-1"
            return try .json(ProfileAnswer(profile: profile, attribution: .notAttributed))
        }
        phone.server.on("POST", WirePath.logout) { _ in
            try .json(ProfileAnswer(profile: .anna(epoch: 3, id: "nobody"), attribution: .notAttributed))
        }
        phone.plain { _ in try .json(PaywallAnswer.targeted(version: 1, epoch: 2, profile: "bea")) }
        let client = phone.app()
        client.start()
        #expect(try await client.paywall(for: .onboarding).paywall?.name == .default)

        let bea = try await client.identify("customer-1", token: "proof")

        #expect(bea.customerID == "customer-1")
        #expect(client.profile?.id == ProfileID("bea"))
        #expect(try await client.paywall(for: .onboarding).paywall?.name == .appleAds)
        let sent = try phone.sent(IdentifyRequest.self, phone.server.requests("POST", WirePath.identify).first)
        #expect(sent.identityToken == "proof")
        #expect(try await client.logOut().id == ProfileID("nobody"))
        await client.shutdown()
    }

    @Test("Identify offline throws at once, and invalid ids are not sent")
    func identifyFails() async throws {
        phone.server.isOffline = true
        let client = phone.app()
        client.start()

        await #expect(throws: LandfallError(.network(TransportError(.offline)))) { try await client.identify("customer-1") }
        await #expect(throws: LandfallError.self) { try await client.identify("") }
        #expect(phone.server.requests("POST", WirePath.identify).count == 1)
        await client.shutdown()
    }

    @Test("Attributes set before the first open are part of it, and are not sent again")
    func attributesRide() async throws {
        let body = try phone.streams()
        let client = phone.app()
        try client.setAttributes(["level": .number(3), "name": .string("Anna")])
        client.start()
        await phone.waitForFirstOpen()

        try body.say(.undecided)
        await client.waitForProfile()
        await phone.settle()

        let request = try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.first)
        #expect(request.attributeChanges.map(\.attributes) == [["level": .number(3), "name": .string("Anna")]])
        #expect(phone.server.requests("POST", WirePath.attributes).isEmpty)
        await client.shutdown()
    }

    @Test("Later attributes and claims are sent with the outbox")
    func outbox() async throws {
        for path in [WirePath.attributes, WirePath.attribution] {
            phone.server.on("POST", path) { _ in
                try .json(ProfileAnswer(profile: .anna(version: 2), attribution: .notAttributed))
            }
        }
        try phone.streams([.profile(.anna()), .attribution(.notAttributed), .end(.final)])
        let client = phone.app()
        client.start()
        await client.waitForProfile()

        try client.setAttributes(["level": nil])
        try client.reportAttribution(source: AttributionSource("appsflyer"), status: .nonOrganic, campaign: "summer")

        await phone.server.waitForRequests("POST", WirePath.attributes)
        await phone.server.waitForRequests("POST", WirePath.attribution)
        let claim = try phone.sent(AttributionClaim.self, phone.server.requests("POST", WirePath.attribution).first)
        #expect(claim.campaign == "summer")
        await client.shutdown()
    }

    @Test(
        "A change that breaks a documented limit is refused as a whole",
        arguments: [
            [String(repeating: "k", count: 31): AttributeValue.bool(true)], ["": .bool(true)], ["a b": .bool(true)],
            ["k": .string(String(repeating: "v", count: 201))], ["k": .string("e" + String(repeating: "\u{FE0F}", count: 67))],
            ["k": .string("\0")], ["k": .number(.infinity)],
            ["k": .string("a" + String(repeating: "\u{300}", count: 31))],
            Dictionary(uniqueKeysWithValues: (0...30).map { ("k\($0)", AttributeValue.bool(true)) }),
        ])
    func limits(changes: [String: AttributeValue]) async throws {
        let client = phone.app()

        #expect(throws: LandfallError.self) { try client.setAttributes(changes.mapValues { $0 }) }

        await phone.settle()
        #expect(phone.text(of: .outbox).isEmpty)
    }

    @Test("The server's own sources cannot be claimed", arguments: ["apple_search_ads", "link", "Upper", ""])
    func reservedSources(source: String) throws {
        let client = phone.app()

        #expect(throws: LandfallError.self) {
            try client.reportAttribution(source: AttributionSource(source), status: .organic)
        }
    }

    @Test("Attribution that comes after the stream has ended still reaches listeners")
    func watch() async throws {
        try phone.streams([
            .profile(.anna()), .attribution(.pending(nextAnswerNotBefore: 20_000)), .paywall(.untargeted(final: true)),
            .end(.holdOver),
        ])
        phone.server.on("GET", WirePath.profile) { _ in
            try .json(ProfileAnswer(profile: .anna(version: 2, attributionVersion: 1), attribution: .appleAds))
        }
        let client = phone.app()
        client.start()
        await client.waitForProfile()
        #expect(phone.server.requests("GET", WirePath.profile).isEmpty)

        await phone.pass(.seconds(20))

        await client.waitForProfile { $0.attribution == .appleAds }
        #expect(phone.server.requests("GET", WirePath.profile).count == 1)
        await client.shutdown()
    }

    @Test("A server that holds neither stream nor wait is asked for the profile less and less often")
    func noLoop() async throws {
        try phone.streams([
            .profile(.anna()), .attribution(.pending), .paywall(.untargeted(final: false)), .end(.notHeld),
        ])
        phone.server.on("GET", WirePath.profile) { _ in
            try .json(ProfileAnswer(profile: .anna(), attribution: .pending))
        }
        let client = phone.app()
        client.start()
        await client.waitForProfile()

        await phone.pass(.seconds(60))

        // After 1, 2, 4, 8, 16 seconds and so on.
        #expect((2...7).contains(phone.server.requests("GET", WirePath.profile).count))
        await client.shutdown()
    }
}
