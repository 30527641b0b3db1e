// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("The server's rules for links", .timeLimit(.minutes(1)))
struct KnownLinkRulesTests {
    let phone = Phone()

    /// A link that the app itself does not know to be long.
    private static let shop = URL(string: "https://brandname.go.link/shop/7?size=m&adj_t=abc")!

    @Test("Before the server has said them a long link is asked about; then a tap waits for no request, and its click follows")
    func learned() async throws {
        try phone.answersLinks()
        let first = await phone.startedLinkApp()
        let asked = await first.open(Self.shop, from: .app)
        #expect(asked.status == .passedThrough)
        #expect(try phone.questions == 1)
        await first.shutdown()
        try phone.says(.shop)
        phone.opens { _ in try await phone.silence() }
        let second = await phone.startedLinkApp()
        await phone.storageHolds(.linkRules) { $0.contains("/shop/*") }

        let opened = await second.open(Self.shop, from: .system)
        second.receive(Self.shop.appending(queryItems: [URLQueryItem(name: "tap", value: "2")]))
        let received = await second.nextLink()
        await phone.settle()

        #expect(opened.status == .passedThrough && received?.status == .passedThrough)
        #expect(opened.destination == Destination(path: ["shop", "7"], query: [.init("size", "m")]))
        #expect(received?.destination?.path == ["shop", "7"])
        #expect(try phone.questions == 1)
        #expect(try phone.recordedClicks().values.contains(Self.shop.absoluteString))
        await second.shutdown()
    }

    @Test("A short link still waits for the server, for 2.5 s at most")
    func short() async throws {
        try phone.says(.shop)
        phone.opens { _ in try await phone.silence() }
        let client = await phone.startedLinkApp()

        async let short = client.open(.short, from: .app)
        try await phone.eventually { try phone.questions == 1 }
        await phone.pass(.milliseconds(2_500))

        #expect(await short.status == .timedOut)
        await client.shutdown()
    }

    @Test("A launch by a tap needs no answer for a long link: the rules are in the files", arguments: [true, false])
    func nextLaunch(isBeforeStart: Bool) async throws {
        try phone.says(.shop)
        let first = await phone.startedLinkApp()
        await phone.storageHolds(.linkRules) { $0.contains("/shop/*") }
        await first.shutdown()
        phone.firstOpen { try await phone.never() }
        phone.opens { _ in try await phone.silence() }

        let second = phone.linkApp()
        if isBeforeStart { second.receive(Self.shop) }
        second.start()
        if !isBeforeStart { second.receive(Self.shop) }
        let received = await second.nextLink()

        #expect(received?.status == .passedThrough && received?.original == Self.shop)
        await second.shutdown()
    }

    @Test("A request names the version of the phone's rules; other rules replace them, and a version may come back")
    func versions() async throws {
        try phone.says(.shop)
        let client = await phone.startedLinkApp()
        await phone.storageHolds(.linkRules) { $0.contains("/shop/*") }
        await client.shutdown()
        try phone.says(WireLinkRules(version: "0", brand: [.init(host: "brandname.go.link", paths: [])]))

        let second = await phone.startedLinkApp()
        await phone.storageHolds(.linkRules) { !$0.contains("/shop/*") }
        _ = await second.open(Self.shop, from: .app)
        await second.shutdown()
        try phone.says(.shop)
        let third = await phone.startedLinkApp()
        await phone.storageHolds(.linkRules) { $0.contains("/shop/*") }
        _ = await third.open(Self.shop, from: .app)

        #expect(phone.firstOpenRequests.map { $0.headers["landfall-link-rules"] } == ["0", "s1", "0"])
        #expect(try phone.questions == 1)
        await third.shutdown()
    }

