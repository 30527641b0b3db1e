// SPDX-License-Identifier: Apache-2.0
package import Foundation
import HTTPTypes
import Hummingbird
import LandfallRules
package import LandfallServer
package import LandfallStore
import LandfallWire
import Logging
package import NIOCore
import NIOFoundationCompat

/// A node without its own listener, clock or connection to Apple: every route, store and decision is the real one, and
/// everything else is injected. A simulation gives it virtual time.
///
/// The hard limit of a held stream runs on the channel's event loop, which belongs to the caller.
package struct InProcessNode: Sendable {
    /// A configuration that is read once and may be served by many nodes.
    package struct Serving: Sendable {
        let snapshot: Snapshot

        /// - Parameter environment: the variables that the text may name.
        /// - Throws: every problem of the text, for the operator.
        package init(yaml: String, environment: [String: String] = [:]) throws {
            let configuration = try Configuration(yaml: yaml, file: "landfall.yaml", environment: { environment[$0] })
            snapshot = Snapshot(configuration, revision: 1)
        }
    }

    /// The node's question to Apple, and the answer: status and body.
    package typealias AskApple = @Sendable (_ token: String) async throws -> (status: Int, body: [UInt8])

    private struct Apple: AppleAdsService {
        let ask: AskApple
        func answer(to token: String) async throws -> AppleAdsReply {
            let (status, body) = try await ask(token)
            return AppleAdsReply(status: status, body: body)
        }
    }

    private let node: ServingNode
    private let responder: any HTTPResponder<AppContext>
    private let channel: any Channel
    private let logger: Logger

    /// Brings the schema up to date.
    /// - Parameters:
    ///   - clock: for limits and pauses; `nowMs` is the wall clock beside it, in Unix milliseconds.
    ///   - trust: whose signatures under purchases are believed.
    ///   - outbound: where webhooks go; nil: none are sent.
    package init<C: Clock>(
        _ serving: Serving, database: any Database, channel: any Channel, clock: C, nowMs: @escaping @Sendable () -> Int64,
        trust: AppStoreTrust = AppStoreTrust(), outbound: (any OutboundHTTP)? = nil, askApple: @escaping AskApple
    ) async throws where C.Duration == Duration {
        try await database.migrate(Schema.migrations)
        let mark = try await StoreMark.load(from: database, nowMs: nowMs())
        let configuration = serving.snapshot.configuration
        let epochs = ExperimentEpochs(app: configuration.app.id, experiments: configuration.experiments)
        if epochs.hasLive {
            try await database.write { [revision = serving.snapshot.revision] connection in
                try epochs.open(revision: revision, nowMs: nowMs(), connection)
            }
        }
        let snapshot = try await ConfigurationStore(database).snapshot(configuration, serving.snapshot.revision)
        let time = ServerTime(nowMs: nowMs, sleep: { try await clock.sleep(for: $0) })
        logger = Logger(label: "landfall", factory: { _ in SwiftLogNoOpLogHandler() })
        node = ServingNode(
            snapshot, database, mark, Apple(ask: askApple), kinds: outbound == nil ? [.appleAds] : [.appleAds, .webhooks], time: time,
            logger: logger, trust: trust, outbound: outbound
        )
        responder = Routes.router(node.services).buildResponder()
        self.channel = channel
    }

    /// Asks Apple about new tokens and sends webhooks, until the task is cancelled. A node of several beats meanwhile.
    package func run() async {
        guard let heartbeat = node.services.heartbeat else {
            _ = try? await node.jobs.run()
            return
        }
        await withTaskGroup(of: Void.self) { [jobs = node.jobs] group in
            group.addTask { try? await heartbeat.run() }
            group.addTask { try? await jobs.run() }
        }
    }

    /// As on SIGTERM: every held answer is sent now.
    package func stop() { node.services.holds.stop() }

    /// Answers one request.
    /// - Parameters:
    ///   - headers: `host` is the requested host; without it the request is for the API.
    ///   - target: path and query.
    ///   - head: called once, before the first bytes, with header names in lower case.
    /// - Throws: what `bytes` throws, and `CancellationError`: then the client has disconnected.
    package func respond(
        to method: String, _ target: String, headers: [String: String], body: Data?,
        head: @escaping @Sendable (_ status: Int, _ headers: [String: String]) -> Void,
        bytes: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        var fields = HTTPFields()
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) where name != "host" {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        let request = Request(
            head: HTTPRequest(
                method: .init(method) ?? .get, scheme: "http", authority: headers["host"] ?? "localhost", path: target,
                headerFields: fields
            ),
            body: RequestBody(buffer: ByteBuffer(data: body ?? Data()))
        )
        let context = AppContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        let response = try await responder.respond(to: request, context: context)
        let answered = Dictionary(
            response.headers.map { ($0.name.rawName.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first }
        )
        head(Int(response.status.code), answered)
        try await response.body.write(Writer(bytes: bytes))
    }

    private struct Writer: ResponseBodyWriter {
        let bytes: @Sendable (Data) throws -> Void
        mutating func write(_ buffer: ByteBuffer) async throws { try bytes(Data(buffer: buffer)) }
        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }
}
