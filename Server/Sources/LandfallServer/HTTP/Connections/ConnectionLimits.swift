// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Hummingbird
import HummingbirdCore
package import NIOCore

/// The limits of one connection. The time limits fit a bad network, not a good one.
package struct ConnectionLimits: Sendable {
    /// From an answer to the end of the next request's head, and from the connection's start to the first.
    package var idle = TimeAmount.seconds(60)
    /// From the end of a request's head to the end of its body.
    package var body = TimeAmount.seconds(60)
    /// How long a client may leave an answer unread once the system's buffers are full.
    package var stall = TimeAmount.seconds(60)
    /// For a connection above the limit, from its start to its only request.
    var spare = TimeAmount.seconds(2)
    /// The length of one request's head, in bytes.
    var headLength = 32 * 1024
    var headerFields = 100
    /// The length of one request's body, in bytes, for every route. Each route has its own lower limit.
    package var bodyLength = RequestForm.mostAwaited

    package init() {}

    /// Makes the handler that enforces these limits on each connection.
    /// - Parameters:
    ///   - answers: what connections answer on their own event loop.
    ///   - draining: once it has begun, each connection ends with its next answer.
    package func rules(
        _ limitHits: LimitHits, _ connections: Connections, _ answers: FastPath?, draining: Draining
    ) -> @Sendable () -> ConnectionRules {
        let loops = Alarms()
        return { [self] in
            ConnectionRules(self, limitHits, connections, loops, answers: answers, draining: draining)
        }
    }

    package func http1(_ rules: @escaping @Sendable () -> ConnectionRules) -> HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            additionalChannelHandlers: [rules()],
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: headLength, maxHeaderListSize: headLength, maxHeaderFieldCount: headerFields
            )
        )
    }

    /// Sets what accepted connections inherit from the listener, and how many are accepted in a row.
    package func apply(to listener: any Channel) {
        listener.setOption(.maxMessagesPerRead, value: 64).whenFailure { _ in }
        #if os(Linux)
        // The system drops data that a client leaves unread for this long, also after the connection was closed.
        let userTimeout = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_USER_TIMEOUT))
        listener.setOption(userTimeout, value: Int(stall.nanoseconds / 1_000_000)).whenFailure { _ in }
        #endif
    }
}
