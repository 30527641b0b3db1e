// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Landfall

/// On real sockets: these tests are about the platform's own HTTP client.
@Suite("The URLSession transport", .timeLimit(.minutes(1)))
struct URLSessionTransportTests {
    let transport = URLSessionTransport()
    static let chunked =
        "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\nLandfall-Version: 1\r\n\r\n"

    @Test("hands over each line as it arrives, the head before any of them")
    func streaming() async throws {
        let mayGoOn = DispatchSemaphore(value: 0)
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write(Self.chunked)
            for line in ["one\n", "two\n", "three\n"] {
                mayGoOn.wait()
                connection.writeChunk(line)
            }
            mayGoOn.wait()
            connection.write("0\r\n\r\n")
            connection.waitUntilClosed()
        }

        let answer = try await transport.send(TransportRequest(method: "GET", url: server.url))
        var pieces = answer.body.makeAsyncIterator()

        #expect(answer.status == 200)
        #expect(answer.headers["landfall-version"] == "1")
        for line in ["one\n", "two\n", "three\n"] {
            mayGoOn.signal()
            #expect(try await pieces.next() == Data(line.utf8))
        }
        mayGoOn.signal()
        #expect(try await pieces.next() == nil)
    }

    @Test("sends method, path, headers and body as they are")
    func request() async throws {
        let seen = Locked("")
        let server = try RawServer { connection in
            let request = connection.readRequest() ?? ""
            seen.withLock { $0 = request }
            connection.write("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n")
            connection.waitUntilClosed()
        }

        let answer = try await transport.send(
            TransportRequest(
                method: "POST", url: server.url.appendingPathComponent("v1/events"),
                headers: ["Content-Type": "application/json", "Authorization": "Bearer pk_demo"], body: Data("{}".utf8)
            )
        )

        #expect(answer.status == 204)
        let request = seen.withLock { $0 }
        #expect(request.hasPrefix("POST /v1/events HTTP/1.1\r\n"))
        #expect(request.contains("Content-Type: application/json\r\n"))
        #expect(request.contains("Authorization: Bearer pk_demo\r\n"))
        #expect(!request.lowercased().contains("cookie"))
        #expect(request.hasSuffix("\r\n\r\n{}"))
    }

    @Test("follows no redirect: the redirect is the answer", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        let requests = Locked(0)
        let server = try RawServer { connection in
            while connection.readRequest() != nil {
                requests.withLock { $0 += 1 }
                connection.write("HTTP/1.1 \(status) Moved\r\nLocation: /elsewhere\r\nContent-Length: 4\r\n\r\ngone")
            }
        }

        let answer = try await transport.send(TransportRequest(method: "GET", url: server.url))
        for try await _ in answer.body {}

        #expect(answer.status == status)
        #expect(answer.headers["location"] == "/elsewhere")
        #expect(requests.withLock { $0 } == 1)
    }

    @Test("keeps no cookie")
    func cookies() async throws {
        let requests = Locked<[String]>([])
        let server = try RawServer { connection in
            while let request = connection.readRequest() {
                requests.withLock { $0.append(request.lowercased()) }
                connection.write("HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 0\r\n\r\n")
            }
        }

        for _ in 1...2 {
            for try await _ in try await transport.send(TransportRequest(method: "GET", url: server.url)).body {}
        }

        #expect(requests.withLock { $0.count } == 2)
        #expect(requests.withLock { $0.allSatisfy { !$0.contains("cookie") } })
    }

    @Test("closes the connection when the waiting caller is cancelled, and answers the caller at once")
    func cancelBeforeHead() async throws {
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let (closings, closed) = AsyncStream<Void>.makeStream()
        let server = try RawServer { connection in
            _ = connection.readRequest()
            arrived.yield()
            connection.waitUntilClosed()
            closed.yield()
        }
        let caller = Task { try await transport.send(TransportRequest(method: "GET", url: server.url)).status }
        for await _ in arrivals { break }

        caller.cancel()

        await #expect(throws: CancellationError.self) { try await caller.value }
        for await _ in closings { break }
    }

    @Test("closes the connection when the body is dropped or its reader is cancelled", arguments: [false, true])
    func cancelDuringBody(drops: Bool) async throws {
        let (closings, closed) = AsyncStream<Void>.makeStream()
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write(Self.chunked)
            connection.writeChunk("one\n")
            connection.waitUntilClosed()
            closed.yield()
        }
        let request = TransportRequest(method: "GET", url: server.url)

        if drops {
            _ = try await transport.send(request)
        } else {
            let (lines, line) = AsyncStream<Void>.makeStream()
            let reader = Task { for try await _ in try await transport.send(request).body { line.yield() } }
            for await _ in lines { break }
            reader.cancel()
            _ = await reader.result
        }

        for await _ in closings { break }
    }

    @Test("throws when the connection is reset in the middle of the body, after what had arrived")
    func reset() async throws {
        let mayReset = DispatchSemaphore(value: 0)
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write(Self.chunked)
            connection.writeChunk("one\n")
            mayReset.wait()
            connection.resetOnClose()
        }

        var pieces = try await transport.send(TransportRequest(method: "GET", url: server.url)).body.makeAsyncIterator()
        #expect(try await pieces.next() == Data("one\n".utf8))
        mayReset.signal()

        let error = await #expect(throws: TransportError.self) { try await pieces.next() }
        #expect(error?.kind == .connectionFailed)
    }

    @Test("throws when a chunked body ends without its end")
    func truncated() async throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write(Self.chunked)
            connection.writeChunk("one\n")
        }

        let answer = try await transport.send(TransportRequest(method: "GET", url: server.url))

        let error = await #expect(throws: TransportError.self) { for try await _ in answer.body {} }
        #expect(error?.kind == .connectionFailed)
    }

    @Test(
        "gives up when nothing arrives for the idle limit, before the head and in the middle of the body",
        arguments: [false, true])
    func idle(sendsHead: Bool) async throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            if sendsHead { connection.write(Self.chunked) }
            if sendsHead { connection.writeChunk("one\n") }
            connection.waitUntilClosed()
        }
        let request = TransportRequest(method: "GET", url: server.url, idleLimit: .milliseconds(300))

        let error = await #expect(throws: TransportError.self) {
            for try await _ in try await transport.send(request).body {}
        }

        #expect(error?.kind == .timedOut)
    }

    @Test("gives up soon when the head says how long the body is and the body does not come")
    func silentBody() async throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
            connection.waitUntilClosed()
        }
        let transport = URLSessionTransport(restLimit: .milliseconds(300))
        let request = TransportRequest(method: "GET", url: server.url, idleLimit: .seconds(3_600))

        let error = await #expect(throws: TransportError.self) {
            for try await _ in try await transport.send(request).body {}
        }

        #expect(error?.kind == .timedOut)
    }

    @Test("does not give up on a body that lasts longer than the idle limit but keeps arriving")
    func keepsArriving() async throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write(Self.chunked)
            for _ in 1...8 {
                connection.writeChunk("\n")
                usleep(200_000)
            }
            connection.write("0\r\n\r\n")
            connection.waitUntilClosed()
        }
        let request = TransportRequest(method: "GET", url: server.url, idleLimit: .seconds(1))

        var received = 0
        for try await piece in try await transport.send(request).body { received += piece.count }

        #expect(received == 8)
    }

    @Test("calls a refused connection failed, not offline")
    func refused() async throws {
        var server: RawServer? = try RawServer { _ in }
        let url = server!.url
        server = nil

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(TransportRequest(method: "GET", url: url))
        }

        #expect(error?.kind == .connectionFailed)
    }

    /// On Linux a redirect whose task is cancelled at the wrong instant has ended the process.
    @Test(
        "survives callers that leave at the very moment of the answer",
        arguments: [
            "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe",
        ])
    func leavingCallers(response: String) async throws {
        let callers = Locked<[String: Task<Void, any Error>]>([:])
        let server = try RawServer { connection in
            while let path = connection.readRequest()?.split(separator: " ").dropFirst().first.map(String.init) {
                connection.write(response)
                for _ in 0..<(path.utf8.last ?? 0) % 10 { usleep(50) }
                callers.withLock { $0[path] }?.cancel()
            }
        }

        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<16 {
                group.addTask {
                    for round in 0..<20 {
                        let name = "\(worker)-\(round)"
                        let request = TransportRequest(method: "GET", url: server.url.appendingPathComponent(name))
                        let caller = callers.withLock { callers in
                            let caller = Task { for try await _ in try await transport.send(request).body {} }
                            callers["/" + name] = caller
                            return caller
                        }
                        _ = await caller.result
                    }
                }
            }
        }
    }

    @Test("carries plain calls while many streams are held")
    func manyStreams() async throws {
        let server = try RawServer { connection in
            guard let request = connection.readRequest() else { return }
            connection.write(Self.chunked)
            connection.writeChunk("one\n")
            if request.hasPrefix("GET /held ") { connection.waitUntilClosed() } else { connection.write("0\r\n\r\n") }
        }
        var held: [TransportAnswer] = []
        for _ in 1...8 {
            held.append(
                try await transport.send(TransportRequest(method: "GET", url: server.url.appendingPathComponent("held"))))
        }

        var received = Data()
        for try await piece in try await transport.send(TransportRequest(method: "GET", url: server.url)).body {
            received += piece
        }

        #expect(received == Data("one\n".utf8))
        #expect(held.count == 8)
    }
}
