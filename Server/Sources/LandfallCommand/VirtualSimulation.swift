// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
import ArgumentParser
import Foundation
import LandfallSimulator

/// What `landfall simulate` can be told about phones in virtual time.
struct VirtualOptions: ParsableArguments {
    @Flag(help: "Phones, networks, server and Apple on one virtual clock; checks every guarantee (LANDFALL_VIRTUAL).")
    var virtual = false

    @Flag(help: "Also writes what happened in the last world to standard error (LANDFALL_TRACE).")
    var trace = false
}

/// `landfall simulate --virtual`: as many phones as the machine can, in worlds that their seeds order entirely.
struct VirtualSimulation {
    let phones: Int
    let seed: UInt64
    let json: Bool
    let trace: Bool
    let configuration: String

    /// - Throws: `ExitCode.failure` where a guarantee did not hold.
    func run() throws {
        try Self.beginAgainWithFixedHashing()
        let run = try VirtualRun(
            yaml: String(contentsOfFile: configuration, encoding: .utf8), phones: phones, seed: seed
        )
        let started = ContinuousClock.now
        var lastRemark = started
        let report = try run.run(keepsTrace: trace) { report in
            guard lastRemark.duration(to: .now) > .seconds(2) else { return }
            lastRemark = .now
            Output.remark("\(report.phones) of \(phones) phones, \(report.opens) opens, \(rate(report, since: started))")
        }
        for line in report.trace { Output.remark(line) }
        if json { try write(report, since: started) }
        let sum = "\(report.phones) phones in \(report.worlds) worlds from seed \(seed), \(report.opens) opens: "
        guard let failed = report.failedSeed else {
            let text = sum + "every guarantee held, \(rate(report, since: started))."
            return json ? Output.remark(text) : Output.line(text)
        }
        Output.remark(sum + "not every guarantee held in the world of seed \(failed):")
        for line in report.broken { Output.remark(line) }
        Output.remark("To see it again: landfall simulate --virtual --phones 1 --seed \(failed) --trace")
        throw ExitCode.failure
    }

    private func rate(_ report: VirtualRun.Report, since started: ContinuousClock.Instant) -> String {
        let seconds = max(started.duration(to: .now) / .seconds(1), 0.001)
        return "\(Int(Double(report.worlds) / seconds)) seeds and \(Int(Double(report.opens) / seconds)) opens a second"
    }

    private func write(_ report: VirtualRun.Report, since started: ContinuousClock.Instant) throws {
        struct Document: Encodable {
            let seed: UInt64, phones: Int, worlds: Int, opens: Int, seconds: Double, failedSeed: UInt64?
            let broken: [String]
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let document = Document(
            seed: seed, phones: report.phones, worlds: report.worlds, opens: report.opens,
            seconds: (started.duration(to: .now) / .seconds(1) * 1000).rounded() / 1000, failedSeed: report.failedSeed,
            broken: report.broken
        )
        Output.line(String(decoding: try encoder.encode(document), as: UTF8.self))
    }

    /// Dictionaries are ordered by where they lie in memory, unless the process begins with this variable set.
    private static func beginAgainWithFixedHashing() throws {
        let name = "SWIFT_DETERMINISTIC_HASHING"
        guard getenv(name) == nil, let path = Bundle.main.executablePath else { return }
        setenv(name, "1", 1)
        var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) } + [nil]
        execv(path, &arguments)
        throw ValidationError("landfall cannot start itself again at \(path) (errno \(errno)). Set \(name)=1 and repeat.")
    }
}
