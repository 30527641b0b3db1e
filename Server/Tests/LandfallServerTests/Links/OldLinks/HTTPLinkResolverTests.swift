// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import Testing

@testable import LandfallServer

#if HTTPS


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
        try await HTTPLinkResolver.run(asking: router, at: "/resolve?team=a") { resolver in
            let reply = try await resolver.ask("https://acme.go.link/a?b=1&c=é")

            #expect(reply == LinkResolverReply(status: 302, location: "/resolve/again"))
            #expect(await asked.links == ["/resolve?team=a&url=https%3A%2F%2Facme.go.link%2Fa%3Fb%3D1%26c%3D%C3%A9 [\"user-agent\"]"])
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
