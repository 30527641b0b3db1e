// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import Hummingbird
import HummingbirdTesting
import LandfallPurchases
import LandfallTesting
import Logging
import Synchronization
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallSimulator
@testable import LandfallStore

/// The simulated App Store on a real socket. Nothing of it is posted but by the test, which also moves its time.
struct SimulatedStore {
    let store: SimulatedAppStore
    let signed: SignedStore
    /// Of the store and of every server that asks it.
    let clock: ManualClock
    let http: RecordedHTTP
    let hosts: AppStoreAPIHosts

    /// - Parameter callsPerHour: see `--calls-per-hour`; nil: no limit.
    static func run(
        app: SimulatedApp = SimulatedApp(), callsPerHour: Int? = nil, _ body: @escaping @Sendable (SimulatedStore) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let signed = try SignedStore(nowMs: clock.nowMs)
        let store = SimulatedAppStore(app: app, signer: signed.signer, seed: 1)
        let router = Router()
        AppStoreServerAPI(store: store, clock: { clock.nowMs }, limit: callsPerHour.map { CallLimit($0) }).add(to: router)
        try await Application(router: router).test(.live) { client in
            let port = try #require(client.port)
            try await RecordedHTTP.live { http in
                try await body(
                    SimulatedStore(
                        store: store, signed: signed, clock: clock, http: http, hosts: try AppStoreAPIHosts(url: "http://127.0.0.1:\(port)")))
            }
        }
    }

    /// Begins a life.
    @discardableResult
    func buy(_ product: String) async throws -> String {
        try await store.buy(SimulatedPurchase(productId: product), at: clock.nowMs).transactionID
    }

    /// Posts what is due.
    /// - Parameter receive: nil is no answer.
    func post(_ receive: (String) async throws -> Int?) async throws {
        for post in try await store.due(at: clock.nowMs, limit: 10_000) {
            let status = try await receive(String(decoding: post.body, as: UTF8.self))
            await store.answered(post, status: status, at: clock.nowMs)
        }
    }

    /// Time goes on in steps, and after each of them what is due is posted.
    func pass(hours: Int, _ receive: (String) async throws -> Int?) async throws {
        for _ in 0..<hours {
            clock.advance(by: .seconds(3_600))
            try await post(receive)
        }
    }

    /// A server that trusts the store and has a key for it.
    /// - Parameters:
    ///   - http: in place of the real calls.
    ///   - hosts: in place of the simulated store's one address for both environments.
    func server(
        _ http: (any OutboundHTTP)? = nil, hosts: AppStoreAPIHosts? = nil, key: AppStoreKey = .sample(),
        _ body: @Sendable (TestServer, AppStoreReconcile) async throws -> Void
    ) async throws {
        var configuration = Configuration.sample()
        configuration.purchases.api = key
        let (hosts, time, made) = (hosts ?? self.hosts, time, http ?? self.http)
        try await TestServer.run(configuration: configuration, trust: signed.trust(), clock: clock) { server in
            let services = server.services
            let reconcile = AppStoreReconcile(
                AppStoreAPI(hosts, by: made, time: time, metrics: services.metrics), services.database, services.mark,
                notifications: services.notifications, trust: services.trust, configuration: services.configuration, time: time,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, metrics: services.metrics)
            try await body(server, reconcile)
        }
    }

    /// Short pauses move the time; a time limit never ends.
    var time: ServerTime {
        ServerTime(
            nowMs: { clock.nowMs },
            sleep: { pause in
                if pause <= .seconds(1) { return clock.advance(by: pause) }
                while true { try await Task.sleep(for: .seconds(3_600)) }
            })
    }
}

extension ManualClock {
    var nowMs: Int64 { Int64((date.timeIntervalSince1970 * 1000).rounded(.down)) }
}

extension AppStoreKey {
    static func sample(_ id: String = "KEY1234567", _ key: P256.Signing.PrivateKey = P256.Signing.PrivateKey()) -> AppStoreKey {
        AppStoreKey(
            issuerID: "00000000-0000-4000-8000-0000000000aa", keyID: id, privateKey: .text(key.pemRepresentation))
    }
}

/// Real calls, each of which is remembered.
final class RecordedHTTP: OutboundHTTP {
    private let made = Mutex<[OutboundCall]>([])
    private let live = LiveOutboundHTTP()

    static func live(_ body: @escaping @Sendable (RecordedHTTP) async throws -> Void) async throws {
        let http = RecordedHTTP()
        let running = Task { try await http.live.run() }
        let result = await Task { try await body(http) }.result
        running.cancel()
        try await running.value
        try result.get()
    }

    func send(_ call: OutboundCall) async throws -> OutboundReply {
        made.withLock { $0.append(call) }
        return try await live.send(call)
    }

    var calls: [OutboundCall] { made.withLock(\.self) }
    /// Without host, ids and queries.
    var paths: [String] {
        calls.compactMap { URL(string: $0.url)?.path() }.map { $0.replacing(/[0-9]{10,}/, with: "ID") }
    }
}

extension AppStoreReconcile {
    /// One try, as the runner would make it.
    func attempt(of server: TestServer) async throws -> JobStep {
        try await attempt(
            Job(
                name: JobName(app: server.app, kind: .appStoreReconcile, key: "notifications"), install: nil, payload: "", attempts: 1,
                createdAtMs: 0, leaseUntilMs: .max))
    }

    func state(of server: TestServer) async throws -> ReconcileState {
        try await AppStoreProgress(database, of: server.app).state(.reconcile) ?? ReconcileState()
    }
}
