// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServiceLifecycle
import Synchronization
import Testing

@testable import LandfallServer

@Suite("The HTTP request to Apple has Apple's form", .timeLimit(.minutes(1)))
struct HTTPAppleAdsServiceTests {
    /// The service of every build, and that of a build without TLS.
    enum Build: CaseIterable {
        case https, local

        func service(url: String) throws -> any AppleAdsService & Service {
            switch self {
            case .https: try HTTPAppleAdsService(url: url, timeLimit: .seconds(5))
            case .local: try LocalAppleAdsService(url: url, timeLimit: .seconds(5))
            }
        }
    }

    /// A server on a real socket that gives the answer in the token.
    private func serving(
        _ build: Build, holding: @escaping @Sendable () async -> Void = {},
        _ body: @escaping @Sendable (any AppleAdsService, Requests) async throws -> Void
    ) async throws {
        let requests = Requests()
        let router = Router()
        router.post("api/v1") { request, _ in
            let token = String(buffer: try await request.body.collect(upTo: 10_000))
            requests.append("\(request.method) \(request.headers[.contentType] ?? "-") \(token)")
            if token == "open" { await holding() }
            switch token {
            case "redirect": return Response(status: .found, headers: [.location: "/elsewhere"])
            case "long": return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(repeating: 32, count: 65_537)))
            case "missing": return Response(status: .notFound)
            default: return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: #"{"attribution":false}"#)))
            }
        }
        router.get("elsewhere") { _, _ in
            requests.append("followed")
            return "no"
        }
        try await Application(router: router).test(.live) { client in
            let port = try #require(client.port)
            let service = try build.service(url: "http://127.0.0.1:\(port)/api/v1/")
            let running = Task { try await service.run() }
            let result = await Task { try await body(service, requests) }.result
            running.cancel()
            try await running.value
            try result.get()
        }
    }

    @Test("The token is posted as plain text, and status and body are returned", arguments: Build.allCases)
    func post(build: Build) async throws {
        try await serving(build) { service, requests in
            let reply = try await service.answer(to: "abc+/=")

            #expect(reply == AppleAdsReply(status: 200, body: Array(#"{"attribution":false}"#.utf8)))
            #expect(requests.all == ["POST text/plain abc+/="])
            #expect(try await service.answer(to: "missing").status == 404)
        }
    }

    @Test("Questions that Apple leaves open do not delay other questions", arguments: Build.allCases)
    func open(build: Build) async throws {
        let (held, release) = AsyncStream.makeStream(of: Void.self)
        try await serving(build, holding: { for await _ in held {} }) { service, requests in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<40 { group.addTask { try await service.answer(to: "open").status } }
                group.addTask {
                    // Behind all of them.
                    while requests.all.count < 40 { await Task.yield() }
                    return try await service.answer(to: "abc").status + 1
                }
                #expect(try await group.next() == 201)
                release.finish()
                for try await status in group { #expect(status == 200) }
            }
        }
    }

    @Test("A redirect is treated as an ordinary answer, and is not followed", arguments: Build.allCases)
    func redirect(build: Build) async throws {
        try await serving(build) { service, requests in
            let reply = try await service.answer(to: "redirect")

            #expect(reply.status == 302)
            #expect(!requests.all.contains("followed"))
        }
    }

    @Test("More than 64 KiB is not an answer", arguments: Build.allCases)
    func long(build: Build) async throws {
        try await serving(build) { service, _ in
            await #expect(throws: (any Error).self) { try await service.answer(to: "long") }
        }
    }

    @Test("A refused connection is not an answer", arguments: Build.allCases)
    func refused(build: Build) async throws {
        let service = try build.service(url: "http://127.0.0.1:1/")
        let running = Task { try await service.run() }

        await #expect(throws: (any Error).self) { try await service.answer(to: "t") }

        running.cancel()
        try await running.value
    }

    @Test(
        "Requests to other machines use https only",
        arguments: [
            "http://api-adservices.apple.com/api/v1/", "http://localhost.evil.example/", "http://127.0.0.1.evil.example/",
            "ftp://127.0.0.1/", "127.0.0.1", "", "https://",
        ])
    func addresses(url: String) {
        for build in Build.allCases {
            #expect(throws: AppleAdsURLError(url: url)) { try build.service(url: url) }
        }
    }

    @Test("A build without TLS refuses https")
    func withoutTLS() {
        let url = HTTPAppleAdsService.appleURL
        #expect(throws: AppleAdsURLError(url: url)) { try Build.local.service(url: url) }
    }
}

private final class Requests: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock(\.self) }
    func append(_ line: String) { lines.withLock { $0.append(line) } }
}
