// SPDX-License-Identifier: Apache-2.0
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
    /// Of one request's head, in bytes.
    var headLength = 32 * 1024
    var headerFields = 100

    var http1: HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            additionalChannelHandlers: [ConnectionRules(self)],
            idleTimeout: idle,
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: headLength, maxHeaderListSize: headLength, maxHeaderFieldCount: headerFields
            )
        )
    }
}
