// SPDX-License-Identifier: Apache-2.0
import Foundation
import VirtualWorlds

/// The sums over the worlds of a run so far.
struct VirtualTotals {
    /// A run ends after this number of broken worlds: the first ones are enough to find the fault.
    static let mostFailures = 10

    let started: ContinuousClock.Instant
    private(set) var worlds = 0
    private(set) var phones = 0
    private(set) var opens = 0
    private(set) var assigned = 0
    /// Of all worlds together, in milliseconds of their own time.
    private(set) var lastedMs: Int64 = 0
    private(set) var failures: [VirtualRun.World] = []

    init(started: ContinuousClock.Instant = .now) { self.started = started }

    var isEnough: Bool { failures.count >= Self.mostFailures }

    mutating func add(_ world: VirtualRun.World) {
        worlds += 1
        phones += world.phones
        opens += world.opens
        assigned += world.assigned
        lastedMs += world.lastedMs
        if !world.broken.isEmpty { failures.append(world) }
    }

    /// For people: the speed so far.
    var rate: String {
        let seconds = max(started.duration(to: .now) / .seconds(1), 0.001)
        return "\(Int(Double(worlds) / seconds)) seeds and \(Int(Double(opens) / seconds)) opens a second"
    }

    /// One JSON document. Except for the seconds, it is the same for the same seed, whatever the number of processes.
    func json(seed: UInt64) throws -> String {
        struct Failure: Encodable { let seed: UInt64, broken: [String] }
        struct Document: Encodable {
            let seed: UInt64, phones: Int, worlds: Int, opens: Int, assigned: Int, virtualSeconds: Int64, seconds: Double,
                failures: [Failure]
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let document = Document(
            seed: seed, phones: phones, worlds: worlds, opens: opens, assigned: assigned, virtualSeconds: lastedMs / 1_000,
            seconds: (started.duration(to: .now) / .seconds(1) * 1000).rounded() / 1000,
            failures: failures.sorted { $0.seed < $1.seed }.map { Failure(seed: $0.seed, broken: $0.broken) }
        )
        return String(decoding: try encoder.encode(document), as: UTF8.self)
    }
}
