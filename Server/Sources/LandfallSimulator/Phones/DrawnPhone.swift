// SPDX-License-Identifier: Apache-2.0

/// One phone of a run, drawn from the seed: its user's origin and its surroundings.
package struct DrawnPhone: Hashable, Sendable {
    /// Apple's treatment of the token.
    enum Treatment: Hashable, Sendable {
        case answered, notFoundFirst, never, refused, garbled
    }

    let number: Int
    let isOrganic: Bool
    let isOffline: Bool
    /// It was launched before, with a network.
    let isCached: Bool
    /// nil: AdServices never answers.
    let tokenDelay: Duration?
    let network: PhoneNetwork
    let treatment: Treatment
    let appleDelay: Duration

    init(_ number: Int, in world: Scenario, seed: UInt64) {
        // A separate generator, so that a phone is the same in a run of ten and in a run of a thousand.
        var chance = SeededNumbers(seed &+ UInt64(number) &* 0xD134_2543_DE82_EF95)
        self.number = number
        isOrganic = chance.isLikely(world.organic)
        isOffline = chance.isLikely(world.offline)
        isCached = chance.isLikely(world.cached)
        let token = chance.uniform(world.tokenFrom, world.tokenTo)
        tokenDelay = chance.isLikely(world.tokenNever) ? nil : .milliseconds(token)
        let roundTrip = chance.logNormal(median: world.roundTripMedian, p95: world.roundTripP95)
        network = PhoneNetwork(world, roundTrip: .milliseconds(roundTrip), seed: chance.next())
        appleDelay = .milliseconds(Int(chance.logNormal(median: world.appleMedian, p95: world.appleP95)))

        let point = chance.uniform(0, 1)
        let broken = world.appleNever + world.appleBroken
        if point < world.appleNever {
            treatment = .never
        } else if point < broken {
            treatment = point < world.appleNever + world.appleBroken / 2 ? .refused : .garbled
        } else {
            treatment = point < broken + world.appleNotFoundFirst ? .notFoundFirst : .answered
        }
    }

    /// The token that makes Apple answer as this phone's treatment says; different for each side.
    func token(of side: String) -> String {
        let treatment =
            switch treatment {
            case .answered: ""
            case .notFoundFirst: "&notFound=1"
            case .never: "&hang=1"
            case .refused: "&status=500"
            case .garbled: "&garbage=1"
            }
        let delay = min(appleDelay.wholeMilliseconds, 600_000)
        return "sim.attribution=\(!isOrganic)&delay=\(delay)\(treatment)&id=\(side)-\(number)"
    }

    /// The best possible client on this phone; nil if no token comes.
    var perfectClient: PerfectClient? {
        tokenDelay.map {
            PerfectClient(
                tokenDelay: $0, roundTrip: network.roundTrip, setUp: network.setUp,
                transfer: network.calm.bytesPerSecond.map { .seconds(LimitServer.answerBytes / $0) } ?? .zero)
        }
    }

    /// The token of an earlier launch: Apple answered it at once.
    func earlierToken(of side: String) -> String { "sim.attribution=\(!isOrganic)&id=\(side)-\(number)-before" }
}

extension Duration {
    var wholeMilliseconds: Int64 { Int64(self / .milliseconds(1)) }
    var inSeconds: Double { self / .seconds(1) }
}
