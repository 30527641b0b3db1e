// SPDX-License-Identifier: Apache-2.0
import Foundation
import Hummingbird
import Landfall
import Logging
import NIOEmbedded
import Testing

@testable import LandfallNode
@testable import LandfallSQLite
@testable import LandfallServer

@Suite("A link of the vendor's domain after the move, over real HTTP", .serialized, .timeLimit(.minutes(2)))
struct OldDomainEndToEndTests {
    private static let configuration = """
        app: { id: example, bundleId: com.example.app, scheme: example }
        keys: [{ sdk: pk_demo }]
        paywalls: { default: { products: [year] }, summer: { products: [year] } }
        audiences: { summer: { link.campaign: { is: summer } } }
        placements: { welcome: [{ audience: summer, paywall: summer }, { audience: everyone, paywall: default }] }
        appleAds: { enabled: false }
        domains:
          brand: [links.example.com]
          universal: [example.com]
          old: [{ host: acme.go.link, until: 2100-01-01 }, { host: over.go.link, until: 2001-01-01 }]
        links: [{ url: https://links.example.com/beach, to: "https://example.com/summer?promo=beach", campaign: summer }]

        """

    /// `landfall link import reissued.csv`, twice.
    private static let list = """
        url,to
        https://acme.go.link/aBc1,https://links.example.com/beach
        https://acme.go.link/bad,https://links.example.com/nothing

        """

    /// The configuration is served, the list is imported, and a resolver of the team's runs.
    private func run(_ body: @Sendable (Site) async throws -> Void) async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let router = Router()
        router.get("resolve") { request, _ in
            let isKnown = request.uri.queryParameters["url"].map(String.init) == "https://acme.go.link/forgotten?size=m"
            return isKnown
                ? Response(status: .found, headers: [.location: "https://links.example.com/beach"]) : Response(status: .notFound)
        }
        let resolver = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "resolver") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await resolver.run() }
            let port = try #require(await ports.first { _ in true })
            try await Site.run(
                configuration: Self.configuration, linkResolver: "http://127.0.0.1:\(port)/resolve", preparing: Self.takeList, body)
            group.cancelAll()
        }
    }

    @Sendable private static func takeList(_ store: String, _ configuration: String) async throws {
        let database = try SQLiteDatabase(path: store)
        let held = try await HeldStore(database: database, configurationFile: configuration, channel: EmbeddedChannel())
        let catalog = LinkCatalog { try await held.call($0) }
        let first = try await catalog.take(try LinkImport(list, .csv))
        let again = try await catalog.take(try LinkImport(list, .csv))
        try await database.close()

        #expect(first.map(\.status) == ["made", "refused"])
        #expect(again.map(\.status) == ["unchanged", "refused"])
        #expect(first.map(\.line) == [nil, 3])
        #expect(first.map(\.column) == [nil, 26])
    }

    private func client(_ phone: TestPhone) -> LandfallClient {
        var configuration = LandfallConfiguration(sdkKey: "pk_demo", server: phone.site.server, preparing: ["welcome"])
        configuration.storage = phone.storage
        configuration.transport = phone.counted
        // Both domains, as in the entitlements.
        configuration.links = LinkRules(
            domains: LinkDomains(
                brand: ["links.example.com", "acme.go.link", "over.go.link"], universal: ["example.com"], schemes: ["example"]))
        configuration.log = { _ in }
        let client = LandfallClient(configuration)
        client.start()
        return client
    }

    @Test(
        "A tap arrives at the new screen, and targets the paywall of the new link's campaign",
        arguments: [("https://acme.go.link/aBc1?size=m", "list"), ("https://acme.go.link/forgotten?size=m", "resolver")])
    func tap(link: String, knownBy: String) async throws {
        try await run { site in
            let client = client(TestPhone(site))
            let before = try await client.paywall(for: "welcome", within: .seconds(10))
            #expect(before.paywall?.name == PaywallID("default"))

            let isTaken = client.receive(URL(string: link)!)
            let shown = try await client.paywall(for: "welcome", within: .seconds(10))
            var links = client.links.makeAsyncIterator()
            let received = await links.next()
            received?.markTaken()

            #expect(isTaken)
            #expect(received?.status == .resolved)
            #expect(received?.resolved.absoluteString == "https://example.com/summer?promo=beach&size=m")
            #expect(received?.destination?.path == ["summer"])
            #expect(shown.paywall?.name == PaywallID("summer"))
            guard case .attributed(let details) = shown.attribution else { return #expect(Bool(false), "not attributed") }
            #expect(details.campaign == "summer")
            await client.shutdown()
        }
    }

    @Test("A link that nobody knows, and one whose domain has ended, reach the app as they are, without a destination")
    func nowhere() async throws {
        try await run { site in
            let client = client(TestPhone(site))
            let unknown = await client.open(URL(string: "https://acme.go.link/unknown")!, from: .system)
            let over = await client.open(URL(string: "https://over.go.link/aBc1")!, from: .system)

            #expect(unknown.status == .notFound)
            #expect(over.status == .expired)
            for opened in [unknown, over] {
                #expect(opened.resolved == opened.original)
                #expect(opened.destination == nil)
            }
            await client.shutdown()
        }
    }
}
