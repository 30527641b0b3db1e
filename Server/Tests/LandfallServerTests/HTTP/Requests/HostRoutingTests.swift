// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallServer

@Suite("Hosts have their own purpose", .timeLimit(.minutes(1)))
struct HostRoutingTests {
    @Test(
        "A brand domain is recognised in every spelling of its name",
        arguments: ["go.example.com", "GO.Example.COM", "go.example.com.", "go.example.com:8080", "go.example.com.:443"])
    func written(host: String) async throws {
        try await TestServer.runBrand { server in
            let status1 = try await Browser.onPhone.send("/beach", host: host, to: server).status
            #expect(status1 == 302)
        }
    }

    @Test(
        "A similar host is not a brand host",
        arguments: [
            "example.com", "evilgo.example.com", "go.example.com.evil.example", "go.example.com..", "x@go.example.com",
            "localhost",
            "127.0.0.1:8080", "[::1]:8080", nil, "",
        ])
    func alike(host: String?) async throws {
        try await TestServer.runBrand { server in
            let status2 = try await Browser.onPhone.send("/beach", host: host, to: server).status
            #expect(status2 == 404)
            let status3 = try await Browser.onPhone.send("/healthz", host: host, to: server).status
            #expect(status3 == 200)
        }
    }

    @Test(
        "A brand domain serves nothing of the API, its health or its metrics",
        arguments: ["/v1/first-open", "/v1/profiles/me", "/healthz", "/readyz", "/metrics", "/console", "/v1/x?adj_t=abc"])
    func brand(path: String) async throws {
        try await TestServer.runBrand { server in
            let headers: HTTPFields = [.authorization: "Bearer pk_test", .landfallProfile: "\(Phone().id).\(Phone().secret)"]
            let answer = try await Browser(address: "127.0.0.1", headers: headers).send(
                path, host: "go.example.com", to: server)

            #expect(answer.status == 404)
            #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
        }
    }

    @Test(
        "HEAD has no body, also of a path that is not there: on a kept connection it would be read as the next answer",
        arguments: ["/nothing", "/v1/profiles/me/nothing", "/console/nothing", "/healthz"])
    func head(path: String) async throws {
        try await TestServer.runBrand { server in
            let whole = try await server.client.execute(uri: path, method: .get)
            let head = try await server.client.execute(uri: path, method: .head)

            #expect(head.status == whole.status)
            #expect(whole.body.readableBytes > 0)
            #expect(head.body.readableBytes == 0)
            #expect((head.headers[.contentLength].flatMap { Int($0) } ?? 0) > 0, "the length of what GET answers")
        }
    }

    @Test("A host that stands for a brand domain serves its links, as live rows too, and nothing else")
    func standIn() async throws {
        try await TestServer.runBrand { server in
            var services = server.services
            services.linkHosts = ["192.168.1.5": "go.example.com"]
            let near = TestServer(services: services, clock: server.clock, client: server.client)

            let answer = try await Browser.onPhone.send("/copied", host: "192.168.1.5:8080", to: near)
            #expect(answer.status == 200)
            #expect(answer.copied?.contains("go.example.com/copied") == true, "\(answer.copied ?? "nothing")")
            #expect(services.console.live.rows(after: 0, .tap, limit: 9).map(\.subject) == ["go.example.com/copied"])

            #expect(try await Browser.onPhone.send("/healthz", host: "192.168.1.5:8080", to: near).status == 404)
            #expect(try await Browser.onPhone.send("/healthz", host: "192.168.1.6:8080", to: near).status == 200)
            #expect(try await Browser.onPhone.send("/copied", host: "192.168.1.5:8080", to: server).status == 404)
        }
    }

