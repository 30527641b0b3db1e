// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// The first to see a connection's bytes: it answers plain requests from memory (``LoopAnswers``), and hands everything else on
/// as it came. The way through the parser, the application and back takes several times as long as such an answer.
///
/// It answers only while the application has nothing to answer on this connection, and one request after the other: what
/// comes while an answer waits for the disk waits here. To know where a request begins it reads the heads of all; after the
/// first that is not plain enough to be sure, everything goes to the application for as long as the connection is there.
final class LoopConnection: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private enum State {
        /// The next byte begins a request, or belongs to a body whose length is known.
        case reading
        /// The application has everything that is to come.
        case givenUp
        /// The last answer has been given: what comes is nobody's request.
        case over
    }

    /// A class, because to copy what it holds takes longer than to make one.
    private final class Waiting {
        let answer: LoopAnswer
        let method: PlainHead.Method
        let isLast: Bool
        let started = ContinuousClock.now
        let requestID = AppContext.newRequestID()

        init(_ answer: LoopAnswer, to head: PlainHead) {
            self.answer = answer
            method = head.method
            isLast = head.isLast
        }
    }

    private enum Held {
        case event(Any)
        case error(any Error)
    }

    private let answers: LoopAnswers
    private let rules: ConnectionRules
    private var inbox: LoopInbox?
    private var peer: ClientAddress?
    private var context: ChannelHandlerContext?
    private var state = State.reading
    /// The beginning of a head, or what came while an answer waits.
    private var unread = ByteBuffer()
    /// Of a body that the application has not got yet.
    private var bodyLeft = 0
    private var waiting: Waiting?
    /// What came while an answer waits, and comes after it.
    private var held: [Held] = []
    private var isReadHeld = false
    /// Since the last read was complete.
    private var hasPassed = false
    /// What is not flushed yet.
    private var hasWritten = false

    /// - Parameter rules: of the same connection.
    init(_ answers: LoopAnswers, _ rules: ConnectionRules) {
        self.answers = answers
        self.rules = rules
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        inbox = answers.inbox(of: context.eventLoop)
        if context.channel.isActive { peer = ClientAddress(context.channel.remoteAddress) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    func channelActive(context: ChannelHandlerContext) {
        peer = ClientAddress(context.channel.remoteAddress)
        context.fireChannelActive()
    }

    /// What an answer waits for is stored all the same.
    func channelInactive(context: ChannelHandlerContext) {
        if waiting == nil { giveUp(context) }
        leave()
        context.fireChannelInactive()
    }

    private func leave() {
        (context, waiting, state) = (nil, nil, .over)
        unread = ByteBuffer()
        held = []
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .over: return
        case .givenUp: pass(data, context)
        case .reading:
            var bytes = unwrapInboundIn(data)
            if unread.readableBytes > 0 { unread.writeBuffer(&bytes) } else { unread = bytes }
            if waiting == nil { readOn(context) }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard hasPassed else { return }
        hasPassed = false
        context.fireChannelReadComplete()
    }

    private func pass(_ data: NIOAny, _ context: ChannelHandlerContext) {
        hasPassed = true
        context.fireChannelRead(data)
    }

    /// Answers and hands on until there are no more bytes, or the next request's turn has not come.
    private func readOn(_ context: ChannelHandlerContext) {
        var bytes = unread
        unread = ByteBuffer()
        while state == .reading, waiting == nil, bytes.readableBytes > 0 {
            if bodyLeft > 0 {
                let count = min(bodyLeft, bytes.readableBytes)
                bodyLeft -= count
                if let part = bytes.readSlice(length: count) { pass(wrapInboundOut(part), context) }
                continue
            }
            let reading = bytes.withUnsafeReadableBytes { PlainHead.read($0, countryName: answers.countryName) }
            guard case .whole(let head) = reading else {
                if reading == .part { break }
                unread = bytes
                return giveUp(context)
            }
            guard let request = bytes.readSlice(length: head.length) else { break }
            if !begin(head, request, context) {
                bodyLeft = head.bodyLength
                if head.isLast { state = .givenUp }
                pass(wrapInboundOut(request), context)
            }
        }
        if hasWritten { context.flush() }
        hasWritten = false
        guard bytes.readableBytes > 0 else { return }
        switch state {
        case .reading: unread = bytes
        case .givenUp: pass(wrapInboundOut(bytes), context)
        case .over: break
        }
    }

    /// Everything from here on is the application's.
    private func giveUp(_ context: ChannelHandlerContext) {
        guard state == .reading else { return }
        state = .givenUp
        guard unread.readableBytes > 0 else { return }
        let bytes = unread
        unread = ByteBuffer()
        pass(wrapInboundOut(bytes), context)
    }

    /// - Returns: false where the application is to answer.
    private func begin(_ head: PlainHead, _ bytes: ByteBuffer, _ context: ChannelHandlerContext) -> Bool {
        // Where the reader does not read, the application waits for it.
        guard head.isAnswerable, rules.isFree, context.channel.isWritable,
            let answer = answers.answer(to: PlainRequest(head: head, bytes: bytes, peer: peer))
        else { return false }
        let waiting = Waiting(answer, to: head)
        rules.beginAnswer()
        guard let first = answer.first, let inbox else {
            send(waiting, context)
            return true
        }
        self.waiting = waiting
        let this = NIOLoopBound(self, eventLoop: context.eventLoop)
        first(waiting.requestID) { inbox.add(this) }
        return true
    }

    private func send(_ waiting: Waiting, _ context: ChannelHandlerContext) {
        let bytes = answers.bytes(
            of: waiting.answer, to: waiting.method, requestID: waiting.requestID, isLast: waiting.isLast,
            context.channel.allocator)
        let written = waiting.isLast ? context.eventLoop.makePromise(of: Void.self) : nil
        context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: written)
        hasWritten = true
        rules.endAnswer()
        answers.ended(
            waiting.answer, to: waiting.method, requestID: waiting.requestID, after: waiting.started.duration(to: .now))
        guard let written else { return }
        state = .over
        // The other half is the caller's to close: what it has sent already would otherwise take the answer from it.
        written.futureResult.assumeIsolated().whenComplete { _ in context.close(mode: .output, promise: nil) }
    }

    /// What the answer waited for is on disk.
    func answer() {
        guard let waiting, let context else { return }
        self.waiting = nil
        send(waiting, context)
        readOn(context)
        if self.waiting == nil { passHeld() }
        channelReadComplete(context: context)
    }

    private func passHeld() {
        let all = held
        held = []
        for one in all {
            guard let context else { return }
            switch one {
            case .event(let event): userInboundEventTriggered(context: context, event: event)
            case .error(let error): errorCaught(context: context, error: error)
            }
        }
        guard isReadHeld else { return }
        isReadHeld = false
        context?.read()
    }

    /// The connection's end, and what it did wrong, come after what it has asked before.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard waiting == nil else { return held.append(.event(event)) }
        if event as? ChannelEvent == .inputClosed { giveUp(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard waiting == nil else { return held.append(.error(error)) }
        giveUp(context)
        context.fireErrorCaught(error)
    }

    /// Who sends on without waiting for answers is read no further than what is there already. After the last request the
    /// connection's end is seen all the same.
    func read(context: ChannelHandlerContext) {
        if state == .over { return }
        if waiting != nil, unread.readableBytes > 0 { isReadHeld = true } else { context.read() }
    }
}
