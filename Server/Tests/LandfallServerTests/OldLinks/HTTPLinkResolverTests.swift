// SPDX-License-Identifier: Apache-2.0
#if HTTPS
import Hummingbird
import Logging
import Testing

@testable import LandfallServer

@Suite("A resolver over HTTP", .timeLimit(.minutes(1)))
struct HTTPLinkResolverTests {
    @Test("is asked with the link as a parameter and nothing else; its redirect is the answer, and is not followed")
    func asked() async throws {
        let asked = AskedLinks()
        let router = Router()
        router.get("resolve") { request, _ in
            let names = request.headers.map(\.name.canonicalName).sorted().filter { $0 != "connection" && $0 != "content-length" }
            await asked.append("\(request.uri) \(names)")
            return Response(status: .found, headers: [.location: "/resolve/again"])
        }
        router.get("resolve/again") { _, _ in
            await asked.append("followed")
            return Response(status: .ok)
        }
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            let port = try #require(await ports.first { _ in true })
            let resolver = try HTTPLinkResolver(url: "http://127.0.0.1:\(port)/resolve?team=a")
            group.addTask { try await resolver.run() }

            let reply = try await resolver.ask("https://acme.go.link/a?b=1&c=é")

            #expect(reply == LinkResolverReply(status: 302, location: "/resolve/again"))
            #expect(await asked.links == ["/resolve?team=a&url=https%3A%2F%2Facme.go.link%2Fa%3Fb%3D1%26c%3D%C3%A9 [\"user-agent\"]"])
            group.cancelAll()
        }
    }

    @Test(
        "Only https is asked, or this machine",
        arguments: ["http://resolve.example.com/", "ftp://a.example/", "https://", "resolve", "https://me@a.example/", "https://a.example/#x", ""])
    func addresses(url: String) {
        #expect(throws: LinkResolverURLError.self) { try HTTPLinkResolver(url: url) }
    }
}
#endif
