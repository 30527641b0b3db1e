// SPDX-License-Identifier: Apache-2.0
#if HTTPS
import Hummingbird
import HummingbirdTesting
import LandfallRules
import Synchronization
import Testing

@testable import LandfallServer

@Suite("Clients for one address each", .timeLimit(.minutes(1)))
struct PinnedClientsTests {
    /// Calls of `/wait` are answered once it is open.
    private final class Gate: Sendable {
        let arrived = Atomic(0)
        let isOpen = Atomic(false)
    }

    private func serving(_ gate: Gate = Gate(), _ body: @escaping @Sendable (LiveOutboundHTTP, Int) async throws -> Void) async throws {
        let router = Router()
        router.post("take") { _, _ in Response(status: .ok) }
        router.post("wait") { _, _ in
            gate.arrived.add(1, ordering: .relaxed)
            while !gate.isOpen.load(ordering: .acquiring) { try await Task.sleep(for: .milliseconds(5)) }
            return Response(status: .ok)
        }
        try await Application(router: router).test(.live) { client in
            let outbound = LiveOutboundHTTP(), port = try #require(client.port)
            let running = Task { try await outbound.run() }
            let result = await Task { try await body(outbound, port) }.result
            running.cancel()
            try await running.value
            try result.get()
            #expect(outbound.pinned.count == 0)
            await #expect(throws: (any Error).self) { try await outbound.send(Self.call("late", port)) }
        }
    }

    private static func call(_ name: String, _ port: Int, _ path: String = "take") -> OutboundCall {
        var call = OutboundCall(.post, "http://\(name).invalid:\(port)/\(path)")
        call.address = "127.0.0.1"
        return call
    }

    @Test("A second call of a host and address takes the client of the first")
    func again() async throws {
        try await serving { outbound, port in
            for _ in 0..<3 {
                let answer = try await outbound.send(Self.call("relay", port))
                #expect(answer.status == 200)
            }

            #expect(outbound.pinned.count == 1)
        }
    }

    @Test("Webhooks of a host that do not answer leave connections to the other ones of that host")
    func slow() async throws {
        let gate = Gate(), most = WebhookWork.concurrency * (WebhookEndpoint.most - 1)
        try await serving(gate) { outbound, port in
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { gate.isOpen.store(true, ordering: .releasing) }
                for _ in 0..<most {
                    group.addTask {
                        var call = Self.call("relay", port, "wait")
                        call.patience = .seconds(50)
                        _ = try await outbound.send(call)
                    }
                }
                while gate.arrived.load(ordering: .relaxed) < most { try await Task.sleep(for: .milliseconds(5)) }

                let answer = try await outbound.send(Self.call("relay", port))

                #expect(answer.status == 200)
            }
        }
    }

    @Test("Those that were used last are kept, up to eight, and a failed call gives its client back too")
    func bounded() async throws {
        try await serving { outbound, port in
            for number in 0..<12 { _ = try await outbound.send(Self.call("relay-\(number)", port)) }
            #expect(outbound.pinned.count == 8)

            var unreachable = Self.call("relay-12", port)
            unreachable.url = "http://relay-12.invalid:1/take"
            for _ in 0..<2 {
                let failed = try? await outbound.send(unreachable)
                #expect(failed == nil)
            }
            #expect(outbound.pinned.count == 8)
            let again = try await outbound.send(Self.call("relay-11", port))
            #expect(again.status == 200)
        }
    }
}
#endif
