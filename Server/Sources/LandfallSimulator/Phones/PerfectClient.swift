// SPDX-License-Identifier: Apache-2.0

/// When the phone could have known Apple's answer, had its client made no mistake and lost no time.
///
/// Its connections have no faults and lose nothing: it takes one that works. It connects when it has the token. What it cannot
/// know before is that the server is killed: its connection closes half a round trip after the kill, and it connects again.
struct PerfectClient: Hashable, Sendable {
    /// From the start of the client; below zero: before it.
    struct ServerLife: Hashable, Sendable {
        var from: Duration
        /// Nil: it lives.
        var until: Duration?
    }

    let tokenDelay: Duration
    let roundTrip: Duration
    /// From the first packet until the first byte of a request can leave.
    let setUp: Duration
    /// How long the answer's bytes take on a narrow line.
    var transfer = Duration.zero

    /// When Apple's answer is at the phone.
    /// - Parameters:
    ///   - answered: when it is at the server, which keeps it over a kill.
    ///   - lives: of the server, in their order.
    /// - Returns: nil where no life of the server could tell it.
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
