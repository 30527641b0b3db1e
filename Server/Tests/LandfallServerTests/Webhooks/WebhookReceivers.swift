// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Logging
import Synchronization
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// Endpoints that answer what the test says, by address.
final class WebhookReceivers: OutboundHTTP {
    enum Answer: Hashable, Sendable {
        case status(Int)
        case text(Int, String)
        /// Until the call is cancelled.
        case nothing
    }

    private let answers = Mutex<[String: [Answer]]>([:])
    private let made = Mutex<[OutboundCall]>([])

    /// - Parameter answers: in order, the last one again and again; without any: 200.
    func answer(_ answers: [Answer], at endpoint: WebhookEndpoint) { self.answers.withLock { $0[endpoint.url] = answers } }

    func send(_ call: OutboundCall) async throws -> OutboundReply {
        made.withLock { $0.append(call) }
        let answer = answers.withLock { answers -> Answer in
            guard let known = answers[call.url], let first = known.first else { return .status(200) }
            if known.count > 1 { answers[call.url]?.removeFirst() }
            return first
        }
        switch answer {
        case .status(let status): return OutboundReply(status: status, body: [])
        case .text(let status, let text): return OutboundReply(status: status, body: Array(text.utf8))
        case .nothing:
            for await _ in AsyncStream<Void>.makeStream().stream {}
            throw CancellationError()
        }
    }

    func calls(to endpoint: WebhookEndpoint) -> [OutboundCall] { made.withLock { $0.filter { $0.url == endpoint.url } } }

    func bodies(to endpoint: WebhookEndpoint) throws -> [WebhookBody] {
        try calls(to: endpoint).map { try WireCoding.decode(WebhookBody.self, from: Data($0.body ?? [])) }
    }
}

/// A body as a receiver reads it.
struct WebhookBody: Decodable, Hashable {
    let type: String
    let timestamp: String
    let data: [String: JSONValue]

    var sequence: Int64? { if case .integer(let number)? = data["sequence"] { number } else { nil } }

    /// - Parameter path: keys with points between them.
    subscript(_ path: String) -> JSONValue? {
        path.split(separator: ".").reduce(JSONValue?.some(.object(data))) { value, key in
            if case .object(let fields)? = value { fields[String(key)] } else { nil }
        }
    }
}

extension WebhookEndpoint {
    /// On the internet, in digits: nobody is asked for its address.
    static func sample(_ name: String = "a", _ types: [WebhookType] = WebhookType.allCases, host: String = "93.184.216.34") -> WebhookEndpoint {
        WebhookEndpoint(
            url: "https://\(host)/\(name)", secrets: [WebhookSecret("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")!], types: types)
    }
}

extension TestServer {
    /// A server with these endpoints, whose job the test runs.
    static func run(
        telling endpoints: [WebhookEndpoint], configuration: Configuration = .sample(), trust: AppStoreTrust = AppStoreTrust(),
        _ body: @Sendable (TestServer, WebhookReceivers) async throws -> Void
    ) async throws {
        var configuration = configuration
        configuration.webhooks = endpoints
        let made = configuration
        try await run(configuration: made, trust: trust) { try await body($0, WebhookReceivers()) }
    }

    func webhooks(by http: any OutboundHTTP) -> WebhookWork {
        services.webhooks(by: http, Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Everything that is due, to everybody.
    func bring(by http: any OutboundHTTP) async throws {
        let work = webhooks(by: http)
        guard let endpoints = try await work.endpoints() else { return }
        try await work.fanOutAll(to: endpoints)
        for endpoint in endpoints { while try await work.deliver(to: endpoint) != .nothing {} }
    }

    /// Publishes these endpoints.
    func serve(_ endpoints: [WebhookEndpoint], epochs: [ExperimentID: Int64] = [:]) {
        var configuration = services.snapshot.configuration
        configuration.webhooks = endpoints
        _ = services.configuration.serve(Snapshot(configuration, revision: services.snapshot.revision + 1, epochs: epochs))
    }
}

extension WebhookWork {
    func fanOutAll(to endpoints: [WebhookEndpoint]) async throws {
        let reach = try await reach(endpoints)
        while try await fanOut.take(for: reach.endpoints, offAtMs: reach.offAtMs, nowMs: nowMs).isMore {}
    }
}