    @Test("A paywall's answer brings them too, and the stored paywall does not contain them")
    func withAPaywall() async throws {
        try phone.streams([.profile(.anna()), .attribution(.notAttributed), .end(.final)])
        phone.plain { kind in
            var answer = PaywallAnswer.untargeted(final: true)
            answer.kind = kind
            answer.linkRules = .shop
            return try .json(answer)
        }
        phone.opens { LinkOpenAnswer(status: .passedThrough, original: $0.url) }
        let client = phone.app(preparing: []) { $0.links = .example }
        client.start()
        let shown = try await phone.clock.run { try await client.paywall(for: .onboarding, within: .seconds(5)) }

        let opened = await client.open(Self.shop, from: .app)

        #expect(shown.paywall != nil)
        #expect(opened.status == .passedThrough)
        #expect(try phone.questions == 0)
        #expect(phone.plainRequests.first?.headers["landfall-link-rules"] == "0")
        await phone.storageHolds(.linkRules) { $0.contains("/shop/*") }
        await phone.filesHold { $0.contains("onboarding") }
        #expect(!phone.text(of: .paywalls).contains("/shop/*"))
        await client.shutdown()
    }

    @Test("A question that waits when the rules come needs no answer any more; its click goes with the outbox")
    func waitingQuestion() async throws {
        try phone.says(.shop)
        let first = await phone.startedLinkApp()
        await phone.storageHolds(.linkRules) { $0.contains("/shop/*") }
        await first.shutdown()
        try phone.answersLinks()

        let client = phone.linkApp()
        async let opened = client.open(Self.shop, from: .system)
        await phone.eventually { client.runningOperations > 0 }
        client.start()

        #expect(await opened.status == .passedThrough)
        await client.waitForProfile()
        await phone.settle()
        #expect(phone.linkRequests.isEmpty)
        #expect(try phone.recordedClicks().count == 1)
        await client.shutdown()
    }

    @Test(
        "A link is long by its host and its path alone, however they are written",
        arguments: [
            ("https://BRANDNAME.go.link/shop/7", true), ("https://brandname.go.link./shop/7/", true),
            ("https://brandname.go.link/%73hop/7", true), ("https://brandname.go.link/shop/", true),
            ("https://brandname.go.link/caf%c3%a9", true), ("https://brandname.go.link/caf%C3%A9", true),
            ("https://brandname.go.link/Shop/7", false), ("https://brandname.go.link/shop", false),
            ("https://brandname.go.link/beach", false), ("https://brandname.go.link/other/shop/7", false),
            ("https://news.go.link/shop/7", false), ("https://news.go.link/story/1", true),
            ("https://third.go.link/shop/7", false),
        ])
    func written(text: String, isLong: Bool) throws {
        let domains = LinkDomains(brand: ["brandname.go.link", "news.go.link", "third.go.link"])
        var routing = LinkRouting(rules: LinkRules(domains: domains))
        #expect(routing.route(of: try LinkAddress(text)) == .ask)

        routing.known = KnownLinkRules(
            WireLinkRules(
                version: "v",
                brand: [
                    .init(host: "brandname.go.link", paths: ["/shop/*", "/caf%C3%A9"]),
                    .init(host: "news.go.link", paths: ["/story/?"]),
                ]))

        #expect(routing.route(of: try LinkAddress(text)) == (isLong ? .direct : .ask))
    }

    @Test("The app's own long paths count beside the server's, and the app decides which hosts are its own")
    func beside() throws {
        let routing = { (rules: LinkRules) in LinkRouting(rules: rules, known: KnownLinkRules(.shop)) }
        let shop = try LinkAddress(Self.shop.absoluteString), products = try LinkAddress(URL.long.absoluteString)

        #expect(routing(.example).route(of: shop) == .direct)
        #expect(routing(.example).route(of: products) == .direct)
        #expect(routing(LinkRules()).route(of: shop) == .direct)
        #expect(routing(LinkRules()).route(of: products) == .ask)
        #expect(routing(LinkRules(wrapperHosts: ["brandname.go.link"])).route(of: shop) == .unwrap)
    }

    @Test("A wrapped link that is long needs no question")
    func wrapped() async throws {
        try phone.says(.shop)
        phone.server.on("GET", "/track") { _ in ScriptedAnswer(status: 302, headers: ["location": Self.shop.absoluteString]) }
        let client = await phone.startedLinkApp()

        let opened = await client.open(URL(string: "https://click.mail.example/track")!, from: .app)

        #expect(opened.resolved == Self.shop && opened.status == .resolved)
        #expect(try phone.questions == 0)
        await client.shutdown()
    }

