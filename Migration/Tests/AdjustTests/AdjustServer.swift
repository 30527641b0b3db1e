// SPDX-License-Identifier: Apache-2.0
@testable import Adjust
import Landfall
import LandfallAppClient
import LandfallTesting
import LandfallWire

/// A connection and a client over a server in memory that resolves `/beach` and passes every other link through.
struct AdjustServer: Sendable {
    let clock = ManualClock()
    let transport = ScriptedTransport()
    let storage: MemoryStorage
    /// Of the phone.
    let store = ScriptedTransactions()
    let connection: Connection

    static let short = URL(string: "https://brandname.go.link/beach?adj_t=abc")!
    static let long = "https://brandname.go.link/summer-clothes?promo=beach"

    init(_ storage: MemoryStorage = MemoryStorage()) {
        self.storage = storage
        connection = Connection(
            time: clock.time, transport: transport, shared: SharedClient(), info: AppInfo(), notices: Notices { _ in })
        transport.on("POST", WirePath.firstOpen) { _ in
            let profile = WireProfile(
                id: ProfileID("ada"), installId: InstallID("ada"), epoch: 1, version: 1, attributionVersion: 1)
            return try .lines([.profile(profile), .attribution(.notAttributed), .end(.final)])
        }
        transport.on("POST", WirePath.linkOpen) { request in
            let sent = try WireCoding.decode(LinkOpenRequest.self, from: request.body ?? Data())
            return try .json(
                sent.url.contains("/beach")
                    ? LinkOpenAnswer(status: .resolved, original: sent.url, resolved: Self.long)
                    : LinkOpenAnswer(status: .passedThrough, original: sent.url))
        }
    }

    func client() -> LandfallClient {
        var configuration = LandfallConfiguration(sdkKey: "pk_demo", server: URL(string: "https://api.example.com")!)
        configuration.transport = transport
        configuration.storage = storage
        configuration.time = clock.time
        configuration.transactions = store
        configuration.log = { _ in }
        configuration.links = LinkRules(
            domains: LinkDomains(brand: ["brandname.go.link"], universal: ["example.com"], schemes: ["example"]))
        return LandfallClient(configuration)
    }

    /// A client that runs, and is the connection's.
    func start() -> LandfallClient {
        let client = client()
        client.start()
        connection.start(with: client)
        return client
    }

    /// The clicks that the server was told of, in order, each once: with the first open or by themselves.
    func recorded() throws -> [String] {
        var clicks: [(key: IdempotencyKey, url: String)] = []
        for request in transport.requests {
            switch (request.method, request.url.path) {
            case ("POST", WirePath.firstOpen):
                let sent = try WireCoding.decode(FirstOpenRequest.self, from: request.body ?? Data())
                clicks += sent.links.map { ($0.key, $0.url) }
            case ("POST", WirePath.linkOpen):
                let sent = try WireCoding.decode(LinkOpenRequest.self, from: request.body ?? Data())
                if sent.recordsClick { clicks.append((sent.key, sent.url)) }
            default: continue
            }
        }
        var keys: Set<IdempotencyKey> = []
        return clicks.filter { keys.insert($0.key).inserted }.map(\.url)
    }

    /// Time passes until the server has this number of clicks, or the test's time is over.
    func waitForClicks(_ count: Int) async throws {
        while try recorded().count < count, !Task.isCancelled { await pass(.milliseconds(100)) }
    }

    func pass(_ duration: Duration) async { await clock.pass(duration) }
}

/// The arguments of each call of a completion; a test can wait for it.
@MainActor
final class Completions {
    private(set) var links: [String] = []
    private let arrivals = AsyncStream.makeStream(of: Void.self)

    func call(_ link: String) {
        MainActor.preconditionIsolated("a completion is called on the main thread")
        links.append(link)
        arrivals.continuation.yield()
    }

    /// Returns once it was called so often, or the test's time is over.
    func wait(_ count: Int = 1) async {
        if links.count >= count { return }
        for await _ in arrivals.stream where links.count >= count { return }
    }
}