    @Test(
        "The listener for links serves neither API nor console, whatever host a request names",
        arguments: [
            "/v1/first-open", "/v1/profiles/me", "/v1/configuration", "/healthz", "/readyz", "/metrics", "/console", "/console/sign-in",
            "/console/setup?token=x", "/console/assets/style.css",
        ])
    func linksListener(path: String) async throws {
        try await TestServer.runBrand { server in
            let responder = LinksListener.router(server.services).buildResponder()
            for host in ["localhost", "127.0.0.1:8080", "go.example.com", "192.168.1.5", nil] {
                for method in [HTTPRequest.Method.get, .post, .delete] {
                    let browser = Browser(address: "192.168.1.9", method: method, headers: [.authorization: "Bearer pk_test"])
                    let answer = try await browser.send(path, host: host, to: responder)
                    #expect([404, 405].contains(answer.status), "\(method) \(host ?? "-") \(answer.status)")
                }
            }
            #expect(try await Browser.onPhone.send("/beach", host: "go.example.com", to: responder).status == 302)
        }
    }

    @Test("No part of an answer comes from the Host field")
    func echo() async throws {
        try await TestServer.runBrand { server in
            for path in ["/beach", "/shown", "/nothing", "/copied", "/%FF"] {
                for userAgent in [Browser.safari, Browser.windows, Browser.slack, Browser.instagram] {
                    let answer = try await Browser(userAgent: userAgent).send(path, host: "GO.example.COM.:1234", to: server)

                    let said = answer.body + answer.headers.map(\.value).joined()
                    #expect(!said.contains("GO.") && !said.contains(":1234"), "\(path)")
                }
            }
        }
    }

    @Test("Two Host fields are refused")
    func twice() async throws {
        try await TestServer.runBrand { server in
            let browser = Browser(headers: [.anotherHost: "localhost"])
            let answer = try await browser.send("/beach", host: "go.example.com", to: server)

            #expect(answer.status == 400)
            #expect(answer.body.contains("malformed_request"))
        }
    }

    @Test(
        "Only Host names the requested host; other fields with a host are ignored",
        arguments: ["X-Forwarded-Host", "X-Host", "X-Original-Host", "X-Forwarded-Server", "Forwarded", ":authority"],
        ["10.0.0.1", "192.0.2.1"])
    func forwarded(field: String, peer: String) async throws {
        try await TestServer.runBrand(proxies: try TrustedProxies(["10.0.0.0/8"])) { server in
            var headers: HTTPFields = [.authorization: "Bearer pk_test"]
            func say(_ host: String) {
                guard let name = HTTPField.Name(field) else { return }
                headers[name] = field == "Forwarded" ? "host=\(host);for=198.51.100.1" : host
            }
            say("api.example.com")
            let onBrand = try await Browser(address: peer, headers: headers).send(
                "/v1/placements/onboarding/paywall?audience=default", host: "go.example.com", to: server)
            say("go.example.com")
            let onAPI = try await Browser(address: peer, headers: headers).send("/beach", host: "api.example.com", to: server)

            #expect(onBrand.status == 404)
            #expect(onBrand.headers[.contentType] == "text/html; charset=utf-8")
            #expect(onAPI.status == 404)
        }
    }

    @Test(
        "This machine reaches the API by its own name whatever `domains.api` says; brand domains and what a proxy passes on do not",
        arguments: ["localhost", "LOCALHOST:8080", "127.0.0.1:8080", "[::1]:8080", "127.0.0.1"])
    func thisMachine(host: String) async throws {
        let configuration = try Sample.configuration("domains: { brand: [go.example.com], api: [api.example.com] }\n")
        try await TestServer.run(configuration: configuration) { server in
            let path = "/v1/placements/home/paywall?audience=default"
            func status(_ peer: String, _ host: String, _ more: HTTPFields = [:], _ path: String = path) async throws -> Int {
                var headers: HTTPFields = [.authorization: "Bearer pk_sample"]
                headers.append(contentsOf: more)
                return try await Browser(address: peer, headers: headers).send(path, host: host, to: server).status
            }

            let here = [
                try await status("127.0.0.1", host), try await status("::1", host), try await status("127.0.0.1", host, [:], "/console/sign-in"),
            ]
            let elsewhere = [
                try await status("192.0.2.7", host), try await status("127.0.0.1", host, [.xForwardedFor: "192.0.2.7"]),
                try await status("127.0.0.1", "x.example"), try await status("127.0.0.1", "go.example.com", [:], "/console/sign-in"),
            ]

            #expect(here == [200, 200, 200])
            #expect(elsewhere == [404, 404, 404, 404])
        }
    }

