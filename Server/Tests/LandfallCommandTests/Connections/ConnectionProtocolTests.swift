// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension RealProcessTests {
    @Suite("A connection to the built server", .timeLimit(.minutes(1)))
    struct ConnectionProtocolTests {
        private static let target = "/v1/placements/onboarding/paywall?audience=default"
        private static let fields = "Host: localhost\r\nAuthorization: bearer  pk_demo\r\n"

        @Test("loses no request: it closes if it does not answer")
        func swallowsNothing() async throws {
            try await ServingProcess.run { port in
                for last in [
                    "Connection: Upgrade\r\nUpgrade: websocket\r\n", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n",
                    "Connection: Close\r\n",
                ] {
                    let connection = try RawConnection(port: port)
                    try connection.send("GET \(Self.target) HTTP/1.1\r\n\(Self.fields)\(last)\r\n")
                    let answer = try #require(connection.answer())
                    try? connection.send("GET \(Self.target) HTTP/1.1\r\n\(Self.fields)\r\n")

                    #expect(answer.status == 200, "\(last)")
                    #expect(answer.headers["connection"] == "close", "\(last)")
                    #expect(connection.read(within: 5_000)?.isEmpty == true, "\(last)")
                }
            }
        }

        @Test("makes no tunnel")
        func tunnel() async throws {
            try await ServingProcess.run { port in
                let connection = try RawConnection(port: port)

                try connection.send("CONNECT localhost:443 HTTP/1.1\r\nHost: localhost:443\r\n\r\n")

                let answer = try #require(connection.answer())
                #expect(answer.status == 405)
                #expect(answer.code == "method_not_allowed")
                #expect(connection.read(within: 5_000)?.isEmpty == true)
            }
        }

        @Test("in HTTP/1.0 gets an unchunked stream that ends with the connection")
        func old() async throws {
            try await ServingProcess.run { port in
                let connection = try RawConnection(port: port)
                let body = #"{"placements":[{"id":"onboarding"}]}"#
                let fields = Self.fields + RawConnection.installHeader + "Content-Length: \(body.utf8.count)\r\n"

                try connection.send("POST /v1/first-open HTTP/1.0\r\n\(fields)\r\n\(body)")

                var all = Data()
                while let more = connection.read(within: 5_000), !more.isEmpty { all += more }
                let text = String(decoding: all, as: UTF8.self)
                #expect(text.hasPrefix("HTTP/1.0 200 OK\r\n"))
                #expect(!text.lowercased().contains("transfer-encoding"))
                let lines = text.components(separatedBy: "\r\n\r\n").last?.split(separator: "\n") ?? []
                #expect(lines.count >= 3)
                #expect(lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
            }
        }

        @Test("gets 100 Continue for a body that waits for it")
        func expectation() async throws {
            try await ServingProcess.run { port in
                let connection = try RawConnection(port: port)
                let fields = Self.fields + RawConnection.installHeader + "Content-Length: 2\r\nExpect: 100-continue\r\n"

                try connection.send("POST /v1/logout HTTP/1.1\r\n\(fields)\r\n")
                let asked = connection.read(within: 5_000).map { String(decoding: $0, as: UTF8.self) }
                try connection.send("{}")

                #expect(asked == "HTTP/1.1 100 Continue\r\n\r\n")
                #expect(connection.answer() != nil)
            }
        }
    }
}
