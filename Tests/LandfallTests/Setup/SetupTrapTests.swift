// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("Mistakes in the setup", .timeLimit(.minutes(1)))
struct SetupTrapTests {
    let phone = Phone()

    /// The lines about the set-up.
    private var said: [String] { phone.log.all.filter { $0.category == .setup }.map(\.message) }

    @Test(
        "An app on iOS without a source of ad tokens is reported at start, once, and in explain()", arguments: [true, false])
    func adTokens(hasSource: Bool) async throws {
        try phone.streams(.undecided)
        let client = phone.app(tokens: hasSource ? ScriptedAdTokens(.token("t")) : nil) { $0.bundle.issuesAdTokens = true }
        client.start()
        client.start()
        await client.waitForProfile()

        #expect(said.count == (hasSource ? 0 : 1))
        #expect(said.allSatisfy { $0.contains("LandfallConfiguration.live") })
        #expect(client.explain().setup == said)
        await client.shutdown()
    }

    @Test("Essential collection sends no ad token, and needs no source")
    func essential() async throws {
        try phone.streams(.undecided)
        let client = phone.app {
            $0.bundle.issuesAdTokens = true
            $0.collection = .essential
        }
        client.start()
        await client.waitForProfile()

        #expect(said.isEmpty)
        await client.shutdown()
    }

    @Test("A call that waits for start() is reported at once, once")
    func start() async throws {
        let client = phone.app()
        let calls = (0..<2).map { _ in Task { try await client.paywall(for: .onboarding, within: .seconds(1)) } }
        await phone.eventually { said.count == 1 }
        await phone.pass(.milliseconds(250))

        #expect(said.count == 1)
        #expect(said.first?.contains("landfall.start()") == true)
        await phone.pass(.seconds(1))
        for call in calls { await #expect(throws: LandfallError(.notStarted)) { try await call.value } }
        #expect(said.count == 1)
        await client.shutdown()
    }

    @Test("A listener that waits for start() is reported after five seconds, once", arguments: [true, false])
    func startOfListeners(hearsLinks: Bool) async {
        let client = phone.app()
        let listening = Task { [client] in
            if hearsLinks { for await _ in client.links {} } else { for await _ in client.profiles {} }
        }
        await phone.settle()

        await phone.pass(.seconds(4))
        #expect(said.isEmpty)
        await phone.pass(.seconds(8))

        #expect(said.count == 1)
        #expect(said.first?.contains("landfall.start()") == true)
        #expect(said.first?.contains("consent, nothing is to be done") == true)
        listening.cancel()
        await client.shutdown()
    }

    @Test("A listener that start() follows is not reported")
    func startAfterListener() async throws {
        try phone.streams(.undecided)
        let client = phone.app()
        let listening = Task { [client] in for await _ in client.profiles {} }
        await phone.settle()
        await phone.pass(.seconds(4))

        client.start()
        await client.waitForProfile()
        await phone.pass(.seconds(4))

        #expect(said.isEmpty)
        listening.cancel()
        await client.shutdown()
    }

    @Test("An app that names its links and connects nothing to them is reported after ten seconds, once")
    func hooks() async throws {
        try phone.answersLinks()
        let client = await phone.startedLinkApp { $0.minimumLogLevel = .info }

        await phone.pass(.seconds(9))
        #expect(said.isEmpty)
        await phone.pass(.seconds(12))

        #expect(said.count == 1)
        #expect(said.first?.contains("landfall.receive") == true)
        #expect(phone.log.all.filter { $0.category == .setup }.map(\.level) == [.info], "The app may be right.")
        #expect(client.explain().setup == said)
        await client.shutdown()
    }

    /// What an app may do with its links.
    enum LinkUse: CaseIterable, Sendable {
        case listens, receivesLinkOfOthers, opens, recordsClick, asksForDeferredLink, namesNoLinks
    }

    @Test("An app that has called for links, or names none, is not reported for its hooks", arguments: LinkUse.allCases)
    func connected(use: LinkUse) async throws {
        try phone.answersLinks()
        let client = await phone.startedLinkApp {
            $0.minimumLogLevel = .info
            if use == .namesNoLinks { $0.links = LinkRules() }
        }
        var listening: Task<Void, Never>?
        switch use {
        case .listens: listening = Task { [client] in for await _ in client.links {} }
        case .receivesLinkOfOthers: client.receive(URL(string: "https://elsewhere.example.org/beach")!)
        case .opens: _ = await client.open(.scheme, from: .app)
        case .recordsClick: client.recordClick(.scheme)
        case .asksForDeferredLink: _ = await client.deferredLink(within: .zero)
        case .namesNoLinks: break
        }
        await phone.settle()

        await phone.pass(.seconds(12))

        #expect(said.isEmpty)
        listening?.cancel()
        await client.shutdown()
    }

    @Test("An app that has called for links, or listened for a while, is not reported after a reset", arguments: [true, false])
    func connectedBeforeReset(listened: Bool) async throws {
        try phone.answersLinks()
        let client = await phone.startedLinkApp()
        if listened {
            let listening = Task { [client] in for await _ in client.links {} }
            await phone.settle()
            listening.cancel()
            await listening.value
        } else {
            client.receive(URL(string: "https://elsewhere.example.org/beach")!)
        }

        try await client.resetInstall()
        await phone.pass(.seconds(12))

        #expect(client.explain().setup.isEmpty)
        await client.shutdown()
    }

    @Test("A scheme that Info.plist does not declare is reported")
    func scheme() async throws {
        let info: [String: Any] = ["CFBundleURLTypes": [["CFBundleURLSchemes": ["Example", "fb1"]], ["CFBundleURLName": "a"]]]
        let client = phone.app { configuration in
            configuration.links.domains.schemes = ["example", "exmaple"]
            configuration.bundle.schemes = AppBundle.schemes(in: info)
        }
        client.start()

        #expect(said.count == 1)
        #expect(said.first?.contains("'exmaple'") == true)
        #expect(said.first?.contains("CFBundleURLTypes") == true)
        await client.shutdown()
    }

    @Test(
        "An app whose SDK needs scenes, and which has no scene manifest, is reported",
        arguments: [
            ("iphoneos27.0", false, true), ("iphonesimulator27.1", false, true), ("iphoneos28", false, true),
            ("iphoneos26.4", false, false), ("iphoneos27.0", true, false), ("macosx27.0", false, false), (nil, false, false),
        ] as [(String?, Bool, Bool)])
    func scenes(sdk: String?, hasManifest: Bool, isReported: Bool) async throws {
        var info: [String: Any] = [:]
        info["DTSDKName"] = sdk
        if hasManifest { info["UIApplicationSceneManifest"] = [String: Any]() }
        let client = phone.app { $0.bundle.lacksScenes = AppBundle.lacksScenes(info) }
        client.start()

        #expect(said.count == (isReported ? 1 : 0))
        #expect(said.allSatisfy { $0.contains("UIApplicationSceneManifest") && $0.contains("docs/features/apple.md") })
        await client.shutdown()
    }

    @Test("A placement that the server does not know is reported once, however often it is requested")
    func placement() async throws {
        try phone.streams([.profile(.anna()), .attribution(.notAttributed), .end(.final)])
        phone.server.on("GET", WirePath.paywall(of: "onbording")) { _ in try .problem(404, .placementUnknown) }
        let client = phone.app()
        client.start()
        await client.waitForProfile()
        for _ in 0..<3 {
            await #expect(throws: LandfallError(.placementUnknown("onbording"))) {
                try await client.paywall(for: "onbording", within: .seconds(1))
            }
            phone.clock.advance(by: .seconds(61))
        }

        #expect(said.count == 1)
        #expect(said.first?.contains("'onbording'") == true)
        #expect(phone.log.warnings.count == 1)
        await client.shutdown()
    }

