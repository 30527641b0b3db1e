// SPDX-License-Identifier: Apache-2.0

/// The state of a phone's network for some time.
struct LinkCondition: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable {
        /// It only delays.
        case calm
        /// Anything may happen to any request.
        case rough
        /// A captive portal answers everything.
        case captive
        /// There is no path, and the phone says so.
        case offline
        /// Everything is lost, and the phone does not know.
        case silent
    }

    var kind: Kind
    /// One way, in milliseconds.
    var trip: ClosedRange<Int>

    /// The longest that one trip takes.
    var longestTrip: Duration { .milliseconds(trip.upperBound) }

    static let best = LinkCondition(kind: .calm, trip: 5...40)

    static func any(_ dice: Dice) -> LinkCondition {
        let kind = dice.one(of: [.calm, .calm, .calm, .rough, .rough, .rough, .captive, .offline, .silent] as [Kind])
        let quickest = dice.one(of: [5, 15, 40, 200])
        return LinkCondition(kind: kind, trip: quickest...quickest * dice.number(2...5))
    }
}

/// What happens to one request.
struct RequestFate: Hashable, Sendable {
    enum Loss: Hashable, Sendable {
        /// Never reaches the server, and the phone gets no error.
        case vanishes
        /// Refused or reset on its way.
        case reset
        /// The server gets it, and nothing comes back.
        case answerVanishes
        /// The connection is reset after this number of pieces of the answer.
        case resetAfter(Int)
        /// After this number of pieces nothing more comes, and the phone gets no error.
        case silentAfter(Int)
    }

    var loss: Loss?
    /// A proxy sends it a second time, so much later.
    var duplicate: Duration?
    /// A proxy keeps the answer until it is complete.
    var isBuffered = false
    /// The answer is divided into new pieces of at most this length.
    var pieces: Int?

    init(in condition: LinkCondition, _ dice: Dice) {
        guard condition.kind == .rough else { return }
        if dice.happens(0.3) {
            loss = dice.one(of: [
                .vanishes, .reset, .answerVanishes, .resetAfter(dice.number(0...4)), .silentAfter(dice.number(0...4)),
            ])
        }
        if dice.happens(0.1) { duplicate = dice.time(0...2_000) }
        isBuffered = dice.happens(0.1)
        if dice.happens(0.2) { pieces = dice.number(20...400) }
    }
}
