// SPDX-License-Identifier: Apache-2.0
#if HTTPS
import AsyncHTTPClient
import Foundation
import LandfallSQLite
import LandfallServer
import NIOCore
import NIOHTTP1

/// A command's connection to a server: over the network with a key, or through the socket in the store's folder without one.
struct ServerConnection: Sendable {
    /// In bytes. Answers are lists and reports, not files.
    private static let largestAnswer = 256 * 1024 * 1024

    private let client: HTTPClient
    private let base: String
    private let key: String?
    /// Kept while its path is used.
    private let socket: StoreSocketPath?

    static func with<Value>(
        address: ServerAddress, key: String, _ body: (ServerConnection) async throws -> Value
    ) async throws -> Value {
        try await with(base: address.text, key: key, body)
    }

    static func with<Value>(
        socket: StoreSocketPath, _ body: (ServerConnection) async throws -> Value
    ) async throws -> Value {
        guard let url = URL(httpURLWithSocketPath: socket.path, uri: "/") else { throw HTTPClientError.invalidURL }
        return try await with(base: String(url.absoluteString.dropLast()), key: nil, socket: socket, body)
    }

    private static func with<Value>(
        base: String, key: String?, socket: StoreSocketPath? = nil, _ body: (ServerConnection) async throws -> Value
    ) async throws -> Value {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout = .init(connect: .seconds(5))
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let value = try await body(ServerConnection(client: client, base: base, key: key, socket: socket))
            try await client.shutdown()
            return value
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    /// True if a server listens there.
    static func answers(_ socket: StoreSocketPath) async -> Bool {
        let answer = try? await with(socket: socket) { try await $0.call(BackendCall("GET", "/healthz"), within: .seconds(5)) }
        return answer != nil
    }

    func call(_ call: BackendCall, within limit: Duration) async throws -> [UInt8] {
        var request = HTTPClientRequest(url: base + call.target)
        request.method = HTTPMethod(rawValue: call.method)
        if let key { request.headers.add(name: "Authorization", value: "Bearer \(key)") }
        if !call.body.isEmpty {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: call.body))
        }
        for (name, value) in call.fields { request.headers.replaceOrAdd(name: name, value: value) }
        let (status, body): (Int, ByteBuffer)
        do {
            let response = try await client.execute(request, timeout: TimeAmount(limit))
            (status, body) = (Int(response.status.code), try await response.body.collect(upTo: Self.largestAnswer))
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw ServerUnreached(place: socket?.path ?? base, reason: "\(error)")
        }
        let bytes = Array(body.readableBytesView)
        try BackendRefusal.check(status: status, bytes)
        return bytes
    }
}
#endif
