// SPDX-License-Identifier: Apache-2.0
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import ServiceLifecycle

/// A simulated Apple Ads on this machine, without TLS. The service of a build without the trait HTTPS, such as the demo's,
/// which then needs neither a TLS library nor an HTTP client.
final class LocalAppleAdsService: AppleAdsService, Service {
    private let url: URL
    private let session: URLSession

    /// - Parameter url: http to this machine.
    /// - Throws: ``AppleAdsURLError`` for any other address.
    init(url: String, timeLimit: Duration = .seconds(10), connections: Int = AppleAdsExchanger.Limits().concurrency) throws {
        guard let address = URL(string: url), address.isLocalHTTP else { throw AppleAdsURLError(url: url) }
        self.url = address
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        configuration.timeoutIntervalForRequest = timeLimit / .seconds(1)
        session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
    }

    func answer(to token: String) async throws -> AppleAdsReply {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(token.utf8)
        let (body, response) = try await session.answer(to: request)
        guard body.count <= AppleAdsReply.largestBody else { throw URLError(.badServerResponse) }
        return AppleAdsReply(
            status: response.statusCode, body: [UInt8](body),
            retryAfter: response.value(forHTTPHeaderField: "Retry-After").flatMap { Int64($0) })
    }

    func run() async throws {
        try? await gracefulShutdown()  // Ends by cancellation too; the connections are closed either way.
        session.invalidateAndCancel()
    }
}
