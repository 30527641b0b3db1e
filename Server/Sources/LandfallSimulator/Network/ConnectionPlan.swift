// SPDX-License-Identifier: Apache-2.0

/// The network's behaviour for one connection.
struct ConnectionPlan: Hashable, Sendable {
    enum Fault: Hashable, Sendable {
        case none
        /// The connection is reset after this time.
        case reset(after: Duration)
        /// This number of bytes arrives at the phone, then nothing more; the connection stays open.
        case halfClosed(afterBytes: Int)
        /// Each answer is collected until it is complete.
        case buffered
        /// Another server's page answers instead of the server.
        case captivePortal
    }

    var roundTrip: Duration
    /// From the first packet until the first byte of a request can be sent.
    var setUp: Duration
    /// Each way; nil is unlimited.
    var bytesPerSecond: Double?
    /// Share of pieces that are lost once and sent again, 0…1.
    var loss = 0.0
    var fault = Fault.none
    /// Draws which pieces are lost.
    var seed: UInt64 = 0

    init(roundTrip: Duration, setUp: Duration, bytesPerSecond: Double? = nil) {
        self.roundTrip = roundTrip
        self.setUp = setUp
        self.bytesPerSecond = bytesPerSecond
    }
}
