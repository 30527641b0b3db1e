// SPDX-License-Identifier: Apache-2.0
#if HTTPS
import Foundation
import LandfallServer
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// One request to an address of the installation, made as phones make it. Also reports what only this command needs: the certificate, and
/// when each part of the answer arrived.
struct PublicConnection: Sendable {
    /// In bytes: twice the largest association file that Apple takes.
    static let largestBody = 256 * 1024
    static let patience = Duration.seconds(5)

    struct Answer: Sendable {
        let status: Int
        let headers: HTTPHeaders
        let body: [UInt8]
        /// When each line of the body was complete, since the request.
        let arrivals: [Duration]
        /// The time between the request and the first byte.
        let firstByte: Duration
        let certificate: NIOSSLCertificate?
    }

    let host: String
    let port: Int
    let isTLS: Bool
    let addresses: [SocketAddress]
    /// Trusted beside the system's.
    let trusted: [NIOSSLCertificate]

    /// - Parameter verifies: false looks at a certificate that cannot be trusted.
    func get(_ target: String, headers: [(String, String)] = [], verifies: Bool = true) async throws -> Answer {
        let answer = try await withTimeout(Self.patience, by: .live) { try await ask(target, headers, verifies: verifies) }
        guard let answer else { throw PublicRefusal.tooSlow(Self.patience) }
        return answer
    }

    private func ask(_ target: String, _ more: [(String, String)], verifies: Bool) async throws -> Answer {
        let channel = try await connect(verifies: verifies)
        return try await channel.executeThenClose { inbound, outbound in
            let isUsualPort = port == (isTLS ? 443 : 80)
            var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: target)
            head.headers = [
                "Host": isUsualPort ? host : "\(host):\(port)", "User-Agent": "landfall-doctor", "Accept": "*/*",
            ]
            for (name, value) in more { head.headers.add(name: name, value: value) }
            let begun = ContinuousClock.now
            var unwritten: (any Error)?
            do {
                try await outbound.write(.head(head))
                try await outbound.write(.end(nil))
            } catch {
                // The reason, such as a failed handshake, is thrown where the answer is read.
                unwritten = error
            }
            var response: HTTPResponseHead?
            var (body, arrivals): ([UInt8], [Duration]) = ([], [])
            var firstByte = Duration.zero
            reading: for try await part in inbound {
                switch part {
                case .head(let head):
                    firstByte = ContinuousClock.now - begun
                    response = head
                case .body(let bytes):
                    let now = ContinuousClock.now - begun
                    arrivals += bytes.readableBytesView.filter { $0 == UInt8(ascii: "\n") }.map { _ in now }
                    body += bytes.readableBytesView
                    if body.count > Self.largestBody { break reading }
                case .end: break reading
                }
            }
            guard let response else { throw unwritten ?? PublicRefusal.closed }
            let certificate = isTLS ? try? await channel.channel.nioSSL_peerCertificate().get() : nil
            return Answer(
                status: Int(response.status.code), headers: response.headers, body: body, arrivals: arrivals, firstByte: firstByte,
                certificate: certificate)
        }
    }

    private typealias Channel = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    private func connect(verifies: Bool) async throws -> Channel {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.applicationProtocols = ["http/1.1"]
        if !verifies { configuration.certificateVerification = .none }
        if !trusted.isEmpty { configuration.additionalTrustRoots = [.certificates(trusted)] }
        let tls = isTLS ? try NIOSSLContext(configuration: configuration) : nil
        let isName = (try? SocketAddress(ipAddress: host, port: 0)) == nil
        var failure: any Error = PublicRefusal.closed
        for address in addresses.prefix(3) {
            do {
                return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(.seconds(2))
                    .connect(to: address) { channel in
                        channel.eventLoop.makeCompletedFuture {
                            let pipeline = channel.pipeline.syncOperations
                            if let tls {
                                try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: isName ? host : nil))
                            }
                            try pipeline.addHTTPClientHandlers()
                            return try Channel(wrappingChannelSynchronously: channel)
                        }
                    }
            } catch {
                failure = PublicRefusal.unreached(error)
            }
        }
        throw failure
    }
}

enum PublicRefusal: Error, Hashable, CustomStringConvertible {
    case closed
    case tooSlow(Duration)
    /// No connection was made.
    case unreached(String)

    var description: String {
        switch self {
        case .closed: "the connection was closed without an answer"
        case .tooSlow(let limit): "no answer within \(limit.components.seconds) s"
        case .unreached(let reason): reason
        }
    }

    fileprivate static func unreached(_ error: any Error) -> PublicRefusal {
        switch error {
        case let error as IOError: .unreached(String(cString: strerror(error.errnoCode)))
        case ChannelError.connectTimeout(_): .unreached("no connection in time")
        default: .unreached("\(error)")
        }
    }
}
#endif
