// SPDX-License-Identifier: Apache-2.0
import LandfallServer
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import LandfallCommand
@testable import LandfallRules

/// A mail server on this machine that takes each letter, or says nothing at all.
private final class SmallMailServer: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let text = Mutex("")
    private let greeting: String

    init(greeting: String) { self.greeting = greeting }

    var received: String { text.withLock { $0 } }

    func channelActive(context: ChannelHandlerContext) { say(greeting, context) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let received = String(buffer: unwrapInboundIn(data))
        text.withLock { $0 += received }
        if received.hasPrefix("EHLO") { say("250-mail\r\n250 8BITMIME\r\n", context) }
        if received.hasPrefix("MAIL") || received.hasPrefix("RCPT") { say("250 ok\r\n", context) }
        if received.hasPrefix("DATA") { say("354 go\r\n", context) }
        if received.hasSuffix("\r\n.\r\n") { say("250 queued\r\n", context) }
    }

    private func say(_ text: String, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
    }
}

@Suite("Mail over the network", .timeLimit(.minutes(1)))
struct LiveMailTests {
    private static let letter = Letter(id: "alert-1", subject: "Landfall", text: "It is a test.", atMs: 0)

    private static func route(_ port: Int, _ security: MailRoute.Security = .none) -> MailRoute {
        MailRoute(
            host: "127.0.0.1", port: port, security: security, login: nil, from: MailAddress("landfall@example.com")!,
            to: [MailAddress("ops@example.com")!])
    }

    private static func serving(_ server: SmallMailServer, _ body: (Int) async throws -> Void) async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(server) } }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            try await body(listener.localAddress?.port ?? 0)
        } catch {
            try? await listener.close()
            throw error
        }
        try await listener.close()
    }

    @Test("A letter arrives whole")
    func arrives() async throws {
        let server = SmallMailServer(greeting: "220 mail\r\n")
        try await Self.serving(server) { port in
            let receipt = try await LiveMail().send(Self.letter, by: Self.route(port), at: "127.0.0.1")

            #expect(receipt == MailReceipt(answer: "250 queued", refused: []))
            #expect(server.received.contains("RCPT TO:<ops@example.com>\r\n") && server.received.contains("\r\n\r\nIt is a test.\r\n.\r\n"))
        }
    }

    @Test("A server without STARTTLS gets nothing, and nobody who is not a mail server either")
    func refuses() async throws {
        let server = SmallMailServer(greeting: "220 mail\r\n")
        try await Self.serving(server) { port in
            await #expect(throws: MailFailure.noTLS) { try await LiveMail().send(Self.letter, by: Self.route(port, .starttls), at: "127.0.0.1") }
        }
        let other = SmallMailServer(greeting: "-ERR unknown command\r\n")
        try await Self.serving(other) { port in
            await #expect(throws: MailFailure.unreadable) { try await LiveMail().send(Self.letter, by: Self.route(port), at: "127.0.0.1") }
        }
        #expect(!server.received.contains("MAIL") && other.received.isEmpty)
    }

    @Test("Where nobody listens, the address is named in place of what the network's libraries say")
    func unreachable() async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        try await listener.close()
        let failure = LiveMailFailure.notReached(address: "127.0.0.1, port \(port)")
        await #expect(throws: failure) { try await LiveMail().send(Self.letter, by: Self.route(port), at: "127.0.0.1") }
    }
}
