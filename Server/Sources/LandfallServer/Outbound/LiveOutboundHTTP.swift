// SPDX-License-Identifier: Apache-2.0
import Foundation
import ServiceLifecycle
#if HTTPS
import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// The live client. Run it, so that its connections are closed when the server stops.
package final class LiveOutboundHTTP: OutboundHTTP, Service {
    /// For connecting, and for each silence of the other server.
    private static let patience = TimeAmount.seconds(10)
    /// To one host at a time.
    private static let connections = 8
    /// The same with an address: several webhooks may be one host, and a slow one must not use up what the others need.
    private static let pinnedConnections = 100

    private let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: LiveOutboundHTTP.configuration(connections))
    let pinned = PinnedClients { pin in
        var configuration = LiveOutboundHTTP.configuration(pinnedConnections)
        configuration.dnsOverride = [pin.host: pin.address]
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    package init() {}

    private static func configuration(_ connections: Int) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout = .init(connect: patience, read: .seconds(60))
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    package func send(_ call: OutboundCall) async throws -> OutboundReply {
        guard let address = call.address, let host = URL(string: call.url)?.host(), host != address, host != "[\(address)]" else {
            return try await send(call, by: client)
        }
        return try await pinned.with(PinnedClients.Pin(host: host, address: address)) { try await send(call, by: $0) }
    }

    private func send(_ call: OutboundCall, by client: HTTPClient) async throws -> OutboundReply {
        var request = HTTPClientRequest(url: call.url)
        request.method = HTTPMethod(rawValue: call.method.rawValue)
        request.headers.add(name: "User-Agent", value: "landfall/\(LandfallVersion.current)")
        for (name, value) in call.headers { request.headers.add(name: name, value: value) }
        request.body = call.body.map { .bytes(ByteBuffer(bytes: $0)) }
        let response = try await client.execute(request, timeout: TimeAmount(call.patience))
        do {
            let body = call.largestReply == 0 ? ByteBuffer() : try await response.body.collect(upTo: call.largestReply)
            return OutboundReply(
                status: Int(response.status.code), body: Array(body.readableBytesView), headers: response.headers.map { ($0.name, $0.value) })
        } catch is NIOTooManyBytesError {
            throw OutboundReplyTooLarge(largest: call.largestReply)
        }
    }

    package func run() async throws {
        try? await gracefulShutdown()  // Ends by cancellation too; the connections are closed either way.
        await pinned.shutDown()
        try await client.shutdown()
    }
}
#else
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A build without the trait HTTPS reaches servers on this machine only.
package final class LiveOutboundHTTP: OutboundHTTP, Service {
    private struct NoHTTPS: Error, CustomStringConvertible {
        let description = """
            This build speaks no https. Build with: swift build --package-path Server -c release --product landfall
            """
    }

    private let session = URLSession(configuration: .ephemeral, delegate: NoRedirects(), delegateQueue: nil)

    package init() {}

    package func send(_ call: OutboundCall) async throws -> OutboundReply {
        guard let url = URL(string: call.url), url.isLocalHTTP else { throw NoHTTPS() }
        var request = URLRequest(url: url)
        request.httpMethod = call.method.rawValue
        for (name, value) in call.headers { request.setValue(value, forHTTPHeaderField: name) }
        request.httpBody = call.body.map { Data($0) }
        let (body, response) = try await session.answer(to: request)
        guard call.largestReply == 0 || body.count <= call.largestReply else { throw OutboundReplyTooLarge(largest: call.largestReply) }
        return OutboundReply(
            status: response.statusCode, body: call.largestReply == 0 ? [] : [UInt8](body),
            headers: response.allHeaderFields.compactMap { name, value in (name as? String).map { ($0, "\(value)") } })
    }

    package func run() async throws {
        try? await gracefulShutdown()
        session.invalidateAndCancel()
    }
}
#endif
