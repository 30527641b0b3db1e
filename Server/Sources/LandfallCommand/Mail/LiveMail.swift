// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import NIOCore
import NIOPosix
#if HTTPS
import NIOSSL
#endif

/// Sends mail over the network: one connection for each letter.
struct LiveMail: MailSending {
    /// For connecting, and for the whole conversation.
    static let connecting = TimeAmount.seconds(10)
    static let patience = Duration.seconds(30)

    private struct Conversation: Sendable {
        let channel: any Channel
        let receipt: EventLoopFuture<MailReceipt>
    }

    func send(_ letter: Letter, by route: MailRoute, at address: String) async throws -> MailReceipt {
        do {
            let receipt = try await withTimeout(Self.patience, by: .live) { try await converse(letter, route, address) }
            guard let receipt else { throw MailFailure.tooSlow }
            return receipt
        } catch {
            throw LiveMailFailure(error, route: route, address: address) ?? error
        }
    }

    private func converse(_ letter: Letter, _ route: MailRoute, _ address: String) async throws -> MailReceipt {
        let place = try SocketAddress(ipAddress: address, port: route.port), makeTLS = try self.makeTLS(route)
        let conversation = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(Self.connecting)
            .connect(to: place) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let promise = channel.eventLoop.makePromise(of: MailReceipt.self)
                    let handler = SMTPHandler(SMTPDialogue(letter, by: route), promise: promise, makeTLS: makeTLS)
                    try channel.pipeline.syncOperations.addHandler(handler)
                    if route.security == .tls { try channel.pipeline.syncOperations.addHandler(makeTLS(), position: .first) }
                    return Conversation(channel: channel, receipt: promise.futureResult)
                }
            }
        return try await withTaskCancellationHandler {
            try await conversation.receipt.get()
        } onCancel: {
            conversation.channel.close(promise: nil)
        }
    }

    #if HTTPS
    private func makeTLS(_ route: MailRoute) throws -> @Sendable () throws -> any ChannelHandler {
        let tls = try NIOSSLContext(configuration: .makeClientConfiguration())
        let isName = (try? SocketAddress(ipAddress: route.host, port: 0)) == nil
        return { try NIOSSLClientHandler(context: tls, serverHostname: isName ? route.host : nil) }
    }
    #else
    private struct NoTLS: Error, CustomStringConvertible {
        let description = """
            This build speaks no TLS, and sends mail to this machine only ('security: none'). Build with: \
            swift build --package-path Server -c release --product landfall
            """
    }

    private func makeTLS(_ route: MailRoute) throws -> @Sendable () throws -> any ChannelHandler {
        guard route.security == .none else { throw NoTLS() }
        return { throw NoTLS() }
    }
    #endif
}
