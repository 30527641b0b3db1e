// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import LandfallWire
package import NIOCore
import NIOHTTP1
package import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Enforces the limits of one connection, between the bytes and the application. The connection closes on bytes that are not
/// HTTP and on slow reads or writes; the client gets the usual error body if no answer has begun yet. Complete requests that
/// came before on the same connection are answered first.
package final class ConnectionRules: ChannelDuplexHandler, RemovableChannelHandler {
    /// Probes call by address, and are answered even if there is no room for other connections.
    package static func isProbe(_ target: String) -> Bool { ["/healthz", "/readyz", "/metrics"].contains(target.prefix { $0 != "?" }) }

    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    /// Sent down the pipeline by a held answer: if the answer's last byte is not written within that time, the connection is
    /// closed.
    struct AnswerLimit: Sendable { let left: TimeAmount }

    private let limits: ConnectionLimits
    /// Nil if nothing counts refusals: callers on this machine have no limits.
    private let limitHits: LimitHits?
    private let connections: Connections?
    private let loops: Alarms
    private let heads: RequestHeads
    /// Nil until the connection is active, and if there was no seat.
    private var seat: Connections.Seat?
    private var requestsBegun = 0
    private var isReadingBody = false
    /// The client sends the body after a `100 Continue`.
    private var isBodyAwaited = false
    private var answersBegun = 0
    private var answersEnded = 0
    /// Set once; then nothing more is read from this client.
    private var refusal: RequestError?
    /// The answers that are sent before a request reaches this handler; nil for none.
    private let answers: FastPath?
    private var context: ChannelHandlerContext?
    /// Set while the connection is active.
    private var alarms: EventLoopAlarms?
    /// Rings at the end of an idle time, which may be an earlier one: setting it again for each request would cost more.
    private var idleLimit: EventLoopAlarms.Alarm?
    private var idleSince = NIODeadline.distantPast
    private var bodyLimit: EventLoopAlarms.Alarm?
    private var stallLimit: EventLoopAlarms.Alarm?
    /// How many more bytes the body may have.
    private var bodyLeft = 0
    private var answerLimit: EventLoopAlarms.Alarm?

    init(
        _ limits: ConnectionLimits, _ limitHits: LimitHits? = nil, _ connections: Connections? = nil, _ loops: Alarms = Alarms(),
        answers: FastPath? = nil, draining: Draining = Draining()
    ) {
        heads = RequestHeads(draining)
        self.answers = answers
        self.limits = limits
        self.limitHits = limitHits
        self.connections = connections
        self.loops = loops
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        alarms = loops.alarms(of: context.eventLoop)
        self.context = context
        if let codec = try? context.pipeline.syncOperations.context(handlerType: HTTP1ToHTTPServerCodec.self).handler {
            try? context.pipeline.syncOperations.addHandler(heads, position: .before(codec))
        }
        if let answers {
            try? context.pipeline.syncOperations.addHandler(FastPathConnection(answers, self), position: .first)
        }
        if context.channel.isActive { begin(context) }
    }

    package func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        begin(context)
    }

    private func begin(_ context: ChannelHandlerContext) {
        do {
            seat = try connections?.seat(for: ClientAddress(context.channel.remoteAddress))
            beIdle(context)
        } catch {
            cut(context, at: error.limit)
        }
    }

    package func handlerRemoved(context: ChannelHandlerContext) { leave() }

    package func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    private func leave() {
        if let seat { connections?.leave(seat) }
        seat = nil
        for alarm in [idleLimit, bodyLimit, stallLimit, answerLimit] { alarms?.clear(alarm) }
        alarms = nil
        context = nil
    }

    /// Starts the idle time: every request so far is answered, or none has come yet.
    private func beIdle(_ context: ChannelHandlerContext) {
        idleSince = context.eventLoop.now
        if idleLimit == nil { watch(for: idleTime, context) }
    }

    private var isIdle: Bool { requestsBegun == answersEnded }
    private var idleTime: TimeAmount { seat?.isSpare == true ? limits.spare : limits.idle }

    private func watch(for time: TimeAmount, _ context: ChannelHandlerContext) {
        idleLimit = set(after: time, context) { rules, context in
            rules.idleLimit = nil
            guard rules.isIdle else { return }
            let left = rules.idleSince + rules.idleTime - context.eventLoop.now
            if left > .zero { return rules.watch(for: left, context) }
            if rules.requestsBegun == 0 { rules.limitHits?.hit(.silentConnection) }
            context.close(promise: nil)
        }
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard refusal == nil else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard head.isReadable else { return refuse(.notHTTP, context: context) }
            if seat?.isSpare == true, !Self.isProbe(head.path ?? "") { return refuse(.full, context: context) }
            bodyLeft = limits.bodyLength
            if let announced = head.headerFields[.contentLength].flatMap({ Int($0) }), announced > bodyLeft {
                return refuse(.bodyTooLarge(bodyLeft), context: context)
            }
            requestsBegun += 1
            isReadingBody = true
            isBodyAwaited = head.headerFields[.expect] != nil
            bodyLimit = set(after: limits.body, context) { $0.refuse(.tooSlow, context: $1) }
        case .body(let part):
            bodyLeft -= part.readableBytes
            guard bodyLeft >= 0 else { return refuse(.bodyTooLarge(limits.bodyLength), context: context) }
        case .end:
            (isReadingBody, isBodyAwaited) = (false, false)
            alarms?.clear(bodyLimit)
        }
        askForBodyIfDue(context)
        context.fireChannelRead(data)
    }

    /// Sends `100 Continue` in its turn: sent before the earlier answers are complete, it would belong to them.
    private func askForBodyIfDue(_ context: ChannelHandlerContext) {
        guard isBodyAwaited, answersBegun == requestsBegun - 1, answersEnded == answersBegun else { return }
        isBodyAwaited = false
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let error as RequestError: refuse(error, context: context)
        case HTTPParserError.headerOverflow: refuse(.headTooLarge, context: context)
        case is HTTPParserError, is HTTP1TypeConversionError: refuse(.notHTTP, context: context)
        default: context.fireErrorCaught(error)
        }
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var (data, promise) = (data, promise)
        switch unwrapOutboundIn(data) {
        case .head(var head):
            answersBegun += 1
            if isLast, answersBegun == requestsBegun {
                head.headerFields[.connection] = "close"
                data = wrapOutboundOut(.head(head))
            }
        case .body: break
        case .end:
            endAnswer(context)
            if let answerLimit { promise = clear(answerLimit, whenWritten: promise, context) }
        }
        context.write(data, promise: promise)
        if seat?.isSpare == true, answersEnded > 0 {
            context.flush()
            return context.close(promise: nil)
        }
        askForBodyIfDue(context)
        answerRefusalIfDue(context)
    }

    /// The newest request is the connection's last.
    private var isLast: Bool { heads.isLast || seat?.isSpare == true }

    private func endAnswer(_ context: ChannelHandlerContext) {
        answersEnded += 1
        if isIdle { beIdle(context) }
    }

    /// True if every request so far is answered, and the next one may be answered without the application.
    var isFree: Bool { isIdle && refusal == nil && context != nil && !isLast }

    /// Rings once on the connection's loop, unless it is cleared first.
    func alarm(after time: TimeAmount, _ ring: @escaping () -> Void) -> EventLoopAlarms.Alarm? { alarms?.set(after: time, ring) }

    func clear(_ alarm: EventLoopAlarms.Alarm?) { alarms?.clear(alarm) }

    /// The connection itself answers a request.
    func beginAnswer() {
        requestsBegun += 1
        answersBegun += 1
    }

    func endAnswer() {
        answersEnded += 1
        if let context, isIdle { beIdle(context) }
    }

    package func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let limit = event as? AnswerLimit else { return context.triggerUserOutboundEvent(event, promise: promise) }
        alarms?.clear(answerLimit)
        answerLimit = set(after: limit.left, context) { $0.cut($1, at: .answerTime) }
        promise?.succeed()
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        alarms?.clear(stallLimit)
        if !context.channel.isWritable { stallLimit = set(after: limits.stall, context) { $0.cut($1, at: .unreadAnswer) } }
        context.fireChannelWritabilityChanged()
    }

    private func set(
        after limit: TimeAmount, _ context: ChannelHandlerContext,
        _ action: @escaping (ConnectionRules, ChannelHandlerContext) -> Void
    ) -> EventLoopAlarms.Alarm? {
        alarms?.set(after: limit) { action(self, context) }
    }

    /// An answer is complete when its last byte was passed to the system, not when the application has written it.
    private func clear(
        _ limit: EventLoopAlarms.Alarm, whenWritten promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
    ) -> EventLoopPromise<Void> {
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenComplete { _ in self.alarms?.clear(limit) }
        return written
    }

    /// Closes at once and makes the system discard unsent bytes. After a normal close, the system would keep them in memory for
    /// as long as a client that reads nothing stays connected.
    private func cut(_ context: ChannelHandlerContext, at limit: Limit) {
        limitHits?.hit(limit)
        if let socket = context.channel as? any SocketOptionProvider {
            _ = socket.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        }
        context.close(promise: nil)
    }

    private func refuse(_ refusal: RequestError, context: ChannelHandlerContext) {
        guard self.refusal == nil else { return }
        self.refusal = refusal
        limitHits?.refused(refusal)
        alarms?.clear(bodyLimit)
        answerRefusalIfDue(context)
        // Tells the reader of the body why the rest never comes.
        context.fireErrorCaught(refusal)
    }

    /// Writes the refusal in its turn, or closes if the refused request's answer has already begun.
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

extension HTTPRequest {
    /// False if a lookup of a field's value or a path's part would take long, see `CombiningMarks`.
    fileprivate var isReadable: Bool {
        CombiningMarks.areFew(percentEncoded: path ?? "") && CombiningMarks.areFew(in: authority ?? "")
            && headerFields.allSatisfy { CombiningMarks.areFew(in: $0.value) }
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
