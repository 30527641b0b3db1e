// SPDX-License-Identifier: Apache-2.0
import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore

/// What one connection may take. Time limits are those of a bad network, not of a good one.
struct ConnectionLimits: Sendable {
    /// From one answer to the next request's whole head, and from the connection to the first.
    var idle = TimeAmount.seconds(60)
    /// From a request's head to its body's end.
    var body = TimeAmount.seconds(60)
    /// How long a reader may leave an answer unread once the system's buffers are full.
    var stall = TimeAmount.seconds(60)
    /// For a connection beyond as many as may be, from its beginning to its only request.
    var spare = TimeAmount.seconds(2)
    /// Of one request's head, in bytes.
    var headLength = 32 * 1024
    var headerFields = 100
    /// Of one request's body, in bytes, whatever it is for. Each route has its own limit within.
    var bodyLength = LinkMakingRoutes.bodyLimit

    /// What makes the referee of each connection.
    /// - Parameter answers: what connections answer by themselves.
    func rules(_ bounds: Bounds, _ connections: Connections, _ answers: LoopAnswers?) -> @Sendable () -> ConnectionRules {
        let loops = Alarms()
        return { [self] in
            ConnectionRules(self, bounds, connections, loops, answers: answers)
        }
    }

    func http1(_ rules: @escaping @Sendable () -> ConnectionRules) -> HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            additionalChannelHandlers: [rules()],
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: headLength, maxHeaderListSize: headLength, maxHeaderFieldCount: headerFields
            )
        )
    }

    /// What accepted connections inherit from the listener, and how many are accepted in a row.
    func apply(to listener: any Channel) {
        listener.setOption(.maxMessagesPerRead, value: 64).whenFailure { _ in }
        #if os(Linux)
        // The system itself gives up what a reader leaves unread for so long, also after the connection was closed.
        let userTimeout = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_USER_TIMEOUT))
        listener.setOption(userTimeout, value: Int(stall.nanoseconds / 1_000_000)).whenFailure { _ in }
        #endif
    }
}
