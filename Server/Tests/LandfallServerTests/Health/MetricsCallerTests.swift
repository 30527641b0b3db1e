// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Testing

@Suite("Metrics are sent", .timeLimit(.minutes(1)))
struct MetricsCallerTests {
    @Test(
        "to callers on this machine, under each of its names",
        arguments: ["127.0.0.1:8080", "localhost:8080", "LOCALHOST", "[::1]:8080", nil])
    func told(host: String?) async throws {
        try await TestServer.run { server in
            let answer = try await Browser(address: "127.0.0.1").send("/metrics", host: host, to: server)

            #expect(answer.status == 200)
        }
    }

    @Test(
        "to no proxy on the same machine, whichever of a proxy's fields it sends",
        arguments: ["Via", "X-Forwarded-For", "Forwarded", "X-Real-IP", "X-Forwarded-Host", "X-Forwarded-Proto"])
    func proxy(field: String) async throws {
        try await TestServer.run { server in
            let headers: HTTPFields = [try #require(HTTPField.Name(field)): "1.1 proxy"]

            let answer = try await Browser(address: "127.0.0.1", headers: headers).send(
                "/metrics", host: "127.0.0.1:8080", to: server)

            #expect(answer.status == 404)
        }
    }

    @Test(
        "to no caller that names another host: that is a proxy that forwards a request",
        arguments: ["api.example.com", "127.evil.example", "localhost.evil.example", "10.0.0.1", "[::2]"])
    func host(host: String) async throws {
        try await TestServer.run { server in
            let answer = try await Browser(address: "127.0.0.1").send("/metrics", host: host, to: server)

            #expect(answer.status == 404)
        }
    }
}
