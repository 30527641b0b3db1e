// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// The answer of a hotel's network to everything: 200, and its own page.
final class CaptivePortal: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private static let answer: String = {
        let page = "<html><title>Welcome</title><p>Accept the terms to use this network.</p></html>"
        return
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: \(page.utf8.count)\r\nConnection: close\r\n\r\n\(page)"
    }()

    private var line: DelayLine
    private var hasAnswered = false

    init(_ line: DelayLine) { self.line = line }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasAnswered else { return }
        hasAnswered = true
        // One round trip.
        let loop = context.eventLoop
        let arrives = line.out(bytes: unwrapInboundIn(data).readableBytes, now: loop.sinceStart)
        let answered = line.out(bytes: Self.answer.utf8.count, now: arrives)
        let channel = context.channel
        loop.scheduleTask(deadline: NIODeadline(answered)) {
            channel.writeAndFlush(ByteBuffer(string: Self.answer)).whenComplete { _ in channel.close(promise: nil) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
