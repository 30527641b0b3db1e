// SPDX-License-Identifier: Apache-2.0
import Foundation
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

    /// Sent down the pipeline by an answer that is held: it and its last byte are over within that time, or the connection is cut.
    struct AnswerLimit: Sendable { let left: TimeAmount }

    private let limits: ConnectionLimits
    /// Nil where nobody counts: callers who hold the machine have no bounds.
    private let bounds: Bounds?
    private let connections: Connections?
    private let loops: Alarms
    private let heads = RequestHeads()
    /// Nil before the connection is there, and where there was none.
    private var seat: Connections.Seat?
    private var requestsBegun = 0
    private var isReadingBody = false
    /// The body is sent when the caller has heard that it may.
    private var isBodyAwaited = false
    private var answersBegun = 0
    private var answersEnded = 0
    /// Set once; nothing more is read from this caller.
    private var refusal: RequestError?
    /// What is answered before anything gets here, nil for nothing.
    private let answers: LoopAnswers?
    private var context: ChannelHandlerContext?
    /// Set for as long as the connection is there.
    private var alarms: LoopAlarms?
    /// Rings at the end of some idle time, not necessarily of the latest: to set it anew for each request takes longer.
    private var idleLimit: LoopAlarms.Alarm?
    private var idleSince = NIODeadline.distantPast
    private var bodyLimit: LoopAlarms.Alarm?
    private var stallLimit: LoopAlarms.Alarm?
    /// How many bytes more the body may have.
    private var bodyLeft = 0
    private var answerLimit: LoopAlarms.Alarm?

    init(
        _ limits: ConnectionLimits, _ bounds: Bounds? = nil, _ connections: Connections? = nil, _ loops: Alarms = Alarms(),
        answers: LoopAnswers? = nil
    ) {
        self.answers = answers
        self.limits = limits
        self.bounds = bounds
        self.connections = connections
        self.loops = loops
    }

    func handlerAdded(context: ChannelHandlerContext) {
        alarms = loops.alarms(of: context.eventLoop)
        self.context = context
        if let codec = try? context.pipeline.syncOperations.context(handlerType: HTTP1ToHTTPServerCodec.self).handler {
            try? context.pipeline.syncOperations.addHandler(heads, position: .before(codec))
        }
        if let answers {
            try? context.pipeline.syncOperations.addHandler(LoopConnection(answers, self), position: .first)
        }
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        begin(context)
    }

    private func begin(_ context: ChannelHandlerContext) {
        do {
            seat = try connections?.seat(for: ClientAddress(context.channel.remoteAddress))
            beIdle(context)
        } catch {
            cut(context, at: error.bound)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    func channelInactive(context: ChannelHandlerContext) {
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

    /// Every request that came has been answered, or none has come yet.
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
            if rules.requestsBegun == 0 { rules.bounds?.hit(.silentConnection) }
            context.close(promise: nil)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard refusal == nil else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard head.isReadable else { return refuse(.notHTTP, context: context) }
            if seat?.isSpare == true, !HealthRoutes.isProbe(head.path ?? "") { return refuse(.full, context: context) }
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

    /// In its turn: what is said before the earlier answers are over would belong to them.
    private func askForBodyIfDue(_ context: ChannelHandlerContext) {
        guard isBodyAwaited, answersBegun == requestsBegun - 1, answersEnded == answersBegun else { return }
        isBodyAwaited = false
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let error as RequestError: refuse(error, context: context)
        case HTTPParserError.headerOverflow: refuse(.headTooLarge, context: context)
        case is HTTPParserError, is HTTP1TypeConversionError: refuse(.notHTTP, context: context)
        default: context.fireErrorCaught(error)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
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

    /// True where everything that came so far has its answer, and the next may have it without the application.
    var isFree: Bool { isIdle && refusal == nil && context != nil && !isLast }

    /// The connection itself answers a request.
    func beginAnswer() {
        requestsBegun += 1
        answersBegun += 1
    }

    func endAnswer() {
        answersEnded += 1
        if let context, isIdle { beIdle(context) }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let limit = event as? AnswerLimit else { return context.triggerUserOutboundEvent(event, promise: promise) }
        alarms?.clear(answerLimit)
        answerLimit = set(after: limit.left, context) { $0.cut($1, at: .answerTime) }
        promise?.succeed()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        alarms?.clear(stallLimit)
        if !context.channel.isWritable { stallLimit = set(after: limits.stall, context) { $0.cut($1, at: .unreadAnswer) } }
        context.fireChannelWritabilityChanged()
    }

    private func set(
        after limit: TimeAmount, _ context: ChannelHandlerContext,
        _ action: @escaping (ConnectionRules, ChannelHandlerContext) -> Void
    ) -> LoopAlarms.Alarm? {
        alarms?.set(after: limit) { action(self, context) }
    }

    /// An answer is over when its last byte has gone to the system, not when the application has said it.
    private func clear(
        _ limit: LoopAlarms.Alarm, whenWritten promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
    ) -> EventLoopPromise<Void> {
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenComplete { _ in self.alarms?.clear(limit) }
        return written
    }

    /// Closes at once, and has the system forget what the other side did not read: what is left to it to send after a normal
    /// close keeps its memory for as long as a reader that reads nothing is there.
    private func cut(_ context: ChannelHandlerContext, at bound: Bound) {
        bounds?.hit(bound)
        if let socket = context.channel as? any SocketOptionProvider {
            _ = socket.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        }
        context.close(promise: nil)
    }

    private func refuse(_ refusal: RequestError, context: ChannelHandlerContext) {
        guard self.refusal == nil else { return }
        self.refusal = refusal
        bounds?.refused(refusal)
        alarms?.clear(bodyLimit)
        answerRefusalIfDue(context)
        // The reader of the body learns why the rest never comes.
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

extension HTTPRequest {
    /// False where to look for a field's value or a path's part among others would take long, see `CombiningMarks`.
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
