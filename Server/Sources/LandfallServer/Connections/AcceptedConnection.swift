// SPDX-License-Identifier: Apache-2.0
import HummingbirdCore
import NIOCore
import Synchronization

/// A connection between its acceptance and its handling. A listener that stops drops what it has accepted and not handed over.
/// Such a connection is closed: otherwise the framework ends the process when the connection's writer is released unfinished.
final class AcceptedConnection: ServerChildChannelValue {
    private let connection: HTTP1Channel.Value
    private let isTaken = Atomic(false)

    var channel: any Channel { connection.channel }

    init(_ connection: HTTP1Channel.Value) { self.connection = connection }

    /// The connection, for the one who handles and closes it.
    func taken() -> HTTP1Channel.Value {
        isTaken.store(true, ordering: .relaxed)
        return connection
    }

    deinit {
        guard !isTaken.load(ordering: .relaxed) else { return }
        Task { [connection] in try? await connection.executeThenClose { _, _ in } }
    }
}
