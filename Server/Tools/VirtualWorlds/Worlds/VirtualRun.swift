// SPDX-License-Identifier: Apache-2.0
import LandfallNode
import LandfallSQLite
import Synchronization

/// Runs world after world in virtual time, each from its own seed.
///
/// It takes over every task of the process: nothing else may run beside it.
package struct VirtualRun: Sendable {
    /// The result of one world.
    package struct World: Codable, Hashable, Sendable {
        package let seed: UInt64
        package let phones: Int
        /// How many calls for a paywall were made.
        package let opens: Int
        /// How many of them returned a variation of an experiment.
        package let assigned: Int
        /// How long the world lasted, in milliseconds of its own time.
        package let lastedMs: Int64
        /// The guarantees that did not hold, each with its time.
        package let broken: [String]
        /// What happened, in order; empty unless something is broken or the trace was asked for.
        package let trace: [String]

        package init(seed: UInt64, phones: Int, opens: Int, assigned: Int = 0, lastedMs: Int64 = 0, broken: [String], trace: [String]) {
            self.seed = seed
            self.phones = phones
            self.opens = opens
            self.assigned = assigned
            self.lastedMs = lastedMs
            self.broken = broken
            self.trace = trace
        }
    }

    /// Why a run cannot begin.
    package enum Obstacle: Error, Hashable, CustomStringConvertible {
        case noHook

        package var description: String {
            "This Swift runtime does not let a simulation order its tasks (swift_task_enqueueGlobal_hook is missing). "
                + "Use the toolchain that Package.swift names."
        }
    }

    private let ground: VirtualWorld.Ground

    /// - Parameters:
    ///   - yaml: the configuration that the server serves; in three of ten worlds with an experiment in its first placement.
    ///   - parts: what some worlds have besides; a part for which the configuration has no place is left out.
    ///   - planted: a mistake on purpose.
    /// - Throws: every problem of the configuration.
    package init(yaml: String, parts: WorldParts = [], planted: PlantedError? = nil) throws {
        var parts = parts
        let planned = parts.contains(.attributes) ? VirtualPlan.added(to: yaml) : nil
        if planned == nil { parts.remove(.attributes) }
        let linked = parts.contains(.wrappedLinks) ? VirtualLinks.added(to: planned ?? yaml, planted: planted) : nil
        if linked == nil { parts.remove(.wrappedLinks) }
        let servings = try VirtualServings(yaml: linked ?? planned ?? yaml)
        if !servings.canTell { parts.remove(.webhooks) }
        ground = VirtualWorld.Ground(servings: servings, database: try MemoryDatabase(), parts: parts,
            store: parts.contains(.purchases) ? try VirtualAppStore(planted: planted) : nil, planted: planted)
    }

    /// How many phones the world of a seed has: one or two.
    package static func phoneCount(seed: UInt64) -> Int { Dice(seed: ~seed).number(1...2) }

    /// How many worlds, from the first seed on, have at least this number of phones together.
    package static func worlds(from first: UInt64, phones: Int) -> Int {
        var count = 0, sum = 0
        while sum < phones {
            sum += phoneCount(seed: first &+ UInt64(count))
            count += 1
        }
        return count
    }

    /// Blocks the calling thread until the end.
    /// - Parameters:
    ///   - count: how many worlds, of as many seeds that follow one another.
    ///   - keepsTrace: every world has its trace; without it only one in which something is broken, which is then run twice.
    ///   - each: called after every world; false ends the run.
    package func run(from first: UInt64, count: Int, keepsTrace: Bool = false, each: (World) -> Bool) throws {
        let executor = VirtualExecutor()
        guard executor.takeOver() else { throw Obstacle.noHook }
        defer { VirtualExecutor.release() }
        for index in 0..<max(0, count) {
            let seed = first &+ UInt64(index)
            var world = live(seed, keepsTrace: keepsTrace, executor)
            if !world.broken.isEmpty, !keepsTrace { world = live(seed, keepsTrace: true, executor) }
            if !each(world) { return }
        }
    }

    private func live(_ seed: UInt64, keepsTrace: Bool, _ executor: VirtualExecutor) -> World {
        let world = VirtualWorld(seed: seed, ground, keepsTrace: keepsTrace)
        let count = Self.phoneCount(seed: seed)
        let ending = Ending()
        withExtendedLifetime(world) {
            Task {
                await world.run(phones: count)
                ending.reached(at: world.clock.elapsed)
            }
            repeat { executor.drain() } while world.clock.advance()
            if ending.time == nil { world.trace.broke("simulation", "everybody waits for something that cannot happen") }
        }
        // What is still scheduled then is no part of it.
        let lasted = ending.time ?? world.clock.elapsed
        return World(
            seed: seed, phones: count, opens: world.openCount, assigned: world.assignedCount,
            lastedMs: lasted.exactMilliseconds, broken: world.trace.broken, trace: keepsTrace ? world.trace.lines : []
        )
    }

    private final class Ending: Sendable {
        private let state = Mutex<Duration?>(nil)
        var time: Duration? { state.withLock { $0 } }
        func reached(at time: Duration) { state.withLock { $0 = time } }
    }
}
