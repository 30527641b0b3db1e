// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("Receiving links", .timeLimit(.minutes(1)))
struct ReceivingTests {
    let phone = Phone()

    @Test("A short link is resolved before the app gets it, its click recorded once", arguments: [true, false])
    func short(isBeforeStart: Bool) async throws {
        try phone.answersLinks()
        let client = phone.linkApp()
        if isBeforeStart { #expect(client.receive(.short)) }
        client.start()
        if !isBeforeStart {
            await client.waitForProfile()
            #expect(client.receive(.short))
        }

        let link = try #require(await client.nextLink())
        link.markTaken()
        await phone.settle()

        #expect(link.original == .short)
        #expect(link.resolved == .beach)
        #expect(link.status == .resolved)
        #expect(link.destination == .beach)
        #expect(!link.isRedelivered && !link.isDeferred)
        let clicks = try phone.recordedClicks()
        #expect(Array(clicks.values) == [URL.short.absoluteString])
        await client.shutdown()
    }

    @Test(
        "A link before the first open is sent with it, and needs no other request",
        arguments: [URL.scheme, .universal, .long])
    func ride(url: URL) async throws {
        try phone.answersLinks()
        let client = phone.linkApp()
        client.receive(url)
        phone.clock.moveCalendar(by: .seconds(3))
        client.start()

        let link = try #require(await client.nextLink())
        await client.waitForProfile()
        await phone.settle()

        #expect(link.status == .passedThrough)
        #expect(link.resolved == url)
        #expect(link.destination != nil)
        #expect(link.age == .seconds(3))
        let open = try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.first)
        #expect(open.links.map(\.url) == [url.absoluteString])
        #expect(open.links.map(\.ageMilliseconds) == [3_000])
        #expect(phone.linkRequests.isEmpty)
        #expect(phone.firstOpenRequests.count == 1)
        await client.shutdown()
    }

    @Test("A later link is sent with the outbox; its answer contains the profile, and no other request follows")
    func later() async throws {
        try phone.answersLinks()
        phone.opens { request in
            LinkOpenAnswer(
                status: .passedThrough, original: request.url,
                person: ProfileAnswer(profile: .anna(version: 2, attributionVersion: 1), attribution: .byLink))
        }
        let client = await phone.startedLinkApp()
        await phone.settle()

        client.receive(.universal)

        await client.waitForProfile { $0.version == 2 && $0.attribution == .byLink }
        #expect(try phone.recordedClicks().count == 1)
        await phone.settle()
        #expect(phone.server.requests.count == 2)
        await client.shutdown()
    }

    @Test(
        "A text that is not a link is refused: nothing is stored, sent or delivered",
        arguments: [
            "javascript:alert(1)", "data:text/html,x", "https://user:secret@example.com/", "example://a%00b",
            "https://example.com/%FF",
            "https://example.com/" + String(repeating: "a", count: 4096), "beach",
        ])
    func invalid(text: String) async throws {
        try phone.answersLinks()
        let client = await phone.startedLinkApp()
        let url = try #require(URL(string: text))

        #expect(!client.receive(url))
        #expect(!client.recordClick(url))
        let opened = await client.open(url, from: .system)
        #expect(opened == OpenedLink(original: url, status: .invalid))
        client.receive(.scheme)

        #expect(await client.nextLink()?.original == .scheme)
        #expect(try phone.recordedClicks().values.allSatisfy { $0 == URL.scheme.absoluteString })
        #expect(phone.log.warnings.allSatisfy { !$0.contains(text) })
        await client.shutdown()
    }

    @Test(
        "The answer of a sign-in is left to the next handler, and nothing of it is kept",
        arguments: ["fb12345://authorize#access_token=pssst", "https://brandname.go.link/callback?code=pssst&state=1"])
    func signIn(text: String) async throws {
        try phone.answersLinks()
        let client = phone.linkApp()
        let url = try #require(URL(string: text))
        #expect(!client.receive(url))
        client.start()
        await client.waitForProfile()

        #expect(!client.recordClick(url))
        #expect(await client.open(url, from: .system).status == .passedThrough)
        client.receive(.scheme)

        #expect(await client.nextLink()?.original == .scheme)
        await phone.settle()
        #expect(phone.keepsNothing(of: "pssst"))
        await client.shutdown()
    }

