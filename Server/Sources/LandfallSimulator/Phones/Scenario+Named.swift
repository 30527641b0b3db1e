// SPDX-License-Identifier: Apache-2.0

extension Scenario {
    /// The scenarios that have a name.
    package static let named: [Scenario] = [.fast, .typical, .slow, .offline, .hostile]

    static let fast: Scenario = {
        var world = Scenario(name: "fast")
        (world.tokenFrom, world.tokenTo) = (20, 80)
        (world.roundTripMedian, world.roundTripP95) = (30, 80)
        (world.appleMedian, world.appleP95) = (150, 400)
        return world
    }()

    package static let typical: Scenario = {
        var world = Scenario(name: "typical")
        world.offline = 0.01
        world.appleNotFoundFirst = 0.1
        world.appleNever = 0.02
        return world
    }()

    static let slow: Scenario = {
        var world = Scenario(name: "slow")
        (world.tokenFrom, world.tokenTo) = (100, 800)
        (world.roundTripMedian, world.roundTripP95) = (400, 1_200)
        world.kilobitsPerSecond = 400
        (world.appleMedian, world.appleP95) = (600, 2_500)
        world.appleNotFoundFirst = 0.3
        world.appleNever = 0.05
        return world
    }()

    static let offline: Scenario = {
        var world = Scenario(name: "offline")
        world.offline = 1
        world.cached = 0.5
        return world
    }()

    static let hostile: Scenario = {
        var world = slow
        world.name = "hostile"
        world.tokenNever = 0.05
        world.appleBroken = 0.1
        world.loss = 0.05
        (world.reset, world.halfClosed, world.buffered, world.captivePortal) = (0.04, 0.04, 0.04, 0.04)
        world.serverRestarts = 3
        return world
    }()
}
