// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Logging
import NIOCore
import NIOHTTPTypes

/// Answers plain redirects on the connection's own loop: a short link's redirect is most of what a brand domain does, and the
/// way through the application and back (a task, a middleware, a router) takes longer than the redirect itself. Everything
/// else goes that way, and so does a redirect for which the store must be asked. What is answered and stored is decided by
/// the same ``LinkRoutes``.
///
/// One redirect at a time: what the connection brings meanwhile waits here for its turn.
final class LinkShortcut: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// What came while a redirect was not answered yet.
    private enum Held {
        case part(HTTPRequestPart)
        case event(Any)
        case error(any Error)
    }

    private struct Redirect {
        let plain: PlainRedirect
        let method: HTTPRequest.Method
        let started: ContinuousClock.Instant
        let requestID: String
        /// The whole request is there, and its click on the way to the disk.
        var isBegun = false
    }

    private let answers: LinkAnswering
    private let rules: ConnectionRules
    private var peer: ClientAddress?
    private var context: ChannelHandlerContext?
    private var redirect: Redirect?
    private var held = CircularBuffer<Held>()
    private var isReadHeld = false
    /// Requests that the application has and has not answered yet.
    private var elsewhere = 0

    /// - Parameter rules: of the same connection, nearer to the network.
    init(_ answers: LinkAnswering, _ rules: ConnectionRules) {
        self.answers = answers
        self.rules = rules
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { peer = ClientAddress(context.channel.remoteAddress) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    func channelActive(context: ChannelHandlerContext) {
        peer = ClientAddress(context.channel.remoteAddress)
        context.fireChannelActive()
    }

    /// Its click is stored all the same.
    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    private func leave() {
        context = nil
        redirect = nil
        held.removeAll()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if redirect == nil {
            pass(part, context)
        } else if redirect?.isBegun == false, case .end = part {
            begin(context)
        } else {
            held.append(.part(part))
        }
    }

    private func pass(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        if case .head(let head) = part {
            if elsewhere == 0, context.channel.isWritable, let redirect = redirect(for: head) {
                self.redirect = redirect
                return
            }
            elsewhere += 1
        }
        context.fireChannelRead(wrapInboundOut(part))
    }

    private func redirect(for head: HTTPRequest) -> Redirect? {
        let fields = head.headerFields
        // A body, or a connection that ends with this answer: the application knows what to do.
        guard fields[.contentLength] == nil, fields[.transferEncoding] == nil, fields[.connection] == nil,
            let plain = answers.plainRedirect(head, from: peer)
        else { return nil }
        return Redirect(plain: plain, method: head.method, started: .now, requestID: AppContext.newRequestID())
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard let redirect else { return }
        self.redirect?.isBegun = true
        let this = NIOLoopBound(self, eventLoop: context.eventLoop)
        let loop = context.eventLoop
        answers.record(redirect.plain, requestID: redirect.requestID) { loop.execute { this.value.answer() } }
    }

    private func answer() {
        guard let redirect, let context else { return }
        rules.sendAnswer(answers.answer(redirect.plain, requestID: redirect.requestID, context.channel.allocator))
        answers.ended(redirect.method, requestID: redirect.requestID, after: redirect.started.duration(to: .now))
        self.redirect = nil
        passHeld()
    }

    /// In their order, until one of them is the next redirect: what is behind that stays where it is, so that many requests at
    /// once cost no more than the same one after the other.
    private func passHeld() {
        guard !held.isEmpty || isReadHeld else { return }
        for _ in 0..<held.count {
            if redirect?.isBegun == true { break }
            guard let context, let next = held.popFirst() else { return }
            switch next {
            case .part(let part): channelRead(context: context, data: wrapInboundOut(part))
            case .event(let event): userInboundEventTriggered(context: context, event: event)
            case .error(let error): errorCaught(context: context, error: error)
            }
        }
        context?.fireChannelReadComplete()
        if held.isEmpty, isReadHeld {
            isReadHeld = false
            context?.read()
        }
    }

    /// The connection's end, and what it did wrong, come after what it has asked before.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard redirect != nil else { return context.fireUserInboundEventTriggered(event) }
        held.append(.event(event))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard redirect != nil else { return context.fireErrorCaught(error) }
        held.append(.error(error))
    }

    /// Whoever sends on without waiting for answers is read no further than what is there already.
    func read(context: ChannelHandlerContext) {
        if held.isEmpty { context.read() } else { isReadHeld = true }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data), elsewhere > 0 { elsewhere -= 1 }
        context.write(data, promise: promise)
    }
}
