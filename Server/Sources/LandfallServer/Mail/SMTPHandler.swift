// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import NIOCore

/// One conversation with a mail server, on the connection's event loop.
package final class SMTPHandler: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    private var dialogue: SMTPDialogue
    private var reader = SMTPReplyReader()
    /// Nil once it is kept.
    private var promise: EventLoopPromise<MailReceipt>?
    private let makeTLS: () throws -> any ChannelHandler

    /// - Parameters:
    ///   - promise: kept or broken in any case, at the latest when the connection ends.
    ///   - makeTLS: the handler that encrypts; asked for after STARTTLS only.
    package init(_ dialogue: SMTPDialogue, promise: EventLoopPromise<MailReceipt>, makeTLS: @escaping () throws -> any ChannelHandler) {
        (self.dialogue, self.promise, self.makeTLS) = (dialogue, promise, makeTLS)
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard promise != nil else { return }
        do {
            let replies = try reader.take(unwrapInboundIn(data).readableBytesView)
            for (index, reply) in replies.enumerated() {
                let isLast = index == replies.count - 1
                try follow(dialogue.take(reply), isLast: isLast && !reader.isWithin, context)
                if promise == nil { return }
            }
        } catch {
            end(with: error, context)
        }
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) { end(with: error, context) }

    package func channelInactive(context: ChannelHandlerContext) {
        end(with: MailFailure.closed, context)
        context.fireChannelInactive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        promise?.fail(MailFailure.closed)
        promise = nil
    }

    /// - Parameter isLast: nothing follows the answer.
    private func follow(_ step: SMTPDialogue.Step, isLast: Bool, _ context: ChannelHandlerContext) throws {
        switch step {
        case .send(let bytes): write(bytes, context)
        case .startTLS(let bytes):
            guard isLast else { throw MailFailure.bytesBeforeTLS }
            // Before any further byte is read: this runs on the connection's own loop.
            try context.pipeline.syncOperations.addHandler(makeTLS(), position: .first)
            write(bytes, context)
        case .done(let receipt, let bytes):
            promise?.succeed(receipt)
            promise = nil
            write(bytes, context)
            context.close(promise: nil)
        }
    }

    private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: bytes)), promise: nil)
    }

    private func end(with error: any Error, _ context: ChannelHandlerContext) {
        promise?.fail(error)
        promise = nil
        context.close(promise: nil)
    }
}
