// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore

/// Where the system has no descriptor left for a connection, the listener stops asking for a moment. Without this pause the
/// loop would be told again and again that a caller waits.
///
/// The caller stays in the system's queue, and is served when others have left.
final class AcceptPausing: ChannelDuplexHandler {
    typealias InboundIn = Any
    typealias OutboundIn = Any

    static let pause = TimeAmount.milliseconds(250)

    private let bounds: Bounds
    private var isPaused = false

    private init(_ bounds: Bounds) { self.bounds = bounds }

    /// To be called when the listener listens.
    static func add(to listener: any Channel, _ bounds: Bounds) async {
        let added = listener.eventLoop.submit {
            // Before the one that the listener has for this: it keeps the error to itself, and asks no more for a second, but
            // what it has asked already stays asked.
            try listener.pipeline.syncOperations.addHandler(AcceptPausing(bounds), position: .first)
        }
        // It fails where the listener is closed already.
        try? await added.get()
    }

    func read(context: ChannelHandlerContext) {
        if !isPaused { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let failure = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(failure.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        bounds.hit(.openFiles)
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
