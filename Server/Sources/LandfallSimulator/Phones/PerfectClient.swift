// SPDX-License-Identifier: Apache-2.0

/// When the phone would have known Apple's answer with a client that makes no mistake and loses no time.
///
/// Its connections have no faults and lose nothing. It connects when it has the token. It cannot
/// foresee that the server is killed: its connection closes half a round trip after the kill, and it connects again.
struct PerfectClient: Hashable, Sendable {
    /// From the start of the client; negative for an instant before it.
    struct ServerLife: Hashable, Sendable {
        var from: Duration
        /// Nil if the server lives.
        var until: Duration?
    }

    let tokenDelay: Duration
    let roundTrip: Duration
    /// From the first packet until the first byte of a request can leave.
    let setUp: Duration
    /// How long the answer's bytes take on a narrow line.
    var transfer = Duration.zero

    /// When Apple's answer arrives at the phone.
    /// - Parameters:
    ///   - answered: when the answer is at the server. The server keeps it when it is killed.
    ///   - lives: of the server, in their order.
    /// - Returns: nil if the server never lived long enough to send it.
    func told(_ answered: Duration, lives: [ServerLife]) -> Duration? {
        var connects = tokenDelay
        for life in lives where life.until ?? .seconds(86_400) > connects {
            let arrives = max(connects, life.from) + setUp + roundTrip / 2
            let leaves = max(answered, arrives)
            guard let until = life.until, until <= leaves else { return leaves + transfer + roundTrip / 2 }
            connects = until + roundTrip / 2
        }
        return nil
    }
}
