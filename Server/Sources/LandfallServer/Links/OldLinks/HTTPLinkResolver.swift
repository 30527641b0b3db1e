// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import ServiceLifecycle
#if HTTPS
import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Asks over https: `GET URL?url=LINK`, without a key, a cookie or anything about the person. A redirect is the answer, and is
/// not followed. Run it, so that its connections are closed when the server stops.
package final class HTTPLinkResolver: Service {
    private let url: String
    private let client: HTTPClient
    private let limit: TimeAmount

    /// - Parameters:
    ///   - url: https, or http to this machine.
    ///   - timeLimit: of a whole question.
    /// - Throws: ``LinkResolverURLError`` for any other address.
    package init(url: String, timeLimit: Duration = BoundedLinkResolver.timeLimit) throws {
        guard let parts = URL(string: url), parts.fragment == nil,
            parts.scheme == "https" && parts.host()?.isEmpty == false && parts.user == nil || parts.isLocalHTTP
        else { throw LinkResolverURLError(url: url) }
        self.url = url + (parts.query == nil ? "?" : "&") + "url="
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        limit = TimeAmount(timeLimit)
        configuration.timeout = .init(connect: limit, read: limit)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = BoundedLinkResolver.most
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    package func ask(_ link: String) async throws -> LinkResolverReply {
        var request = HTTPClientRequest(url: url + link.percentEncoded)
        request.headers.add(name: "User-Agent", value: "landfall/\(LandfallVersion.current)")
        let response = try await client.execute(request, timeout: limit)
        return LinkResolverReply(status: Int(response.status.code), location: response.headers.first(name: "location"))
    }

    package func run() async throws {
        try? await gracefulShutdown()
        try await client.shutdown()
    }
}
#else
/// A build without HTTPS cannot ask a resolver.
package final class HTTPLinkResolver: Service {
    package init(url: String, timeLimit: Duration = BoundedLinkResolver.timeLimit) throws { throw LinkResolverURLError(url: url) }
    package func ask(_ link: String) async throws -> LinkResolverReply { throw CancellationError() }
    package func run() async throws {}
}
#endif

struct LinkResolverURLError: Error, CustomStringConvertible {
    let url: String
    var description: String {
        "--link-resolver is '\(url)', which cannot be asked. Write an https address, or http to this machine, without '#'; builds without HTTPS have none."
    }
}
