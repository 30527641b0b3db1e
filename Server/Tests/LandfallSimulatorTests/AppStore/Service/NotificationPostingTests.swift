// SPDX-License-Identifier: Apache-2.0
import Foundation
import Hummingbird
import Logging
import NIOCore
import Synchronization
import Testing

@testable import LandfallSimulator

@Suite("Posting notifications", .timeLimit(.minutes(1)))
struct NotificationPostingTests {
    @Test("what was answered with 503 comes again when its wait is over, and what was taken does not")
    func again() async throws {
        let clock = MovedClock(), receiver = Receiver(refusals: 1)
        let store = SimulatedAppStore(app: SimulatedApp(), signer: try JWSSigner(SigningChain()), seed: 1)
        _ = try await store.buy(SimulatedPurchase(productId: "sim.type=nonconsumable"), at: clock.now)

        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await receiver.run() }
            let url = try #require(URL(string: "http://127.0.0.1:\(await receiver.port())/hook"))
            group.addTask {
                try await NotificationPosting(store: store, url: url, clock: { clock.now }, logger: Logger(label: "test")).run()
            }
            // The wait begins with the answer, which is noted some time after it was given.
            while receiver.taken.count < 2 {
                try await Task.sleep(for: .milliseconds(5))
                if receiver.taken.count == 1 { clock.pass(60_000) }
            }
            clock.pass(1_000 * 3_600_000)
            try await Task.sleep(for: .milliseconds(100))
            group.cancelAll()
        }

        #expect(receiver.taken.map(\.notificationType) == ["ONE_TIME_CHARGE", "ONE_TIME_CHARGE"])
        #expect(Set(receiver.taken.map(\.notificationUUID)).count == 1)
        #expect(await store.told(at: clock.now).first?.held.attempts[0]?.map(\.sendAttemptResult) == ["UNSUCCESSFUL_HTTP_RESPONSE_CODE", "SUCCESS"])
    }

    @Test("a stop never waits for a notification that is being refused just then")
    func stopped() async throws {
        let nobody = try #require(URL(string: "http://127.0.0.1:9/hook")), clock = MovedClock()
        for round in 0..<60 {
            let store = SimulatedAppStore(app: SimulatedApp(), signer: try JWSSigner(SigningChain()), seed: 1)
            for _ in 0..<4 { _ = try await store.buy(SimulatedPurchase(productId: "sim.type=consumable"), at: clock.now) }
            let posting = NotificationPosting(
                store: store, url: nobody, clock: { clock.now }, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            let run = Task { try await posting.run() }
            try await Task.sleep(for: .microseconds(round * 100))
            run.cancel()
            await #expect(throws: CancellationError.self) { try await run.value }
        }
    }
}

/// A server that refuses the first notifications and takes the others.
private final class Receiver: Sendable {
    private let payloads = Mutex<[NotificationPayload]>([])
    private let refusals: Int
    private let ports = AsyncStream.makeStream(of: Int.self)

    init(refusals: Int) { self.refusals = refusals }

    /// All that came, also what was refused.
    var taken: [NotificationPayload] { payloads.withLock(\.self) }

    func port() async -> Int { await ports.stream.first { _ in true } ?? 0 }

    func run() async throws {
        let router = Router()
        router.post("hook") { [self] request, _ in
            let body = try await request.body.collect(upTo: 1 << 20)
            let signed = try JSONDecoder().decode([String: String].self, from: Data(body.readableBytesView))["signedPayload"] ?? ""
            let payload = try NotificationPayload(signed: signed)
            let isRefused = payloads.withLock { payloads in
                payloads.append(payload)
                return payloads.count <= refusals
            }
            return Response(status: isRefused ? .serviceUnavailable : .ok)
        }
        try await Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { [ports] channel in ports.continuation.yield(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "receiver") { _ in SwiftLogNoOpLogHandler() }
        )
        .run()
    }
}