    @Test(
        "A link with a secret reaches the app unchanged, and neither the server nor the files",
        arguments: [
            "https://example.com/reset?token=pssst", "example://login?otp=pssst",
            "https://brandname.go.link/in?code=pssst-and-fifteen-more-bytes",
            "https://brandname.go.link/x?adj_deep_link=example%3A%2F%2Freset%3Fpassword%3Dpssst",
        ])
    func secret(text: String) async throws {
        try phone.answersLinks()
        let client = phone.linkApp()
        let url = try #require(URL(string: text))
        #expect(client.receive(url))
        #expect(client.receive(url))
        client.start()
        await client.waitForProfile()

        #expect(!client.recordClick(url))
        let link = try #require(await client.nextLink())
        link.markTaken()
        client.receive(.scheme)

        #expect(await client.nextLink()?.original == .scheme)
        await phone.settle()
        #expect(link.original == url)
        #expect(link.resolved == url)
        #expect(link.status == .passedThrough)
        #expect(try phone.recordedClicks().values.allSatisfy { $0 == URL.scheme.absoluteString })
        #expect(phone.keepsNothing(of: "pssst"))
        await client.shutdown()
    }

    @Test(
        "The app's own links are accepted, and others are left to the next handlers",
        arguments: [
            ("https://brandname.go.link/beach", true), ("https://example.com/beach", true), ("example://beach", true),
            ("EXAMPLE://beach", true), ("https://click.mail.example/abc", true), ("https://elsewhere.example.org/beach", false),
            ("other://beach", false), ("msauth.com.example.app://auth?code=1", false), ("https://evilexample.com/beach", false),
        ])
    func own(text: String, isOwn: Bool) async throws {
        let client = phone.linkApp()

        #expect(client.receive(try #require(URL(string: text))) == isOwn)
        await phone.settle()
        #expect(phone.keepsNothing(of: text) == !isOwn)
        await client.shutdown()
    }

    @Test(
        "If neither host nor scheme is configured, every link is accepted except the answer of a sign-in",
        arguments: [
            (LinkDomains(), "https://any.example/beach", true), (LinkDomains(), "any://beach", true),
            (LinkDomains(), "any://callback?code=1&state=2", false),
            (LinkDomains(schemes: ["example"]), "https://any.example/beach", true),
            (LinkDomains(schemes: ["example"]), "any://beach", false),
            (LinkDomains(universal: ["example.com"]), "any://beach", false),
        ])
    func unconfigured(domains: LinkDomains, text: String, isTaken: Bool) throws {
        #expect(LinkRules(domains: domains).takes(try LinkAddress(text)) == isTaken)
    }

    @Test("Collection off: links reach the app, nothing is recorded, and links that need the server are disabled")
    func off() async throws {
        try phone.answersLinks()
        let client = phone.linkApp { $0.collection = .off }
        client.receive(.short)
        client.receive(.scheme)
        client.start()
        await client.waitForProfile()

        var links = client.links.makeAsyncIterator()
        let short = try #require(await links.next()), scheme = try #require(await links.next())
        let opened = await client.open(.short, from: .app)
        #expect(!client.recordClick(.universal))
        await phone.settle()

        #expect(short.status == .disabled)
        #expect(short.resolved == .short)
        #expect(short.destination == nil)
        #expect(scheme.status == .passedThrough)
        #expect(scheme.destination == .beach)
        #expect(opened == OpenedLink(original: .short, status: .disabled))
        #expect(try phone.recordedClicks().isEmpty)
        #expect(phone.linkRequests.isEmpty)
        await client.shutdown()
    }

    @Test("A stored mode of an earlier launch applies to links that come before the files are read")
    func storedOff() async throws {
        try phone.answersLinks()
        let first = phone.linkApp { $0.collection = .off }
        first.start()
        await phone.storageHolds(.profile) { $0.contains("\"off\"") }
        await first.shutdown()

        let second = phone.linkApp()
        second.receive(.short)
        second.start()

        #expect(await second.nextLink()?.status == .disabled)
        await phone.settle()
        #expect(try phone.recordedClicks().isEmpty)
        await second.shutdown()
    }

    @Test("Unsent clicks are dropped when collection is turned off; the links stay")
    func turnedOff() async throws {
        try phone.answersLinks()
        let client = phone.linkApp()
        client.receive(.universal)
        client.receive(.short)

        client.collection = .off
        client.start()
        await client.waitForProfile()

        var links = client.links.makeAsyncIterator()
        #expect(await links.next()?.original == .universal)
        #expect(await links.next()?.status == .disabled)
        await phone.settle()
        #expect(try phone.recordedClicks().isEmpty)
        await client.shutdown()
    }

    @Test("Essential: a click of the team's own link is recorded, like events")
    func essential() async throws {
        try phone.answersLinks()
        let client = phone.linkApp { $0.collection = .essential }
        client.receive(.short)
        client.start()

        #expect(await client.nextLink()?.status == .resolved)
        await client.waitForProfile()
        #expect(try phone.recordedClicks().count == 1)
        await client.shutdown()
    }
}
