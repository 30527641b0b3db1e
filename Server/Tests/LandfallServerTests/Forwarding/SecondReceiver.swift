// SPDX-License-Identifier: Apache-2.0
import Foundation
import Hummingbird
import HummingbirdTesting
import LandfallTesting
import Logging
import Synchronization
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// A receiver on a real socket of this machine, and a server that forwards to it. It answers what the test says.
final class SecondReceiver: Sendable {
    enum Answer: Sendable {
        case status(Int)
        /// To a path that counts what arrives there.
        case redirect
        /// Until the test ends.
        case nothing
    }

    private let answers: Mutex<[Answer]>
    private let bodies = Mutex<[String]>([])
    private let followed = Mutex(0)

    private init(_ answers: [Answer]) { self.answers = Mutex(answers) }

    /// What has arrived, in order.
    var received: [String] { bodies.withLock(\.self) }
    var followedCount: Int { followed.withLock(\.self) }

    private func next() -> Answer { answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }

    /// - Parameter answers: in order; the last one again and again.
    static func run(
        _ answers: [Answer], notify: @escaping @Sendable (_ port: Int) -> NotificationReceiver? = { NotificationReceiver(url: "http://127.0.0.1:\($0)/hook") },
        _ body: @escaping @Sendable (TestServer, SecondReceiver, SignedStore) async throws -> Void
    ) async throws {
        let receiver = SecondReceiver(answers), router = Router()
        let (held, release) = AsyncStream.makeStream(of: Void.self)
        router.post("hook") { request, _ in
            let text = String(buffer: try await request.body.collect(upTo: 1 << 20))
            receiver.bodies.withLock { $0.append(text) }
            switch receiver.next() {
            case .status(let status): return Response(status: .init(code: status))
            case .redirect: return Response(status: .temporaryRedirect, headers: [.location: "/elsewhere"])
            case .nothing:
                for await _ in held {}
                return Response(status: .ok)
            }
        }
        router.post("elsewhere") { _, _ in
            receiver.followed.withLock { $0 += 1 }
            return Response(status: .ok)
        }
        try await Application(router: router).test(.live) { client in
            let clock = ManualClock(), signed = try SignedStore(nowMs: clock.nowMs)
            var configuration = Configuration.sample()
            configuration.purchases.notify = notify(try #require(client.port))
            let made = configuration
            try await RecordedHTTP.live { http in
                defer { release.finish() }
                try await TestServer.run(configuration: made, trust: signed.trust(), clock: clock) { server in
                    try await body(server.calling(http), receiver, signed)
                }
            }
        }
    }
}

extension TestServer {
    /// The same with calls to other servers.
    func calling(_ http: any OutboundHTTP) -> TestServer {
        var services = services
        services.outbound = http
        services.appStoreAPI = AppStoreAPI(.apple, by: http, time: services.time, metrics: services.metrics)
        return TestServer(services: services, clock: clock, client: client)
    }

    /// One try of each notification that is due for the second receiver.
    @discardableResult
    func forward() async throws -> [JobStep] {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let work = try #require(services.works(logger).first { $0.kind == .appStoreForwarding })
        let queue = JobQueue(database: services.database)
        var steps: [JobStep] = []
        for job in try await queue.lease(.appStoreForwarding, 100, nowMs: services.time.nowMs(), leaseMs: work.leaseMs) {
            let step = try await work.attempt(job)
            try await queue.move(job, step)
            steps.append(step)
        }
        return steps
    }

    var forwardings: [String?] {
        get async throws { try await rows("SELECT forwarding FROM app_store_notification ORDER BY notification_uuid").map { $0.optionalText("forwarding") } }
    }
}
