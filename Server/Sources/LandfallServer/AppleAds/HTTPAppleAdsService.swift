// SPDX-License-Identifier: Apache-2.0
#if HTTPS
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import ServiceLifecycle

/// The live service: one POST for each token. Run it, so that its connections are closed when the server stops.
final class HTTPAppleAdsService: AppleAdsService, Service {
    static let appleURL = "https://api-adservices.apple.com/api/v1/"

    private let url: String
    private let timeLimit: Duration
    private let client: HTTPClient

    /// - Parameters:
    ///   - url: https, or http to this machine.
    ///   - timeLimit: for connecting, and again for the whole answer.
    ///   - connections: how many questions have a connection at a time; further ones wait.
    /// - Throws: ``AppleAdsURLError`` for any other address.
    init(
        url: String = HTTPAppleAdsService.appleURL, timeLimit: Duration = .seconds(10),
        connections: Int = AppleAdsExchanger.Limits().concurrency
    ) throws {
        guard URL(string: url)?.isAskable == true else { throw AppleAdsURLError(url: url) }
        self.url = url
        self.timeLimit = timeLimit
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout = .init(connect: TimeAmount(timeLimit), read: TimeAmount(timeLimit))
        // With the default of 8, a few questions that Apple leaves open would delay all others.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        configuration.connectionPool.retryConnectionEstablishment = false  // The queue asks again, at its own pace.
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func answer(to token: String) async throws -> AppleAdsReply {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "text/plain")
        request.body = .bytes(ByteBuffer(string: token))
        let response = try await client.execute(request, timeout: TimeAmount(timeLimit))
        let body = try await response.body.collect(upTo: AppleAdsReply.largestBody)
        return AppleAdsReply(
            status: Int(response.status.code), body: Array(body.readableBytesView),
            retryAfter: response.headers.first(name: "Retry-After").flatMap { Int64($0) })
    }

    func run() async throws {
        try? await gracefulShutdown()  // Ends by cancellation too; the connections are closed either way.
        try await client.shutdown()
    }
}
#endif
