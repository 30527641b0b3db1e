// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallWire
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// One connection's referee, between the bytes and the application: what is no HTTP, or comes or is read too slowly, ends the
/// connection; the caller gets the usual error body where an answer can still be begun. Requests that came whole before it
/// on the same connection are answered first.
final class ConnectionRules: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ConnectionLimits
    private var requestsBegun = 0
    private var isReadingBody = false
    private var answersBegun = 0
    private var answersEnded = 0
    /// Set once; nothing more is read from this caller.
    private var refusal: RequestError?
    private var bodyLimit: Scheduled<Void>?
    private var stallLimit: Scheduled<Void>?

    init(_ limits: ConnectionLimits) { self.limits = limits }

    func handlerRemoved(context: ChannelHandlerContext) {
        bodyLimit?.cancel()
        stallLimit?.cancel()
    }

    func channelInactive(context: ChannelHandlerContext) {
        bodyLimit?.cancel()
        stallLimit?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard refusal == nil else { return }
        switch unwrapInboundIn(data) {
        case .head:
            requestsBegun += 1
            isReadingBody = true
            bodyLimit = schedule(after: limits.body, context) { $0.refuse(.tooSlow, context: $1) }
        case .body: break
        case .end:
            isReadingBody = false
            bodyLimit?.cancel()
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case HTTPParserError.headerOverflow: refuse(.headTooLarge, context: context)
        case is HTTPParserError, is HTTP1TypeConversionError: refuse(.notHTTP, context: context)
        default: context.fireErrorCaught(error)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head: answersBegun += 1
        case .body: break
        case .end: answersEnded += 1
        }
        context.write(data, promise: promise)
        answerRefusalIfDue(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stallLimit?.cancel()
        if !context.channel.isWritable { stallLimit = schedule(after: limits.stall, context) { $1.close(promise: nil) } }
        context.fireChannelWritabilityChanged()
    }

    private func schedule(
        after limit: TimeAmount, _ context: ChannelHandlerContext,
        _ action: @escaping (ConnectionRules, ChannelHandlerContext) -> Void
    ) -> Scheduled<Void> {
        context.eventLoop.assumeIsolated().scheduleTask(in: limit) { action(self, context) }
    }

    private func refuse(_ refusal: RequestError, context: ChannelHandlerContext) {
        guard self.refusal == nil else { return }
        self.refusal = refusal
        bodyLimit?.cancel()
        answerRefusalIfDue(context)
        // Whoever waits for the rest of the body hears why it never comes.
        context.fireErrorCaught(refusal)
    }

    /// Writes the refusal in its turn, or closes where the refused request's answer has begun already.
    private func answerRefusalIfDue(_ context: ChannelHandlerContext) {
        guard let refusal else { return }
        let earlier = isReadingBody ? requestsBegun - 1 : requestsBegun
        if answersBegun > earlier { return context.close(promise: nil) }
        guard answersEnded == earlier else { return }
        var answer = refusal.rendered()
        answer.head.headerFields[.connection] = "close"
        context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
        context.write(wrapOutboundOut(.body(answer.body)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(promise: nil)
    }
}

extension RequestError {
    static let notHTTP = RequestError(
        .malformedRequest, "The request is not valid HTTP/1.1: a field, the target or the framing of its body is broken.")
    static let headTooLarge = RequestError(
        .headersTooLarge, "The request's head is too large. Send fewer and shorter header fields and a shorter target.")
    static let tooSlow = RequestError(
        .requestTimeout, "The request's body did not arrive in time. Send it again, or less at a time.")
}
