// SPDX-License-Identifier: Apache-2.0
import Foundation
package import NIOCore

/// Pauses the listener for a moment when the system has no file descriptor left for a connection. Without the pause, the event
/// loop would be woken again and again for the same waiting client.
///
/// The client stays in the system's accept queue, and is served when other connections have closed.
package final class AcceptPause: ChannelDuplexHandler {
    package typealias InboundIn = Any
    package typealias OutboundIn = Any

    static let pause = TimeAmount.milliseconds(250)

    private let limitHits: LimitHits
    private var isPaused = false

    private init(_ limitHits: LimitHits) { self.limitHits = limitHits }

    /// Call it when the listener listens.
    package static func add(to listener: any Channel, _ limitHits: LimitHits) async {
        let added = listener.eventLoop.submit {
            // Added before the listener's own handler: that one swallows the error and stops asking for a second, but a request
            // that it has already made stays.
            try listener.pipeline.syncOperations.addHandler(AcceptPause(limitHits), position: .first)
        }
        // It fails if the listener is already closed.
        try? await added.get()
    }

    package func read(context: ChannelHandlerContext) {
        if !isPaused { context.read() }
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let failure = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(failure.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        limitHits.hit(.openFiles)
        guard !isPaused else { return }
        isPaused = true
        let options = context.channel.syncOptions
        try? options?.setOption(.autoRead, value: false)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [self] in
            isPaused = false
            try? options?.setOption(.autoRead, value: true)
        }
    }
}
