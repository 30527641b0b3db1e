// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallServer
import Testing

@testable import LandfallNode

@Suite("A proxy asks for which hosts it may get a certificate", .timeLimit(.minutes(1)))
struct AllowedDomainTests {
    private static let domains = "domains: { brand: [go.example.com], universal: [example.com], api: [api.example.com] }\n"

    /// - Parameters:
    ///   - domain: the question's query.
    ///   - address: the asker's.
    ///   - host: the host that it asks, as it names it.
    private func expect(
        _ status: Int, _ domain: String, from address: String = "127.0.0.1", host: String? = "127.0.0.1:8080", headers: HTTPFields = [:],
        domains: String = domains, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let proxies = try TrustedProxies(["172.31.0.0/24", "127.0.0.1"]), configuration = try Sample.configuration(domains)
        try await TestServer.run(configuration: configuration, proxies: proxies) { server in
            let answer = try await Browser(address: address, headers: headers).send(
                "/v1/domains/allowed?domain=\(domain)", host: host, to: server)
            #expect(answer.status == status, sourceLocation: sourceLocation)
        }
    }

    @Test(
        "Yes for each host of the API and of links, as a client may write it",
        arguments: ["api.example.com", "go.example.com", "GO.Example.com", "go.example.com."])
    func yes(domain: String) async throws {
        try await expect(200, domain)
    }

    @Test(
        "No for every other host: the web site has its own proxy",
        arguments: ["example.com", "www.go.example.com", "go.example.com.evil.example", "evil.example", "", "go.example.com%00", "[::1]"])
    func no(domain: String) async throws {
        try await expect(404, domain)
    }

    @Test("From a trusted proxy on another machine, by whatever name it reaches the server", arguments: ["landfall:8080", "172.31.0.3:8080", nil])
    func proxy(host: String?) async throws {
        try await expect(200, "go.example.com", from: "172.31.0.2", host: host)
    }

    @Test("Also where no host of the API is named")
    func open() async throws {
        try await expect(200, "go.example.com", domains: "domains: { brand: [go.example.com] }\n")
        try await expect(404, "api.example.com", domains: "domains: { brand: [go.example.com] }\n")
    }

    @Test("Nobody else is answered: neither a stranger nor what a proxy passes on for one")
    func strangers() async throws {
        try await expect(404, "go.example.com", from: "192.0.2.7", host: "api.example.com")
        try await expect(404, "go.example.com", from: "192.0.2.7", host: "127.0.0.1:8080")
        for host in ["api.example.com", "landfall:8080", "127.0.0.1:8080"] {
            for address in ["127.0.0.1", "172.31.0.2"] {
                let forwarded: HTTPFields = [.xForwardedFor: "192.0.2.7"]
                try await expect(404, "go.example.com", from: address, host: host, headers: forwarded)
            }
        }
        // A proxy that names no client still passes the host on.
        try await expect(404, "go.example.com", from: "172.31.0.2", host: "api.example.com")
    }
}
