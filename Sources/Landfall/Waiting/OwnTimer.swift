// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// An app that waits by a timer of its own and then asks for a paywall: such a call must not begin a second wait.
struct OwnTimer: Hashable, Sendable {
    /// The shortest timer of the app, counted like the wait for attribution; nil: the app has none.
    let shortest: Duration?
    private var begunAt: Duration?
    /// When the app gave up a call for a placement.
    private var givenUpAt: [PlacementID: Duration] = [:]

    /// A call that ended earlier was not given up by a timer: views cancel and repeat a call while they appear.
    static let shortestWait: Duration = .seconds(1)
    /// For so long the next call counts as the one that follows the timer.
    static let followUp: Duration = .seconds(1)

    init(shortest: Duration?) { self.shortest = shortest }

    /// The wait for attribution begins.
    mutating func begins(now: Duration) { begunAt = now }

    /// The app has cancelled a call.
    mutating func gaveUp(_ call: PaywallCall, now: Duration) {
        guard shortest != nil, call.key.kind == .matching, now - call.asked >= Self.shortestWait else { return }
        givenUpAt = givenUpAt.filter { now - $0.value <= Self.followUp }
        givenUpAt[call.key.placement] = now
    }

    func patience(of key: PaywallKey, asked: Duration) -> PaywallCall.Patience {
        guard let shortest, key.kind == .matching else { return .full }
        if let givenUp = givenUpAt[key.placement], asked - givenUp <= Self.followUp { return .none }
        return begunAt.map { asked - $0 >= shortest } ?? false ? .withoutAttribution : .full
    }
}
