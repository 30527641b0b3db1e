// SPDX-License-Identifier: Apache-2.0
import LandfallServer
import LandfallSQLite

import Synchronization

/// Runs world after world in virtual time, each from its own seed, until one breaks a guarantee.
///
/// It takes over every task of the process: nothing else may run beside it.
public struct VirtualRun: Sendable {
    /// What a run comes to.
    public struct Report: Codable, Hashable, Sendable {
        public var seed: UInt64
        public var worlds = 0
        public var phones = 0
        public var opens = 0
        /// The seed of the first world in which a guarantee did not hold, and what happened in it.
        public var failedSeed: UInt64?
        public var broken: [String] = []
        public var trace: [String] = []
    }

    /// Why a run cannot begin.
    public enum Obstacle: Error, Hashable, CustomStringConvertible {
        case noHook

        public var description: String {
            "This Swift runtime does not let a simulation order its tasks (swift_task_enqueueGlobal_hook is missing). "
                + "Use the toolchain that Package.swift names."
        }
    }

    public let seed: UInt64
    public let phones: Int
    private let ground: VirtualWorld.Ground

    /// - Parameters:
    ///   - yaml: the configuration that the server serves.
    ///   - phones: how many; a world has one or two of them.
    /// - Throws: every problem of the configuration.
    public init(yaml: String, phones: Int, seed: UInt64) throws {
        self.seed = seed
        self.phones = phones
        ground = VirtualWorld.Ground(serving: try InProcessNode.Serving(yaml: yaml), database: try MemoryDatabase())
    }

    /// Blocks the calling thread to the end.
    /// - Parameters:
    ///   - keepsTrace: the report has the trace of the last world, even if nothing is broken.
    ///   - progress: called after every world with what there is so far.
    public func run(keepsTrace: Bool = false, progress: (Report) -> Void = { _ in }) throws -> Report {
        let executor = VirtualExecutor()
        guard executor.takeOver() else { throw Obstacle.noHook }
        defer { VirtualExecutor.release() }
        var report = Report(seed: seed)
        while report.phones < phones {
            let worldSeed = seed &+ UInt64(report.worlds)
            let world = live(worldSeed, keepsTrace: keepsTrace, executor, &report)
            if keepsTrace { report.trace = world.trace.lines }
            if !world.trace.broken.isEmpty {
                report.failedSeed = worldSeed
                report.broken = world.trace.broken
                var replay = Report(seed: seed)
                report.trace = live(worldSeed, keepsTrace: true, executor, &replay).trace.lines
                return report
            }
            progress(report)
        }
        return report
    }

    private func live(
        _ seed: UInt64, keepsTrace: Bool, _ executor: VirtualExecutor, _ report: inout Report
    ) -> VirtualWorld {
        let world = VirtualWorld(seed: seed, ground, keepsTrace: keepsTrace)
        let count = Dice(seed: ~seed).number(1...2)
        withExtendedLifetime(world) {
            let ending = Ending()
            Task {
                await world.run(phones: count)
                ending.reached()
            }
            repeat { executor.drain() } while world.clock.advance()
            if !ending.isReached { world.trace.broke("simulation", "everybody waits for something that cannot happen") }
        }
        report.worlds += 1
        report.phones += count
        report.opens += world.openCount
        return world
    }

    private final class Ending: Sendable {
        private let state = Atomic(false)
        var isReached: Bool { state.load(ordering: .relaxed) }
        func reached() { state.store(true, ordering: .relaxed) }
    }
}
