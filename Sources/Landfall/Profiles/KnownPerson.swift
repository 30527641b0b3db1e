// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// What this launch knows of who is here.
struct KnownPerson: Sendable {
    /// The epoch of the person whom the server has shown in this launch; nil while that is unknown or unclear.
    private(set) var epoch: Int64?
    /// The server may show a later one: a call that may change the person has ended without an answer.
    private var doubted: Int64?

    /// An answer that the store did not give has version 0: it does not know the person.
    mutating func shown(_ profile: WireProfile) {
        guard profile.version > 0 else { return }
        // The answer may be older than the call with the unclear end.
        if let doubted, profile.epoch <= doubted { return }
        self = KnownPerson(epoch: profile.epoch)
    }

    /// Where the epoch before that call is unknown, or unclear already, only another such call says who is here.
    mutating func isUnclear() { self = KnownPerson(doubted: epoch ?? .max) }
}
