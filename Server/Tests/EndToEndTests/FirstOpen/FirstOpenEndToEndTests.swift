// SPDX-License-Identifier: Apache-2.0
import Foundation
import Hummingbird
import Landfall
import Logging
import Testing

/// Real time and real sockets: outcomes are asserted, and never more than the deadline and a second.
@Suite("A first open over real HTTP", .serialized, .timeLimit(.minutes(2)))
struct FirstOpenEndToEndTests {
    private let bundle = Data(
        #"{"format":1,"revision":1,"paywalls":{"onboarding":{"audience":"everyone","paywall":{"name":"bundled"}}}}"#.utf8)

    @Test("Apple's answer in time shows the targeted paywall, in one request")
    func attributed() async throws {
        try await Site.run { site in
            let phone = TestPhone(site), started = ContinuousClock.now

            let shown = try await phone.launch(token: "sim.attribution=true&campaignId=42&delay=300") {
                try await $0.paywall(for: "onboarding", within: .seconds(5))
            }

            #expect(shown.paywall?.name == PaywallID("apple-ads"))
            #expect(shown.origin == .matchingAudience)
            #expect(shown.elapsed < .seconds(5))
            guard case .attributed(let details) = shown.attribution else { return #expect(Bool(false), "not attributed") }
            #expect(details.appleAds?.campaignID == 42)
            // A machine too busy to answer within a second of the start makes the SDK ask beside the stream, as it should.
            #expect(phone.counted.count == 1 || started.duration(to: .now) > .seconds(1), "\(phone.counted.requests)")
        }
    }

    @Test("An organic user waits for Apple's answer and no longer")
    func organic() async throws {
        try await Site.run { site in
            let shown = try await TestPhone(site).launch(token: "sim.attribution=false&delay=200") {
                try await $0.paywall(for: "onboarding", within: .seconds(10))
            }

            #expect(shown.paywall?.name == PaywallID("default"))
            #expect(shown.attribution == .notAttributed)
            #expect(shown.elapsed < .seconds(9))
        }
    }

    @Test("If Apple never answers, the default paywall appears at the deadline")
    func pendingForEver() async throws {
        try await Site.run { site in
            let shown = try await TestPhone(site).launch(token: "sim.hang=1") {
                try await $0.paywall(for: "onboarding", within: .seconds(2))
            }

            #expect(shown.paywall?.name == PaywallID("default"))
            #expect(shown.elapsed >= .seconds(2))
            #expect(shown.elapsed < .seconds(3))
        }
    }

    @Test("If Apple's next answer is due after the deadline, the call does not wait for it")
    func nextAnswerTooLate() async throws {
        try await Site.run { site in
            let shown = try await TestPhone(site).launch(token: "sim.attribution=true&notFound=1") {
                try await $0.paywall(for: "onboarding", within: .seconds(4))
            }

            #expect(shown.paywall?.name == PaywallID("default"))
            #expect(shown.elapsed < .seconds(4))
        }
    }

    @Test("An answer that comes too late targets the next launch from its start")
    func upgrade() async throws {
        try await Site.run { site in
            let phone = TestPhone(site)
            let token = "sim.attribution=true&campaignId=42&delay=1500"

            let first = try await phone.launch(token: token) { client in
                let shown = try await client.paywall(for: "onboarding", within: .seconds(1))
                for await profile in client.profiles where !profile.attribution.isPending { break }
                return shown
            }
            let second = try await phone.launch(token: token) { try await $0.paywall(for: "onboarding", within: .seconds(5)) }
            let offline = try await phone.launch(token: token, server: URL(string: "http://127.0.0.1:1")!) {
                try await $0.paywall(for: "onboarding", within: .seconds(5))
            }

            #expect(first.paywall?.name == PaywallID("default"))
            #expect(second.paywall?.name == PaywallID("apple-ads"))
            #expect(second.elapsed < .seconds(4))
            #expect(offline.paywall?.name == PaywallID("apple-ads"))
            #expect(offline.elapsed < .seconds(4))
        }
    }

    @Test("A server that accepts the call and stays silent costs the time until the deadline, but not the paywall")
    func silentServer() async throws {
        try await Site.run { site in
            try await Stranger.run({ _ in
                try await Task.sleep(for: .seconds(30))
                return Response(status: .ok)
            }) { silent in
                let shown = try await TestPhone(site).launch(token: "sim.attribution=true", server: silent, fallback: bundle) {
                    try await $0.paywall(for: "onboarding", within: .seconds(2))
                }

                #expect(shown.paywall?.name == PaywallID("bundled"))
                #expect(shown.origin == .bundled)
                #expect(shown.elapsed < .seconds(3))
            }
        }
    }

    @Test(
        "A captive portal changes no stored state: afterwards the first open is a first open", arguments: [302, 200, 401, 511])
    func captivePortal(status: Int) async throws {
        try await Site.run { site in
            let phone = TestPhone(site)
            try await Stranger.run({ _ in
                Response(
                    status: .init(code: status), headers: [.contentType: "text/html", .location: "http://127.0.0.1:1/login"],
                    body: .init(byteBuffer: ByteBuffer(string: "<html>Welcome to the airport</html>"))
                )
            }) { portal in
                let shown = try await phone.launch(token: "sim.attribution=true&id=\(status)", server: portal, fallback: bundle)
                {
                    try await $0.paywall(for: "onboarding", within: .seconds(2))
                }
                #expect(shown.origin == .bundled)
            }

            let shown = try await phone.launch(token: "sim.attribution=true&id=\(status)") {
                try await $0.paywall(for: "onboarding", within: .seconds(5))
            }
            #expect(shown.paywall?.name == PaywallID("apple-ads"))
        }
    }

    @Test("A hundred callers at once make one request")
    func concurrent() async throws {
        try await Site.run { site in
            let phone = TestPhone(site)

            try await phone.launch(token: "sim.attribution=true&delay=200") { client in
                let begun = ContinuousClock.now
                let names = try await withThrowingTaskGroup { group in
                    for _ in 0..<100 {
                        group.addTask { try await client.paywall(for: "onboarding", within: .seconds(5)).paywall?.name }
                    }
                    return try await group.reduce(into: Set<PaywallID>()) { $0.insert($1) }
                }

                #expect(names == [PaywallID("apple-ads")])
                #expect(phone.counted.count == 1 || begun.duration(to: .now) > .seconds(1))
            }
        }
    }
}

/// A server that is not Landfall: it gives the same answer to everything.
enum Stranger {
    static func run(
        _ answer: @escaping @Sendable (Request) async throws -> Response, _ body: @Sendable (URL) async throws -> Void
    ) async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            responder: CallbackResponder { (request: Request, _: BasicRequestContext) in try await answer(request) },
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "stranger") { _ in SwiftLogNoOpLogHandler() }
        )
        try await withThrowingTaskGroup { group in
            group.addTask { try await application.run() }
            guard let port = await ports.first(where: { _ in true }) else { return }
            try await body(URL(string: "http://127.0.0.1:\(port)")!)
            group.cancelAll()
        }
    }
}