    @Test(
        "A link without a listener is reported after five seconds, and not if there is a listener", arguments: [true, false])
    func listener(listens: Bool) async throws {
        try phone.answersLinks()
        let client = await phone.startedLinkApp()
        let listening = listens ? Task { for await _ in client.links {} } : nil
        await phone.settle()
        client.receive(.scheme)

        await phone.pass(.seconds(4))
        #expect(said.isEmpty)
        await phone.pass(.seconds(2))

        #expect(said.count == (listens ? 0 : 1))
        #expect(said.allSatisfy { $0.contains(".landfallLinks") })
        listening?.cancel()
        await client.shutdown()
    }

    @Test("A client that is not told of the foreground is reported when a call has ended without a first open")
    func neverSeen() async throws {
        try phone.streams(.undecided)
        phone.plain { _ in throw TransportError(.timedOut) }
        let client = phone.app { $0.opensOnActivation = true }
        client.start()
        _ = try? await phone.clock.run(upTo: .seconds(2)) { try await client.paywall(for: .onboarding, within: .seconds(1)) }

        #expect(said.count == 1)
        #expect(said.first?.contains("enteredForeground()") == true)
        await client.shutdown()
    }

    @Test("A placement requested in an app extension is reported")
    func inExtension() async throws {
        try phone.streams(.undecided + .becomesOrganic)
        let client = phone.app { $0.bundle.isExtension = true }
        client.start()
        _ = try await client.paywall(for: .onboarding)
        _ = try await client.paywall(for: .onboarding)

        #expect(said.count == 1)
        #expect(said.first?.contains("extension") == true)
        await client.shutdown()
    }
}
