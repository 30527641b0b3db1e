// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1

/// Reads each request's head before anything else does, where its version and its fields are still as they came, and ends
/// the connection's reading with the last request: bytes behind it belong to no request, and take no memory here.
final class RequestHeads: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private var form = RequestForm()
    /// The last request is there as a whole, or was refused.
    private var isOver = false

    /// The newest request is the last.
    var isLast: Bool { form.isLast }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(var head):
            do {
                form = try head.bringIntoForm(isHostNeeded: !context.channel.isLocalSocket)
            } catch {
                isOver = true
                return context.fireErrorCaught(error)
            }
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body: context.fireChannelRead(data)
        case .end:
            isOver = form.isLast
            context.fireChannelRead(data)
        }
    }

    /// What the parser says about bytes behind the last request is of no interest.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !isOver { context.fireErrorCaught(error) }
    }

    /// The end of the connection is seen all the same.
    func read(context: ChannelHandlerContext) {
        if !isOver { context.read() }
    }

    /// An answer of HTTP/1.0 whose length is not known ends with its connection.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard form.isOld, case .head(var head) = unwrapOutboundIn(data), head.headers.first(name: "connection") == "close" else {
            return context.write(data, promise: promise)
        }
        head.version = .http1_0
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}

extension Channel {
    fileprivate var isLocalSocket: Bool {
        if case .unixDomainSocket? = localAddress { true } else { false }
    }
}
