// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import Logging
import ServiceLifecycle

@testable import LandfallNode
@testable import LandfallSQLite
@testable import LandfallSimulator

/// A server with its store and a simulated Apple Ads, both on real sockets of this machine, for the length of one test.
struct Site {
    let server: URL
    /// The phones' files.
    let folder: URL

    /// - Parameters:
    ///   - configuration: the text of another `landfall.yaml` than the example.
    ///   - linkResolver: the address of the team's resolver of old links.
    ///   - appStoreRoot: a PEM file with the root of a simulated App Store.
    ///   - prepare: gets the paths of store and configuration before the server starts.
    static func run(
        configuration: String? = nil, linkResolver: String? = nil, appStoreRoot: String? = nil,
        preparing prepare: (@Sendable (_ store: String, _ configuration: String) async throws -> Void)? = nil,
        _ body: @Sendable (Site) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("landfall-site-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var file = configurationFile
        if let configuration {
            file = folder.appendingPathComponent("landfall.yaml").path
            try configuration.write(toFile: file, atomically: true, encoding: .utf8)
        }
        let quiet = Logger(label: "site") { _ in SwiftLogNoOpLogHandler() }
        try await withThrowingTaskGroup { [file] group in
            let apple = try await listening(&group) { AppleAdsSimulator(logger: quiet, onListening: $0) }
            var options = ServerOptions()
            options.configurationFile = file
            options.linkResolverURL = linkResolver
            options.appStoreRoot = appStoreRoot
            options.port = 0
            options.appleAdsURL = "http://127.0.0.1:\(apple)" + AppleAdsSimulator.path
            let store = folder.appendingPathComponent("landfall.sqlite").path
            try await prepare?(store, file)
            let database = try SQLiteDatabase(path: store)
            let port = try await listening(&group) { [options] in
                try await LandfallServer(options: options, database: database, logger: quiet, onListening: $0)
            }
            try await body(Site(server: URL(string: "http://127.0.0.1:\(port)")!, folder: folder))
            group.cancelAll()
        }
    }

    private static let configurationFile = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../../../../Examples/SelfHost/landfall.yaml").standardized.path

    /// Starts a service and returns its port once it answers.
    private static func listening(
        _ group: inout ThrowingTaskGroup<Void, any Error>,
        _ service: (@escaping @Sendable (Int) async -> Void) async throws -> some Service
    ) async throws -> Int {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let service = try await service { port.yield($0) }
        group.addTask { try await service.run() }
        guard let port = await ports.first(where: { _ in true }) else { throw CancellationError() }
        return port
    }
}

/// One phone: its files stay from launch to launch, everything else is new each time.
struct TestPhone {
    let site: Site
    let storage: FileStorage
    let counted = CountedTransport()

    init(_ site: Site, _ name: String = "phone") {
        self.site = site
        storage = FileStorage(directory: site.folder.appendingPathComponent(name))
    }

    /// Runs one launch of the app.
    func launch<Value>(
        token: String?, server: URL? = nil, fallback: Data? = nil, _ body: (LandfallClient) async throws -> Value
    ) async throws -> Value {
        var configuration = LandfallConfiguration(sdkKey: "pk_demo", server: server ?? site.server, preparing: ["onboarding"])
        configuration.storage = storage
        configuration.transport = counted
        configuration.adTokens = token.map { FixedAdToken(value: $0) }
        configuration.fallback = fallback
        configuration.log = { _ in }
        let client = LandfallClient(configuration)
        client.start()
        do {
            let value = try await body(client)
            await client.shutdown()
            return value
        } catch {
            await client.shutdown()
            throw error
        }
    }
}

struct FixedAdToken: AdTokenSource {
    let value: String
    func token() async throws -> String { value }
}

/// The live transport; counts what leaves the phone.
final class CountedTransport: Transport {
    private let live = URLSessionTransport()
    private let lock = NSLock()
    nonisolated(unsafe) private var sent: [String] = []  // guarded by `lock`

    var count: Int { requests.count }
    /// Method and address of each, in the order of sending.
    var requests: [String] { lock.withLock { sent } }

    func send(_ request: TransportRequest) async throws -> TransportAnswer {
        lock.withLock { sent.append("\(request.method) \(request.url.path)") }
        return try await live.send(request)
    }
}
