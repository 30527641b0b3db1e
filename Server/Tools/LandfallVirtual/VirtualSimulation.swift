// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import VirtualWorlds

/// As many phones as the machine can run, in worlds in which the seed decides everything.
struct VirtualSimulation {
    let seed: UInt64
    let worlds: Int
    /// After this time no further world begins; nil is no limit.
    let limit: Duration?
    let json: Bool
    let trace: Bool
    let workers: Int
    let setting: VirtualSetting

    /// - Throws: `ExitCode.failure` if a guarantee did not hold.
    func run() throws {
        var totals = VirtualTotals()
        if trace {
            try VirtualWorker(seed: seed, worlds: worlds, setting: setting).live(
                keepsTrace: true
            ) { world in
                totals.add(world)
                for line in world.trace { Output.remark(line) }
                if !world.broken.isEmpty { show(world) }
                return goesOn(totals)
            }
        } else {
            var lastRemark = totals.started
            try VirtualWorkers(count: workers, setting: setting).run(from: seed, count: worlds)
            { world in
                totals.add(world)
                if !world.broken.isEmpty { show(world) }
                if lastRemark.duration(to: .now) > .seconds(10) {
                    lastRemark = .now
                    Output.remark(
                        "\(totals.worlds)\(outOf) worlds, \(totals.phones) phones, \(totals.opens) opens, \(totals.rate)")
                }
                return goesOn(totals)
            }
        }
        if json { Output.line(try totals.json(seed: seed)) }
        let sum = "\(totals.phones) phones in \(totals.worlds) worlds from seed \(seed), \(totals.opens) opens"
        if totals.failures.isEmpty {
            let text = "\(sum): every guarantee held, \(totals.rate)."
            return json ? Output.remark(text) : Output.line(text)
        }
        let seeds = totals.failures.map(\.seed).sorted().map { "\($0)" }.joined(separator: ", ")
        Output.remark("\(sum), \(totals.rate): not every guarantee held in the worlds of the seeds \(seeds).")
        if totals.isEnough { Output.remark("The run ended early, after \(VirtualTotals.mostFailures) of them.") }
        throw ExitCode.failure
    }

    private var outOf: String { limit == nil ? " of \(worlds)" : "" }

    private func goesOn(_ totals: VirtualTotals) -> Bool {
        !totals.isEnough && limit.map { totals.started.duration(to: .now) < $0 } ?? true
    }

    private func show(_ world: VirtualRun.World) {
        if !trace { for line in world.trace { Output.remark(line) } }
        Output.remark("Not every guarantee held in the world of seed \(world.seed):")
        for line in world.broken { Output.remark(line) }
        Output.remark(
            "To see it again: " + (["landfall-virtual --phones 1 --seed \(world.seed) --trace"] + setting.options).joined(separator: " "))
    }
}
