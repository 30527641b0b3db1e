// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire

/// The world of the links tests: a phone, a server that knows one short link, and the example app's rules.
extension LinkRules {
    static let example = LinkRules(
        domains: LinkDomains(brand: ["brandname.go.link"], universal: ["example.com"], schemes: ["example"]),
        longPaths: ["/products/*"], wrapperHosts: ["click.mail.example", "*.wrap.example"]
    )
}

extension URL {
    /// A short link, which the server resolves to ``beach``.
    static let short = URL(string: "https://brandname.go.link/beach")!
    static let beach = URL(string: "https://brandname.go.link/summer-clothes?promo=beach&adj_t=abc")!
    /// Links that need no server.
    static let scheme = URL(string: "example://summer-clothes?promo=beach")!
    static let universal = URL(string: "https://example.com/summer-clothes?promo=beach")!
    static let long = URL(string: "https://brandname.go.link/products/7?adj_t=abc")!

    static func scheme(_ name: String) -> URL { URL(string: "example://\(name)")! }
}

extension Destination {
    static let beach = Destination(path: ["summer-clothes"], query: [.init("promo", "beach")])
}

extension Phone {
    /// A launch whose app knows its links.
    func linkApp(_ change: (inout LandfallConfiguration) -> Void = { _ in }) -> LandfallClient {
        app { configuration in
            configuration.links = .example
            change(&configuration)
        }
    }

    /// A launch that has opened.
    func startedLinkApp(_ change: (inout LandfallConfiguration) -> Void = { _ in }) async -> LandfallClient {
        let client = linkApp(change)
        client.start()
        await client.waitForProfile()
        return client
    }

    /// The server takes every open at once, and knows one short link.
    func answersLinks(deferred: DeferredLinkAnswer = .none) throws {
        firstOpen {
            try .lines([
                .profile(.anna()), .attribution(.notAttributed), .paywall(.untargeted(final: true)), .deferred(deferred),
                .end(.final),
            ])
        }
        opens { request in
            request.url == URL.short.absoluteString
                ? LinkOpenAnswer(status: .resolved, original: request.url, resolved: URL.beach.absoluteString)
                : LinkOpenAnswer(status: .passedThrough, original: request.url)
        }
    }

    func opens(_ answer: @escaping @Sendable (LinkOpenRequest) async throws -> LinkOpenAnswer) {
        server.on("POST", WirePath.linkOpen) { request in
            try .json(try await answer(try WireCoding.decode(LinkOpenRequest.self, from: request.body ?? Data())))
        }
    }

    var linkRequests: [TransportRequest] { server.requests("POST", WirePath.linkOpen) }

    /// The clicks that the server has heard of, by key, in whichever way.
    func recordedClicks() throws -> [IdempotencyKey: String] {
        var clicks: [IdempotencyKey: String] = [:]
        for request in firstOpenRequests {
            for link in try sent(FirstOpenRequest.self, request).links { clicks[link.key] = link.url }
        }
        for request in try linkRequests.map({ try sent(LinkOpenRequest.self, $0) }) where request.recordsClick {
            clicks[request.key] = request.url
        }
        return clicks
    }

    /// No request and no file holds this text.
    func keepsNothing(of text: String) -> Bool {
        let sent = server.requests.flatMap { [Data($0.url.absoluteString.utf8), $0.body ?? Data()] }
        // JSON writes a slash in two ways.
        return (sent + storage.files.values).allSatisfy {
            !String(decoding: $0, as: UTF8.self).replacingOccurrences(of: "\\/", with: "/").contains(text)
        }
    }

    /// The state that a kill at this instant leaves, on the same phone.
    func killed() -> Phone {
        var next = self
        next.storage = MemoryStorage(storage.files)
        return next
    }

    /// Lets tasks run until the condition holds.
    func eventually(_ isReached: () throws -> Bool) async rethrows {
        while !Task.isCancelled, try !isReached() { await Task.yield() }
    }
}

extension LandfallClient {
    func nextLink(for scene: SceneID? = nil) async -> ReceivedLink? {
        var waiting = (scene.map { links(for: $0) } ?? links).makeAsyncIterator()
        return await waiting.next()
    }
}
