// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore
import Testing

extension RealProcessTests {
    /// Hostile clients on real sockets against the real server. Whatever they send, the server keeps running, reports the
    /// error, and serves other clients.
    @Suite("Hostile input", .timeLimit(.minutes(1)))
    struct HostileInputTests {
        private static let bodies: [(path: String, good: String)] = [
            (
                "/v1/first-open",
                #"{"device":{"appVersion":"1.2.0","locale":"en-US","installedAgeMilliseconds":5},"adToken":{"value":"sim.x=1"},"#
                    + #""links":[{"key":"k","url":"https://example.com","ageMilliseconds":1}],"#
                    + #""placements":[{"id":"onboarding","locale":"de"}],"attributes":{"sessions":1,"plan":"pro"},"holdMilliseconds":0}"#
            ),
            ("/v1/profiles/me/ad-token", #"{"value":"sim.attribution=true"}"#),
            ("/v1/profiles/me/attributes", #"{"key":"a-1","attributes":{"sessions":3,"plan":null}}"#),
            (
                "/v1/attribution",
                #"{"key":"c-1","source":"appsflyer","status":"non_organic","campaign":"summer","ad_group":"g","ageMilliseconds":9}"#
            ),
            (
                "/v1/events",
                #"{"events":[{"id":"0198f0c2-7b1a-7c3d-8e4f-0000000000aa","type":"paywall_shown","ageMilliseconds":0,"revision":3}]}"#
            ),
            ("/v1/identify", #"{"key":"i-1","customerId":"anna","identityToken":"a.b.c"}"#),
            ("/v1/logout", #"{"key":"l-1"}"#),
        ]

        @Test("A body of any wrong shape gets an answer with a stable code, never a 5xx", arguments: [1, 2, 3, 4] as [UInt64])
        func brokenBodies(seed: UInt64) async throws {
            try await ServingProcess.run { port in
                try await onThread {
                    var mutations = BodyMutations(seed: seed)
                    var connection = try RawConnection(port: port)
                    for round in 0..<30 {
                        for (path, good) in Self.bodies {
                            let body = try mutations.body(from: good)
                            try connection.send(RawConnection.request("POST", path, body: body))
                            let answer = connection.answer()

                            let place =
                                "seed \(seed), round \(round), \(path): \(String(decoding: body.prefix(200), as: UTF8.self))"
                            let status = try #require(answer?.status, "no answer. \(place)")
                            #expect((200..<500).contains(status), "\(status). \(place)")
                            #expect(answer?.headers["landfall-version"] != nil, "\(place)")
                            if status >= 400 { #expect(answer?.code?.isEmpty == false, "\(status) without a code. \(place)") }
                            // A stream's length is not announced; its connection is not used again.
                            if answer?.headers["content-length"] == nil { connection = try RawConnection(port: port) }
                        }
                    }
                    #expect(RawConnection.isServed(port: port))
                }
            }
        }

        @Test("Wrong framing is refused with an error body, and the connection is closed")
        func wrongFraming() async throws {
            let head = "POST /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer pk_demo\r\n" + RawConnection.installHeader
            let cases: [(bytes: String, status: Int, code: String)] = [
                (head + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, "malformed_request"),
                (head + "Content-Length: -5\r\n\r\n{}", 400, "malformed_request"),
                (head + "Content-Length: 5, 6\r\n\r\n{}", 400, "malformed_request"),
                (head + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400, "malformed_request"),
                (head + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n{}", 400, "malformed_request"),
                (head + "Transfer-Encoding: chunked\r\n\r\n-1\r\n", 400, "malformed_request"),
                (head + "Content-Length: 5000000\r\n\r\n{}", 413, "body_too_large"),
                (head + "X: " + String(repeating: "x", count: 60_000) + "\r\n\r\n", 431, "headers_too_large"),
                (head + String(repeating: "X: y\r\n", count: 500) + "\r\n", 431, "headers_too_large"),
                ("GET /" + String(repeating: "a", count: 60_000) + " HTTP/1.1\r\nHost: a\r\n\r\n", 431, "headers_too_large"),
                ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n", 400, "malformed_request"),
                ("GET / HTTP/3.0\r\n\r\n", 400, "malformed_request"),
                ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "malformed_request"),
            ]
            try await ServingProcess.run { port in
                try await onThread {
                    for (bytes, status, code) in cases {
                        let connection = try RawConnection(port: port)
                        try? connection.send(bytes)
                        let answer = connection.answer(within: 3_000)

                        #expect(answer?.status == status, "\(bytes.prefix(160))")
                        #expect(answer?.code == code, "\(bytes.prefix(160))")
                    }
                    #expect(RawConnection.isServed(port: port))
                }
            }
        }

        @Test("Pipelined requests are answered in order; invalid bytes after them close the connection after the answers")
        func pipelining() async throws {
            try await ServingProcess.run { port in
                try await onThread {
                    let connection = try RawConnection(port: port)
                    let good = RawConnection.request("GET", "/v1/placements/onboarding/paywall?audience=default")
                    let unknown = RawConnection.request("GET", "/nowhere")
                    try connection.send(good + unknown + good + Data("nonsense\r\n\r\n".utf8))

                    #expect((0..<4).map { _ in connection.answer()?.status } == [200, 404, 200, 400])
                    #expect(connection.read(within: 3_000) == Data(), "closed")
                }
            }
        }

        @Test("Methods, paths and queries of every kind get a stable code")
        func targets() async throws {
            let targets = [
                "/", "//", "/%", "/%zz", "/%00", "/v1/%66irst-open", "/v1/placements//paywall", "/v1/placements/%00/paywall",
                "/v1/placements/%C3%28/paywall", "/v1/placements/..%2f..%2fetc/paywall",
                "/v1/placements/\(String(repeating: "a", count: 9_000))/paywall",
                "/v1/placements/onboarding/paywall?audience=x", "/v1/placements/onboarding/paywall?locale=%00",
                "/v1/placements/onboarding/paywall?locale=\(String(repeating: "e", count: 9_000))",
                "/v1/placements/onboarding/paywall?after=99999999999999999999&wait=1",
                "/v1/placements/onboarding/paywall?wait=-1",
                "/v1/placements/onboarding/paywall?after=9223372036854775807&wait=1&after=1",
                "/v1/profiles/me?after=-9223372036854775808&wait=1",
                "/v1/profiles/me?after=1e3&wait=1", "/v1/profiles/me?&&==&%=%", "*", "http://example.com/v1/profiles/me",
            ]
            try await ServingProcess.run { port in
                try await onThread {
                    for method in ["GET", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "HEAD"] {
                        for target in targets {
                            let connection = try RawConnection(port: port)
                            try connection.send(RawConnection.request(method, target))
                            if method == "HEAD" {  // a head announces a body that it does not carry
                                let start = connection.read(within: 3_000) ?? Data()
                                #expect(start.starts(with: Data("HTTP/1.1 ".utf8)), "\(method) \(target.prefix(80))")
                                continue
                            }
                            let answer = connection.answer(within: 3_000)

                            let status = try #require(answer?.status, "no answer to \(method) \(target.prefix(80))")
                            #expect((200..<500).contains(status), "\(status) for \(method) \(target.prefix(80))")
                            if status >= 400 {
                                #expect(answer?.code?.isEmpty == false, "\(status) for \(method) \(target.prefix(80))")
                            }
                        }
                    }
                    #expect(RawConnection.isServed(port: port))
                }
            }
        }

        @Test("Slow senders do not delay others")
        func slowSenders() async throws {
            try await ServingProcess.run { port in
                try await onThread {
                    let slow = try (0..<400).map { _ in try RawConnection(port: port) }
                    let head = Data("GET /healthz HTTP/1.1\r\nHost: a\r\nX: ".utf8)
                    let body = RawConnection.request("POST", "/v1/events", body: Data(repeating: 0x20, count: 1_000)).dropLast(
                        1_000)
                    for (index, connection) in slow.enumerated() where !index.isMultiple(of: 2) {
                        try connection.send(Data(body))
                    }

                    for step in 0..<20 {
                        for (index, connection) in slow.enumerated() {
                            try connection.send(index.isMultiple(of: 2) ? Data([head[head.startIndex + step]]) : Data([0x20]))
                        }
                        #expect(RawConnection.isServed(port: port, within: 2_000))
                    }
                }
            }
        }
    }
}
