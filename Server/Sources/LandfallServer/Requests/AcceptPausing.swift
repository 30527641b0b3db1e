// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore

/// What a listener does where the system has no descriptor left for a connection: it stops asking for a moment. Otherwise the
/// loop is told at once and for ever that somebody waits, and the error ends the sequence of connections for good.
///
/// Whoever waits stays in the system's queue, and is served when others have left.
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
            let pipeline = listener.pipeline.syncOperations
            // Behind what sets connections up, whose errors are no end of the listener either.
            let accepting = try? pipeline.context(name: "AcceptHandler").handler
            try pipeline.addHandler(AcceptPausing(bounds), position: accepting.map { .after($0) } ?? .first)
        }
        // It fails where the listener is closed already.
        try? await added.get()
    }

    func read(context: ChannelHandlerContext) {
        if !isPaused { context.read() }
    }

    /// Of one connection: none of them is a reason to take no more.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) else { return }
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
