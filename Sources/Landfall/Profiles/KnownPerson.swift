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

/// Who is here, and the call that may be changing it.
struct PersonState: Sendable {
    /// How far a call is that may change the person.
    enum Call: Sendable {
        /// No flush brings attribute changes.
        case sendingAttributes
        /// Nor does a first open.
        case sent
    }

    private var known = KnownPerson()
    /// The call that has its turn, see ``Launch/personTurns``.
    var call: Call?
    private(set) var isFlushSendingAttributes = false

    /// Of the person whom a change of attributes is about. Nil: the server has not said yet who is here, or a call is changing that.
    /// Then it takes the person whom it shows.
    var epoch: Int64? { call == nil ? known.epoch : nil }

    mutating func shown(_ profile: WireProfile) { known.shown(profile) }

    mutating func isUnclear() { known.isUnclear() }

    /// The call has ended with an answer.
    mutating func became() { known = KnownPerson() }

    /// - Returns: false if a flush leaves them out, because a call may change the person.
    mutating func flushSendsAttributes() -> Bool {
        isFlushSendingAttributes = call == nil
        return call == nil
    }

    mutating func flushSentAttributes() { isFlushSendingAttributes = false }

    /// Another installation begins, and the call still has its turn.
    mutating func takeOver(from other: PersonState) { call = other.call }
}
