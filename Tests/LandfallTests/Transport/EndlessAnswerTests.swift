// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Landfall

/// On real sockets: the platform's own HTTP client must stop reading.
@Suite("An answer that never ends", .timeLimit(.minutes(1)))
struct EndlessAnswerTests {
    /// A server that sends the piece again and again until nobody takes it any more.
    private final class Flood: Sendable {
        /// More than the buffers of both sides and what is read during a cancellation, and far less than an endless answer.
        static let most = 1 << 30
        let server: RawServer
        private let taken = Locked(0)
        private let hasBegun = Locked(false)
        private let isOver = Locked(false)
        /// How many bytes were taken, once the connection is closed.
        private let end: AsyncStream<Int>

        init(head: String, piece: String) throws {
            let (end, ending) = AsyncStream<Int>.makeStream()
            self.end = end
            server = try RawServer { [taken, hasBegun, isOver] connection in
                _ = connection.readRequest()
                hasBegun.withLock { $0 = true }
                connection.write("HTTP/1.1 200 OK\r\nLandfall-Version: 1\r\nTransfer-Encoding: chunked\r\n\r\n" + head)
                while !isOver.withLock(\.self), connection.write(piece) { taken.withLock { $0 += piece.utf8.count } }
                ending.yield(taken.withLock(\.self))
            }
        }

        deinit { isOver.withLock { $0 = true } }

        /// Returns once the connection is closed; at once if no request has come: on a busy machine its limit may be over before.
        /// - Returns: how many bytes were taken since the call.
        func waitUntilClosed() async -> Int {
            guard hasBegun.withLock(\.self) else { return 0 }
            let before = taken.withLock(\.self)
            for await count in end { return count - before }
            return .max
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

    @Test("ends at its limit also beside many others: none keeps the process from reading a clock")
    func many() async throws {
        try await withThrowingTaskGroup(of: (TransportError.Kind?, Int).self) { group in
            for _ in 0..<8 {
                let flood = try Flood(head: "5;", piece: Self.space)
                group.addTask {
                    let transport = URLSessionTransport()
                    let request = TransportRequest(method: "GET", url: flood.server.url, idleLimit: .milliseconds(200))
                    var kind: TransportError.Kind?
                    do { for try await _ in try await transport.send(request).body {} } catch { kind = (error as? TransportError)?.kind }
                    return (kind, await flood.waitUntilClosed())
                }
            }
            for try await (kind, taken) in group {
                #expect(kind == .timedOut)
                #expect(taken < Flood.most)
            }
        }
    }

    @Test("of single bytes counts more than its bytes: each part costs memory")
    func singleBytes() async throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nLandfall-Version: 1\r\nTransfer-Encoding: chunked\r\n\r\n")
            connection.write(String(repeating: "1\r\n \r\n", count: 2_000))
            connection.waitUntilClosed()
        }
        let transport = URLSessionTransport(largestBody: 64 << 10)
        var received = 0

        let error = await #expect(throws: TransportError.self) {
            for try await part in try await transport.send(TransportRequest(method: "GET", url: server.url)).body {
                received += part.count
            }
        }

        #expect(error?.kind == .connectionFailed)
        #expect(received <= (64 << 10) / 64)
    }

    @Test("does not block code that releases the transport, and is no longer read then")
    func abandoned() async throws {
        let flood = try Flood(head: "5;", piece: Self.space)
        var transport: URLSessionTransport? = URLSessionTransport()

        let answer = try await transport?.send(TransportRequest(method: "GET", url: flood.server.url))
        transport = nil

        #expect(answer?.status == 200)
        #expect(await flood.waitUntilClosed() < Flood.most)
    }
}
