// SPDX-License-Identifier: Apache-2.0

/// The network of one phone: draws the behaviour of each connection, the same for the same seed.
struct PhoneNetwork: Hashable, Sendable {
    let roundTrip: Duration
    private let world: Scenario
    private let seed: UInt64

    init(_ world: Scenario, roundTrip: Duration, seed: UInt64) {
        self.world = world
        self.roundTrip = roundTrip
        self.seed = seed
    }

    var setUp: Duration { roundTrip * world.setUpRoundTrips }

    /// - Parameter number: 0 for the first connection that the phone opens.
    func plan(forConnection number: Int) -> ConnectionPlan {
        var chance = SeededNumbers(seed &+ UInt64(number) &* 0x9E37_79B9)
        var plan = calm
        plan.loss = world.loss
        plan.seed = chance.next()
        let faults: [(Double, ConnectionPlan.Fault)] = [
            (world.reset, .reset(after: .milliseconds(chance.uniform(0, 3_000)))),
            (world.halfClosed, .halfClosed(afterBytes: Int(chance.uniform(0, 2_000)))),
            (world.buffered, .buffered),
            (world.captivePortal, .captivePortal),
        ]
        var point = chance.uniform(0, 1)
        for (share, fault) in faults {
            if point < share {
                plan.fault = fault
                break
            }
            point -= share
        }
        return plan
    }

    /// A connection without faults.
    var calm: ConnectionPlan {
        ConnectionPlan(
            roundTrip: roundTrip, setUp: setUp,
            bytesPerSecond: world.kilobitsPerSecond > 0 ? world.kilobitsPerSecond * 125 : nil
        )
    }
}
