// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import NIOPosix

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Forwards the bytes of one end of a connection to the other, with the line's delay.
final class Relay: ChannelInboundHandler {
    /// What is forwarded.
    enum Passing {
        case all
        case bytes(Int)
        case completeAnswers

        init(_ fault: ConnectionPlan.Fault) {
            switch fault {
            case .none, .reset, .captivePortal: self = .all
            case .halfClosed(let bytes): self = .bytes(bytes)
            case .buffered: self = .completeAnswers
            }
        }
    }

    typealias InboundIn = ByteBuffer

    private let other: any Channel
    private var line: DelayLine
    private var passing: Passing
    private var collected = ByteBuffer()

    init(to other: any Channel, _ line: DelayLine, _ passing: Passing) {
        self.other = other
        self.line = line
        self.passing = passing
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var piece = unwrapInboundIn(data)
        switch passing {
        case .all: send(piece, context)
        case .bytes(let left):
            passing = .bytes(max(0, left - piece.readableBytes))
            if left > 0, let start = piece.readSlice(length: min(left, piece.readableBytes)) { send(start, context) }
        case .completeAnswers:
            collected.writeBuffer(&piece)
            guard collected.isCompleteAnswer else { return }
            send(collected, context)
            collected = ByteBuffer()
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        defer { context.fireChannelInactive() }
        if case .bytes(0) = passing { return }
        if collected.readableBytes > 0 { send(collected, context) }
        let other = other
        let at = line.out(bytes: 0, now: context.eventLoop.sinceStart)
        context.eventLoop.scheduleTask(deadline: NIODeadline(at)) { other.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func send(_ piece: ByteBuffer, _ context: ChannelHandlerContext) {
        let other = other
        let at = line.out(bytes: piece.readableBytes, now: context.eventLoop.sinceStart)
        context.eventLoop.scheduleTask(deadline: NIODeadline(at)) { other.writeAndFlush(piece, promise: nil) }
    }
}

extension ByteBuffer {
    /// True unless it holds a chunked HTTP answer without its last chunk.
    fileprivate var isCompleteAnswer: Bool {
        let text = String(decoding: readableBytesView, as: UTF8.self)
        guard let headEnd = text.range(of: "\r\n\r\n") else { return false }
        let isChunked = text[..<headEnd.lowerBound].lowercased().contains("transfer-encoding: chunked")
        return !isChunked || text.hasSuffix("0\r\n\r\n")
    }
}

extension Channel {
    /// Ends the connection so that the other end sees a failure.
    func reset() {
        guard let options = self as? any SocketOptionProvider else { return close(promise: nil) }
        options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in self.close(promise: nil) }
    }
}
