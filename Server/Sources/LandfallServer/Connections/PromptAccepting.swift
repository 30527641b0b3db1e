// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// A connection whose requests are handled at a lower priority than new connections are accepted at. Otherwise each batch of
/// new ones waits behind everything that thousands of open ones have to do, the system's queue overflows, and it refuses
/// phones that the server has room for.
struct PromptAccepting: ServerChildChannel {
    /// What the listener runs at.
    static let accepting = TaskPriority.high
    private static let handling = TaskPriority.medium

    let http: HTTP1Channel
    /// The owner of the listener waits for them; the listener does not know of them.
    let handlings: Handlings

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        http.setup(channel: channel, logger: logger)
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        handlings.begin(Self.handling) { [http] in await http.handle(value: value, logger: logger) }
    }
}
