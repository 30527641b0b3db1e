// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Landfall

/// On real sockets: the platform's own HTTP client must stop reading.
@Suite("An answer that never ends", .timeLimit(.minutes(1)))
struct EndlessAnswerTests {
    /// A server that sends the piece again and again until nobody takes it any more.
    private final class Flood: Sendable {
        /// Enough for the buffers of both sides and for what arrives during a cancellation, and far less than an endless answer.
        static let most = 1 << 30
        let server: RawServer
        /// How many bytes were taken, once the connection is closed.
        let taken: AsyncStream<Int>

        init(head: String, piece: String) throws {
            let (taken, end) = AsyncStream<Int>.makeStream()
            self.taken = taken
            server = try RawServer { connection in
                _ = connection.readRequest()
                connection.write("HTTP/1.1 200 OK\r\nLandfall-Version: 1\r\nTransfer-Encoding: chunked\r\n\r\n" + head)
                var count = 0
                while count < Self.most, connection.write(piece) { count += piece.utf8.count }
                end.yield(count)
            }
        }

        func waitUntilClosed() async -> Int {
            for await count in taken { return count }
            return Self.most
        }
    }

    private static let space = String(repeating: " ", count: 64 << 10)

    @Test("is no longer read when its reader has left, and the reader does not wait for that")
    func leftByItsReader() async throws {
        let flood = try Flood(head: "", piece: "10000\r\n" + Self.space + "\r\n")
        let transport = URLSessionTransport()
        var received = 0

        for try await part in try await transport.send(TransportRequest(method: "GET", url: flood.server.url)).body {
            received += part.count
            if received > 4 << 20 { break }
        }

        #expect(await flood.waitUntilClosed() < Flood.most)
    }

    @Test("is no longer read at the idle limit, if none of its bytes belong to the body")
    func withoutBody() async throws {
        let flood = try Flood(head: "5;", piece: Self.space)
        let transport = URLSessionTransport()
        let request = TransportRequest(method: "GET", url: flood.server.url, idleLimit: .milliseconds(200))

        let error = await #expect(throws: TransportError.self) { for try await _ in try await transport.send(request).body {} }

        #expect(error?.kind == .timedOut)
        #expect(await flood.waitUntilClosed() < Flood.most)
    }

    @Test("of single bytes counts more than its bytes: each part costs memory")
    func singleBytes() async throws {
        let flood = try Flood(head: "", piece: String(repeating: "1\r\n \r\n", count: 100))
        let transport = URLSessionTransport(largestBody: 1 << 20)
        var received = 0

        let error = await #expect(throws: TransportError.self) {
            for try await part in try await transport.send(TransportRequest(method: "GET", url: flood.server.url)).body {
                received += part.count
            }
        }

        #expect(error?.kind == .connectionFailed)
        #expect(received <= (1 << 20) / 64)
    }
}