    @Test("While collection is off a long link still leads to its screen, and nothing is recorded")
    func off() async throws {
        try phone.says(.shop)
        let client = await phone.startedLinkApp()
        client.collection = .off

        let opened = await client.open(Self.shop, from: .system)
        let short = await client.open(.short, from: .system)
        await phone.settle()

        #expect(opened.status == .passedThrough)
        #expect(short.status == .disabled)
        #expect(try phone.recordedClicks().isEmpty)
        await client.shutdown()
    }

    @Test(
        "Rules that are broken or too large change nothing: links are asked about, and the paywall is there",
        arguments: [
            #"{"format":1,"rules":{"version":7}}"#, "{", #"{"format":1,"rules":{"version":"a\r\nb","brand":[]}}"#,
            #"{"format":1,"rules":{"version":"v","brand":[{"host":"brandname.go.link","paths":["/shop/*"]},{"host":"\#(String(repeating: "a", count: 20_000))","paths":[]}]}}"#,
        ])
    func broken(text: String) async throws {
        let rules = String(text.dropFirst(#"{"format":1,"rules":"#.utf8.count).dropLast())
        let line = #"{"type":"linkRules","linkRules":\#(rules)}"#
        try phone.storage.write(Data(text.utf8), to: .linkRules)
        try phone.answersLinks()
        phone.firstOpen {
            let body = ScriptedBody()
            try body.say(.profile(.anna()), .attribution(.notAttributed), .paywall(.untargeted(final: true)))
            body.send(line: line)
            try body.say(.end(.final))
            body.finish()
            return ScriptedAnswer(body: body)
        }
        let client = await phone.startedLinkApp()

        let shown = try await client.paywall(for: .onboarding, within: .seconds(5))
        let opened = await client.open(Self.shop, from: .app)

        #expect(shown.origin == .matchingAudience)
        #expect(opened.status == .passedThrough)
        #expect(phone.linkRequests.count == 1)
        #expect(phone.firstOpenRequests.map { $0.headers["landfall-link-rules"] } == ["0"])
        await client.shutdown()
    }

    @Test("forget() removes them; the next first open brings them again")
    func forgotten() async throws {
        try phone.says(.shop)
        phone.server.on("DELETE", WirePath.profile) { _ in try .json(ErasureAnswer(profiles: 1, installs: 1)) }
        let client = await phone.startedLinkApp()
        await phone.storageHolds(.linkRules) { $0.contains("/shop/*") }

        try await client.forget()

        await phone.waitForFirstOpen(count: 2)
        #expect(phone.firstOpenRequests.last?.headers["landfall-link-rules"] == "0")
        await client.shutdown()
    }
}

extension WireLinkRules {
    fileprivate static let shop = WireLinkRules(
        version: "s1", brand: [.init(host: "brandname.go.link", paths: ["/shop/*"]), .init(host: "news.go.link", paths: [])])
}

extension Phone {
    /// The server answers every first open at once, with these rules for a phone that has others.
    fileprivate func says(_ rules: WireLinkRules) throws {
        try answersLinks()
        server.on("POST", WirePath.firstOpen) { request in
            let known = request.headers["landfall-link-rules"]
            return try .lines(
                [.profile(.anna()), .attribution(.notAttributed), .paywall(.untargeted(final: true))]
                    + (known == nil || known == rules.version ? [] : [.linkRules(rules)]) + [.end(.final)])
        }
    }

    /// How often somebody's call asked where a link leads, without a click of its own.
    fileprivate var questions: Int {
        get throws { try linkRequests.count { try !sent(LinkOpenRequest.self, $0).recordsClick } }
    }

    /// The answer about a link that never comes.
    fileprivate func silence() async throws -> LinkOpenAnswer {
        _ = try await never()
        throw TransportError(.timedOut)
    }
}
