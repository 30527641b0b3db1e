// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1

/// Reads each request's head before any other handler, while version and fields are unchanged. Stops reading after the last
/// request: later bytes belong to no request and take no memory here.
final class RequestHeads: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let draining: Draining
    private var form = RequestForm()
    /// The last request is complete, or was refused.
    private var isOver = false

    /// - Parameter draining: a request that comes after it has begun is the last of its connection.
    init(_ draining: Draining = Draining()) { self.draining = draining }

    /// The newest request is the last.
    var isLast: Bool { form.isLast }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(var head):
            do {
                form = try head.bringIntoForm(isHostNeeded: !context.channel.isLocalSocket, endsConnection: draining.hasBegun)
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

    /// Parser errors about bytes after the last request are ignored.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !isOver { context.fireErrorCaught(error) }
    }

    /// Still reads on to notice the end of the connection.
    func read(context: ChannelHandlerContext) {
        if !isOver { context.read() }
    }

    /// An HTTP/1.0 answer of unknown length ends with its connection.
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
