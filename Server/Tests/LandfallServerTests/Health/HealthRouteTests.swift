// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import LandfallNode
@testable import LandfallServer

@Suite("Health", .timeLimit(.minutes(1)))
struct HealthRouteTests {
    @Test("A proxy that asks for it learns that the server stops, while the server is alive for all others")
    func stoppingForAProxy() async throws {
        try await TestServer.run { server in
            let asked = "/healthz?stopping=503"
            #expect(try await server.send(.get, asked, phone: nil, key: nil).status == .ok)
            server.services.draining.begin()
            let answer = try await server.send(.get, asked, phone: nil, key: nil)
            #expect(answer.status == .serviceUnavailable && answer.headers[.retryAfter] == "1")
            for path in ["/healthz", "/healthz?stopping=200"] {
                #expect(try await server.send(.get, path, phone: nil, key: nil).status == .ok)
            }
        }
    }

    @Test("A running node is alive and ready, without a key")
    func ready() async throws {
        try await TestServer.run { server in
            for path in ["/healthz", "/readyz"] {
                let response = try await server.send(.get, path, phone: nil, key: nil)

                #expect(response.status == .ok)
            }
        }
    }

    @Test("HEAD is answered wherever GET is, and refused elsewhere")
    func head() async throws {
        try await TestServer.run { server in
            let alive = try await server.send(.head, "/healthz", phone: nil, key: nil)
            let firstOpen = try await server.send(.head, "/v1/first-open")

            #expect(alive.status == .ok)
            #expect(alive.body.readableBytes == 0)
            #expect(firstOpen.status == .methodNotAllowed)
        }
    }

    @Test("A stopping node is alive and not ready")
    func stopping() async throws {
        try await TestServer.run { server in
            server.services.holds.stop()

            #expect(try await server.send(.get, "/healthz").status == .ok)
            let ready = try await server.send(.get, "/readyz")
            #expect(ready.status == .serviceUnavailable)
            #expect(ready.headers[.retryAfter] == "1")
        }
    }

    @Test("Callers from other machines get no metrics")
    func metricsAreLocal() async throws {
        try await TestServer.run { server in
            let response = try await server.send(.get, "/metrics")  // the test's connection has no address

            #expect(response.status == .notFound)
        }
    }
}
