// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import Synchronization

/// Where a phone's person came from, and how Apple and the phone report it.
struct PhoneOrigin: Hashable, Sendable {
    enum Ending: Hashable, Sendable {
        case attributed, organic
        case invalidToken, notFound
        /// Apple never gives a usable answer.
        case nothing
    }

    var ending: Ending
    /// The order for Apple, see ``SimulatedToken``, without the part that is different in each token.
    var order: String

    init(_ dice: Dice) {
        let delay = dice.one(of: [
            dice.number(50...400), dice.number(50...400), dice.number(400...4_000), dice.number(4_000...9_000),
        ])
        switch dice.number(0...19) {
        case 0...7: (ending, order) = (.attributed, "attribution=true")
        case 8...13: (ending, order) = (.organic, "attribution=false")
        case 14: (ending, order) = (.invalidToken, "status=400")
        case 15: (ending, order) = (.notFound, "attribution=true&notFound=9")
        case 16: (ending, order) = (.attributed, "attribution=true&notFound=\(dice.number(1...2))")
        case 17: (ending, order) = (.attributed, "attribution=true&failures=\(dice.number(1...3))")
        case 18: (ending, order) = (.nothing, dice.one(of: ["hang=1", "garbage=1", "status=500"]))
        default: (ending, order) = (.organic, "attribution=false&failures=\(dice.number(1...3))")
        }
        order += "&delay=\(delay)"
    }

    /// Each token leads to the same answer, so a later launch does not wait for another one.
    var isLasting: Bool { ending == .attributed || ending == .organic }

    /// The paywall for this person, once Apple has answered.
    var paywall: String { ending == .attributed ? "apple-ads" : "default" }
}

/// The platform's token service in one launch.
final class PhoneTokens: AdTokenSource {
    enum Manner: Hashable, Sendable {
        case works
        case fails(times: Int)
        /// Does not return for minutes, and ignores cancellation.
        case hangs
        case unsupported
    }

    private let manner: Manner
    private let clock: PhoneClock
    private let make: @Sendable () -> String
    private let delay: Duration
    private let asked = Mutex(0)

    init(_ manner: Manner, _ clock: PhoneClock, delay: Duration, make: @escaping @Sendable () -> String) {
        self.manner = manner
        self.clock = clock
        self.delay = delay
        self.make = make
    }

    static func manner(_ dice: Dice) -> Manner {
        switch dice.number(0...11) {
        case 0: .fails(times: dice.number(1...3))
        case 1: .hangs
        case 2: dice.happens(0.3) ? .unsupported : .works
        default: .works
        }
    }

    func token() async throws -> String {
        let before = asked.withLock { count in
            defer { count += 1 }
            return count
        }
        if manner == .hangs {
            await withCheckedContinuation { waiter in clock.at(clock.elapsed + .seconds(300)) { waiter.resume() } }
        }
        try await clock.sleep(until: clock.now.advanced(by: delay), tolerance: nil)
        switch manner {
        case .unsupported: throw AdTokenError.unsupported
        case .fails(let times) where before < times: throw AdTokenError.network
        default: return make()
        }
    }
}
