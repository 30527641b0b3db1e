// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// The first handler to see a connection's bytes: it answers plain requests from memory (``FastPath``), and passes
/// everything else on unchanged. The way through the parser, the application and back takes several times as long as such an
/// answer.
///
/// It answers only while the application has no request of this connection, and one request after the other: bytes that arrive
/// while an answer waits for the disk wait here. To know where each request begins, it reads every head. After the first head
/// that it cannot read with certainty, everything goes to the application until the connection closes.
final class FastPathConnection: ChannelDuplexHandler, RemovableChannelHandler {
    /// How long an answer waits for its click to be on disk. A disk that hangs keeps no visitor waiting; the click is stored when the disk
    /// goes on.
    static let patience = TimeAmount.seconds(1)

    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private enum State {
        /// The next byte begins a request, or belongs to a body of known length.
        case reading
        /// All further bytes go to the application.
        case givenUp
        /// The last answer was sent: further bytes are ignored.
        case over
    }

    /// A class, because copying its fields takes longer than an allocation.
    private final class Waiting {
        let answer: FastPathAnswer
        let method: PlainHead.Method
        let isLast: Bool
        let started = ContinuousClock.now
        let requestID = AppContext.newRequestID()
        /// Distinguishes it from the connection's other answers.
        let number: Int
        var limit: EventLoopAlarms.Alarm?

        init(_ number: Int, _ answer: FastPathAnswer, to head: PlainHead, isLast: Bool) {
            self.number = number
            self.answer = answer
            method = head.method
            self.isLast = isLast
        }
    }

    private enum Held {
        case event(Any)
        case error(any Error)
    }

    private let answers: FastPath
    private let rules: ConnectionRules
    private var inbox: FastPathInbox?
    private var peer: ClientAddress?
    private var context: ChannelHandlerContext?
    private var state = State.reading
    /// The beginning of a head, or bytes that arrived while an answer waits.
    private var unread = ByteBuffer()
    /// How many bytes of a body the application still has to get.
    private var bodyLeft = 0
    private var waiting: Waiting?
    private var answersBegun = 0
    /// Events that arrived while an answer waits; they are passed on after it.
    private var held: [Held] = []
    private var isReadHeld = false
    /// Whether bytes were passed on since the last read was complete.
    private var hasPassed = false
    /// Whether bytes were written and not flushed yet.
    private var hasWritten = false

    /// - Parameter rules: those of the same connection.
    init(_ answers: FastPath, _ rules: ConnectionRules) {
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

    /// A click that an answer waits for is still stored.
    func channelInactive(context: ChannelHandlerContext) {
        if waiting == nil { giveUp(context) }
        leave()
        context.fireChannelInactive()
    }

    private func leave() {
        rules.clear(waiting?.limit)
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

    /// Answers and passes bytes on until none are left or an answer has to wait.
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

    /// Passes everything from here on to the application.
    private func giveUp(_ context: ChannelHandlerContext) {
        guard state == .reading else { return }
        state = .givenUp
        guard unread.readableBytes > 0 else { return }
        let bytes = unread
        unread = ByteBuffer()
        pass(wrapInboundOut(bytes), context)
    }

    /// - Returns: false if the application has to answer.
    private func begin(_ head: PlainHead, _ bytes: ByteBuffer, _ context: ChannelHandlerContext) -> Bool {
        // If the client does not read, the application answers and waits for it.
        guard head.isAnswerable, rules.isFree, context.channel.isWritable,
            let answer = answers.answer(to: PlainRequest(head: head, bytes: bytes, peer: peer))
        else { return false }
        answersBegun += 1
        let number = answersBegun
        let waiting = Waiting(number, answer, to: head, isLast: head.isLast || answers.areLast)
        rules.beginAnswer()
        guard let first = answer.first, let inbox else {
            send(waiting, context)
            return true
        }
        self.waiting = waiting
        waiting.limit = rules.alarm(after: Self.patience) { [weak self] in self?.answer(number) }
        let this = NIOLoopBound(self, eventLoop: context.eventLoop)
        first(waiting.requestID) { inbox.add(this, number) }
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
        // Only the sending half is closed: closing both would discard unread bytes of the client, and with them the answer.
        written.futureResult.assumeIsolated().whenComplete { _ in context.close(mode: .output, promise: nil) }
    }

    /// The click that the answer waited for is on disk, or the time for that is over. Only the first of both has an effect.
    func answer(_ number: Int) {
        guard let waiting, waiting.number == number, let context else { return }
        self.waiting = nil
        rules.clear(waiting.limit)
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

    /// The connection's end and the client's errors are passed on after the requests before them.
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

    /// Reading pauses while a client sends on without waiting for answers. After the last request, reading continues to notice
    /// the end of the connection.
    func read(context: ChannelHandlerContext) {
        if state == .over { return }
        if waiting != nil, unread.readableBytes > 0 { isReadHeld = true } else { context.read() }
    }
}
