// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallRules
package import LandfallServer
package import LandfallStore
import LandfallWire
import Logging
package import NIOCore

/// A store that this process holds, called like a running server through its socket: the same routes, without a connection.
package struct HeldStore: Sendable {
    private struct NoApple: AppleAdsService {
        func answer(to token: String) async throws -> AppleAdsReply { throw CancellationError() }
    }

    private let responder: any HTTPResponder<AppContext>
    private let channel: any Channel
    private let logger = Logger(label: "landfall", factory: { _ in SwiftLogNoOpLogHandler() })

    /// Reads the configuration: the file, else the store's version. Publishes nothing and does not migrate: the store may
    /// belong to a server that does not know the newer schema.
    /// - Parameters:
    ///   - isForEmptyStore: the file is read only if the store has no version.
    ///   - trust: whose signatures are believed where purchases are verified again.
    ///   - channel: stands in for the missing connection.
    /// - Throws: the reason why the configuration cannot be read, in words for the operator.
    package init(
        database: any Database, configurationFile: String?, isForEmptyStore: Bool = false, trust: AppStoreTrust = AppStoreTrust(),
        channel: any Channel
    ) async throws {
        let time = ServerTime.live
        try await database.checkSchema(Schema.migrations)
        let mark = try await StoreMark.load(from: database, nowMs: time.nowMs())
        let store = ConfigurationStore(database)
        let isFileRead = isForEmptyStore ? try await store.newestNumber() == nil : true
        let snapshot = try await Self.snapshot(store, file: isFileRead ? configurationFile : nil)
        let node = ServingNode(
            snapshot, database, mark, NoApple(), time: time, logger: logger, secrets: .withoutSecrets, trust: trust)
        responder = Routes.commandRouter(node.services).buildResponder()
        self.channel = channel
    }

    private static func snapshot(_ store: ConfigurationStore, file: String?) async throws -> Snapshot {
        let anySecret: @Sendable (String) -> String? = { ProcessEnvironment.anySecret(of: $0) }
        if let file {
            let text = try Configuration.text(ofFile: file)
            let configuration = try Configuration(yaml: text, file: file, environment: anySecret)
            // The file is not a version; its experiments have the epochs of the newest version.
            let epochs = try await store.counted(
                configuration.experiments, of: configuration.app.id, at: try await store.newestNumber() ?? 0)
            return Snapshot(configuration, revision: 0, epochs: epochs)
        }
        guard let stored = try await store.newest() else { throw ConfigurationStartError.nothingToServe }
        let name = "configuration version \(stored.number)"
        return try await store.snapshot(try Configuration(yaml: stored.text, file: name, environment: anySecret), stored.number)
    }

    /// - Throws: ``BackendRefusal`` for an answer that is an error.
    package func call(_ call: BackendCall) async throws -> [UInt8] {
        var fields: HTTPFields = [.contentType: "application/json"]
        for (name, value) in call.fields { if let name = HTTPField.Name(name) { fields[name] = value } }
        let request = Request(
            head: HTTPRequest(
                method: .init(call.method) ?? .get, scheme: "http", authority: "localhost", path: call.target, headerFields: fields),
            body: RequestBody(buffer: ByteBuffer(bytes: call.body))
        )
        let context = AppContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        let response = try await responder.respond(to: request, context: context)
        let body = Collected()
        try await response.body.write(body.writer)
        try BackendRefusal.check(status: Int(response.status.code), body.bytes)
        return body.bytes
    }
}

/// One task writes and reads it, in turn.
private final class Collected: @unchecked Sendable {
    var bytes: [UInt8] = []
    var writer: Writer { Writer(collected: self) }

    struct Writer: ResponseBodyWriter {
        let collected: Collected
        mutating func write(_ buffer: ByteBuffer) async throws { collected.bytes += buffer.readableBytesView }
        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }
}
