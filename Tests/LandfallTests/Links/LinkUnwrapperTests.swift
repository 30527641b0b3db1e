// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("Links inside other links", .timeLimit(.minutes(1)))
struct LinkUnwrapperTests {
    let phone = Phone()
    static let mail = URL(string: "https://click.mail.example/abc")!

    init() throws { try phone.answersLinks() }

    /// The scripted server does not compare hosts, so each hop has its own path.
    func redirects(_ path: String, to location: String?, status: Int = 302) {
        phone.server.on("GET", path) { _ in
            ScriptedAnswer(status: status, headers: location.map { ["location": $0] } ?? [:])
        }
    }

    var hops: [TransportRequest] {
        phone.server.requests.filter { $0.url.host?.hasSuffix(".example") == true && $0.method == "GET" }
    }

    @Test(
        "A wrapped link is found, resolved if it is short, and its click recorded for the link itself",
        arguments: [301, 302, 303, 307, 308])
    func found(status: Int) async throws {
        redirects("/abc", to: "https://a.wrap.example/next", status: status)
        redirects("/next", to: URL.short.absoluteString, status: status)
        let client = await phone.startedLinkApp { $0.minimumLogLevel = .debug }

        client.receive(Self.mail)
        let link = await client.nextLink()

        #expect(link?.original == Self.mail)
        #expect(link?.resolved == .beach)
        #expect(link?.status == .resolved)
        #expect(link?.destination == .beach)
        #expect(Array(try phone.recordedClicks().values) == [URL.short.absoluteString])
        #expect(hops.map(\.url.absoluteString) == [Self.mail.absoluteString, "https://a.wrap.example/next"])
        let lines = phone.log.texts.filter { $0.contains("(a wrapped link)") }
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasSuffix(": \(status)") && !$0.contains("abc") && !$0.contains("next") })
        #expect(hops.allSatisfy { $0.headers["authorization"] == nil && $0.headers[WireHeader.profile.lowercased()] == nil })
        await client.shutdown()
    }

    @Test(
        "A wrapped link that needs no server is ready as soon as it is unwrapped; its click follows",
        arguments: [URL.universal, .scheme, .long])
    func direct(url: URL) async throws {
        redirects("/abc", to: url.absoluteString)
        let client = await phone.startedLinkApp()
        client.receive(Self.mail)

        let link = await client.nextLink()

        #expect(link?.resolved == url)
        #expect(link?.status == .resolved)
        #expect(link?.destination != nil)
        try await phone.eventually { try !phone.recordedClicks().isEmpty }
        #expect(Array(try phone.recordedClicks().values) == [url.absoluteString])
        await client.shutdown()
    }

    @Test("A wrapper's server that does not answer delays only its own click")
    func deadWrapper() async throws {
        phone.server.on("GET", "/abc") { _ in throw TransportError(.connectionFailed) }
        let client = await phone.startedLinkApp()
        client.receive(Self.mail)
        await client.nextLink()?.markTaken()
        // For the link, perhaps once more for its listener, and for its click alone, which is tried again a second later.
        await phone.eventually { phone.server.requests("GET", "/abc").count >= 2 }
        await phone.settle()
        let tries = phone.server.requests("GET", "/abc").count

        client.receive(.universal)
        try await phone.eventually { try phone.recordedClicks().values.contains(URL.universal.absoluteString) }
        #expect(phone.server.requests("GET", "/abc").count == tries)

        redirects("/abc", to: URL.long.absoluteString)
        await phone.pass(.seconds(20))
        #expect(try phone.recordedClicks().values.contains(URL.long.absoluteString))
        await client.shutdown()
    }

    @Test(
        "A click whose wrapper's server is silent holds up no other when the app leaves or comes back",
        arguments: [PlatformSignal.enteredForeground, .enteredBackground])
    func silentWrapper(signal: PlatformSignal) async throws {
        let platform = ScriptedPlatform()
        phone.server.on("GET", "/abc") { _ in throw TransportError(.connectionFailed) }
        let client = await phone.startedLinkApp { $0.platform = [platform] }
        client.recordClick(Self.mail)
        await phone.server.waitForRequests("GET", "/abc")
        await phone.settle()
        let tries = phone.server.requests("GET", "/abc").count
        phone.server.on("GET", "/abc") { _ in try await phone.never() }

        platform.say(signal)
        await phone.server.waitForRequests("GET", "/abc", count: tries + 1)
        client.receive(.universal)
        await phone.pass(.seconds(1))

        #expect(try phone.recordedClicks().values.contains(URL.universal.absoluteString))
        await client.shutdown()
    }

    @Test("A silent wrapper holds up no other click from its first try on, and its own click is sent once it answers")
    func silentFromTheFirst() async throws {
        phone.server.on("GET", "/abc") { [clock = phone.clock] _ in
            try await clock.sleep(until: clock.now.advanced(by: .seconds(5)))
            return ScriptedAnswer(status: 302, headers: ["location": URL.long.absoluteString])
        }
        let client = await phone.startedLinkApp()
        client.recordClick(Self.mail)
        await phone.server.waitForRequests("GET", "/abc")

        client.recordClick(.universal)
        await phone.pass(.seconds(1))
        #expect(Array(try phone.recordedClicks().values) == [URL.universal.absoluteString])

        await phone.pass(.seconds(6))
        #expect(try phone.recordedClicks().values.contains(URL.long.absoluteString))
        await client.shutdown()
    }

    @Test("A wrapped link is not part of the first open: its target is not known yet")
    func firstOpen() async throws {
        redirects("/abc", to: URL.universal.absoluteString)
        let client = phone.linkApp()
        client.receive(Self.mail)
        client.start()

        #expect(await client.nextLink()?.resolved == .universal)
        await client.waitForProfile()
        try await phone.eventually { try !phone.recordedClicks().isEmpty }
        #expect(try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.first).links.isEmpty)
        #expect(Array(try phone.recordedClicks().values) == [URL.universal.absoluteString])
        await client.shutdown()
    }

    @Test(
        "Every hop uses https, with the host's own port",
        arguments: [
            ("http://click.mail.example/abc", "https://click.mail.example/abc"),
            ("http://click.mail.example:80/abc?a=b#c", "https://click.mail.example/abc?a=b#c"),
            ("http://CLICK.mail.example:8080/abc", "https://click.mail.example:8080/abc"),
        ])
    func https(link: String, asked: String) async throws {
        redirects("/abc", to: "http://a.wrap.example/next")
        redirects("/next", to: "http://example.com/summer-clothes?promo=beach")
        let client = await phone.startedLinkApp()

        let opened = await client.open(URL(string: link)!, from: .app)

        #expect(opened.resolved == .universal)
        #expect(hops.map(\.url.absoluteString) == [asked, "https://a.wrap.example/next"])
        await client.shutdown()
    }

    @Test("A location may be relative")
    func relative() async throws {
        redirects("/abc", to: "/next?x=1")
        redirects("/next", to: "//example.com/summer-clothes?promo=beach")
        let client = await phone.startedLinkApp()

        #expect(await client.open(Self.mail, from: .app).resolved == .universal)
        await client.shutdown()
    }

    @Test(
        "A link that leads nowhere is passed through unchanged",
        arguments: [
            (200, String?.none), (404, nil), (302, nil), (302, ""), (302, "javascript:alert(1)"),
            (302, "https://user@example.com/"),
        ])
    func nowhere(status: Int, location: String?) async throws {
        redirects("/abc", to: location, status: status)
        let client = await phone.startedLinkApp()

        let link = await client.open(Self.mail, from: .app)

        #expect(link == OpenedLink(original: Self.mail, status: .passedThrough))
        await client.shutdown()
    }

    @Test("At most ten hops are followed", arguments: [(10, true), (11, false)])
    func hops(count: Int, isFound: Bool) async throws {
        redirects("/abc", to: count == 1 ? URL.universal.absoluteString : "/2")
        for hop in stride(from: 2, through: count, by: 1) {
            redirects("/\(hop)", to: hop == count ? URL.universal.absoluteString : "/\(hop + 1)")
        }
        let client = await phone.startedLinkApp()

        let link = await client.open(Self.mail, from: .app)

        #expect(link.resolved == (isFound ? .universal : Self.mail))
        #expect(hops.count == 10)
        await client.shutdown()
    }

    @Test("Only listed hosts are followed: the first host that is not listed is the destination")
    func unlisted() async throws {
        redirects("/abc", to: "https://evil-wrap.example/next")
        let client = await phone.startedLinkApp()

        let link = await client.open(Self.mail, from: .app)

        #expect(link.resolved.absoluteString == "https://evil-wrap.example/next")
        #expect(link.destination == nil)
        #expect(hops.count == 1)
        await client.shutdown()
    }

    @Test(
        "A wrapper that cannot be reached is offline; one that is silent is timed out",
        arguments: [LinkStatus.offline, .timedOut])
    func unreachable(status: LinkStatus) async throws {
        phone.server.on("GET", "/abc") { [phone] _ in
            if status == .offline { throw TransportError(.connectionFailed) }
            return try await phone.never()
        }
        let client = await phone.startedLinkApp()
        let opened = Task { await client.open(Self.mail, from: .app) }
        await phone.server.waitForRequests("GET", "/abc")
        if status == .timedOut { await phone.pass(.milliseconds(2_500)) }

        #expect(await opened.value == OpenedLink(original: Self.mail, status: status))
        await client.shutdown()
    }

    @Test("The answer of a sign-in behind a wrapper is not sent")
    func signIn() async throws {
        redirects("/abc", to: "https://brandname.go.link/callback?code=secret&state=1")
        let client = await phone.startedLinkApp()

        client.receive(Self.mail)
        let link = await client.nextLink()
        await phone.pass(.seconds(5))

        #expect(link?.resolved.absoluteString == "https://brandname.go.link/callback?code=secret&state=1")
        #expect(phone.linkRequests.isEmpty)
        await client.shutdown()
    }
}