    @Test("With `domains.api` only that host serves the API; probes come by address")
    func apiHosts() async throws {
        let configuration = try Sample.configuration("domains: { brand: [go.example.com], api: [api.example.com] }\n")
        try await TestServer.run(configuration: configuration) { server in
            let headers: HTTPFields = [.authorization: "Bearer pk_sample"]
            let path = "/v1/placements/home/paywall?audience=default"
            for (host, status) in [
                ("api.example.com", 200), ("API.example.com:443", 200), ("127.0.0.1", 404), ("x.example", 404),
            ] {
                let status4 = try await Browser(headers: headers).send(path, host: host, to: server).status
                #expect(status4 == status)
                let status5 = try await Browser.onPhone.send("/healthz", host: host, to: server).status
                #expect(status5 == 200)
            }
        }
    }
}

extension HostRoutingTests {
    @Test("The web site's host serves the API only if it is named for it; other hosts serve it without being named")
    func siteHost() async throws {
        let path = "/v1/placements/home/paywall?audience=default"
        let headers: HTTPFields = [.authorization: "Bearer pk_sample"]
        for (api, statuses) in [("", [404, 200]), (", api: [example.com]", [200, 404])] {
            let configuration = try Sample.configuration("domains: { universal: [example.com]\(api) }\n")
            try await TestServer.run(configuration: configuration) { server in
                for (host, status) in zip(["example.com", "api.example.com"], statuses) {
                    let answer = try await Browser(headers: headers).send(path, host: host, to: server)
                    let health = try await Browser.onPhone.send("/healthz", host: host, to: server)

                    #expect(answer.status == status, "\(host)\(api)")
                    #expect(health.status == 200)
                }
            }
        }
    }
}

@Suite("Addresses of clients", .timeLimit(.minutes(1)))
struct ClientAddressTests {
    @Test(
        "are read in the forms of header fields",
        arguments: [
            ("192.0.2.7", [192, 0, 2, 7]), (" 192.0.2.7:443 ", [192, 0, 2, 7]), ("::ffff:192.0.2.7", [192, 0, 2, 7]),
            ("2001:db8::1", [0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
            ("[2001:db8::1]:443", [0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
        ] as [(String, [UInt8])])
    func read(text: String, bytes: [UInt8]) {
        #expect(ClientAddress(text)?.bytes == bytes)
    }

    @Test("are refused in other forms", arguments: ["", "x", "192.0.2", "192.0.2.256", "unknown", "/tmp/socket"])
    func none(text: String) {
        #expect(ClientAddress(text) == nil)
    }

    @Test(
        "The client is the nearest address that is not a trusted proxy",
        arguments: [
            ("192.0.2.1", ["198.51.100.1"], "192.0.2.1"), ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", ["203.0.113.9, 198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", ["203.0.113.9", "198.51.100.1, 10.0.0.2"], "198.51.100.1"), ("10.0.0.1", [], "10.0.0.1"),
            ("10.0.0.1", ["nonsense"], "10.0.0.1"), ("10.0.0.1", ["203.0.113.9, nonsense, 10.0.0.3"], "10.0.0.3"),
            ("2001:db8::5", ["198.51.100.1"], "198.51.100.1"),
        ])
    func client(peer: String, forwarded: [String], expected: String) throws {
        let proxies = try TrustedProxies(["10.0.0.0/8", "2001:db8::/32"])

        #expect(proxies.client(peer: ClientAddress(peer), forwarded: forwarded) == ClientAddress(expected))
    }

    @Test(
        "An invalid network is named in the error",
        arguments: ["", "x", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "2001:db8::/129", "10.0.0.0/"])
    func invalid(text: String) {
        #expect(throws: InvalidNetwork(text: text)) { try TrustedProxies([text]) }
    }

    @Test("The edges of a network belong to it, addresses beside them do not")
    func edges() throws {
        let proxies = try TrustedProxies(["10.1.2.128/25", "192.0.2.7"])
        for (text, expected) in [
            ("10.1.2.128", true), ("10.1.2.255", true), ("10.1.2.127", false), ("10.1.3.0", false), ("192.0.2.7", true),
            ("192.0.2.8", false),
        ] {
            #expect(proxies.contains(ClientAddress(text)) == expected)
        }
    }
}
