// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
import Glibc

#else
import Darwin
#endif
import Foundation
import VirtualWorlds

/// Divides the worlds of a run among processes, because a simulation takes over every task of its process. A world gives the
/// same result in each process; only the order of the reports differs.
struct VirtualWorkers {
    /// How many worlds a process runs before a new process takes over.
    private static let lot = 1_000
    /// A world takes milliseconds; a world that takes this long does not end.
    private static let patience: Duration = .seconds(60)

    let count: Int
    let setting: VirtualSetting

    /// - Parameter each: called after every world, on this thread; false ends the run.
    /// - Throws: if no process can be started.
    func run(from first: UInt64, count worlds: Int, each: (VirtualRun.World) -> Bool) throws {
        var begun = 0, seats: [Seat] = []
        defer { for seat in seats { seat.kill() } }
        while true {
            while seats.count < max(1, count), begun < worlds {
                let lot = min(Self.lot, worlds - begun)
                seats.append(try Seat(first &+ UInt64(begun), lot, setting))
                begun += lot
            }
            if seats.isEmpty { return }
            Self.waitForNews(of: seats)
            for index in seats.indices.reversed() {
                for world in seats[index].news() where !each(world) { return }
                if seats[index].lastHeard.duration(to: .now) > Self.patience { seats[index].kill() }
                guard seats[index].isOver else { continue }
                let seat = seats.remove(at: index)
                guard let lost = seat.lostWorld() else { continue }
                guard each(lost) else { return }
                // The worlds after the one that ended its process are run by another process.
                if seat.left > 1 { seats.append(try Seat(lost.seed &+ 1, seat.left - 1, setting)) }
            }
        }
    }

    private static func waitForNews(of seats: [Seat]) {
        var files = seats.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
        poll(&files, nfds_t(files.count), 1_000)
    }
}

/// One process and its worlds.
private struct Seat {
    private let process: Process
    private let pipe: Pipe
    private var next: UInt64
    private var rest = Data()
    private(set) var left: Int
    private(set) var lastHeard = ContinuousClock.now
    /// The process has closed its output.
    private(set) var isOver = false

    /// Every world allocates and frees the same few megabytes. With these settings glibc keeps them, which saves a seventh of the time.
    private static let environment = [
        VirtualWorker.hashing: "1", "MALLOC_TRIM_THRESHOLD_": "1000000000", "MALLOC_MMAP_THRESHOLD_": "1000000000",
        "MALLOC_TOP_PAD_": "67108864",
    ]

    var output: Int32 { pipe.fileHandleForReading.fileDescriptor }

    init(_ first: UInt64, _ worlds: Int, _ setting: VirtualSetting) throws {
        next = first
        left = worlds
        process = Process()
        pipe = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments =
            ["--worker", "--seed", "\(first)", "--worlds", "\(worlds)"] + setting.arguments
        process.environment = ProcessInfo.processInfo.environment.merging(Self.environment) { _, new in new }
        process.standardOutput = pipe
        try process.run()
    }

    func kill() {
        if process.isRunning { _ = Foundation.kill(process.processIdentifier, SIGKILL) }
    }

    /// The output since the last call; does not wait.
    mutating func news() -> [VirtualRun.World] {
        var file = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&file, 1, 0) > 0 else { return [] }
        let data = pipe.fileHandleForReading.availableData
        isOver = data.isEmpty
        rest.append(data)
        var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        rest = Data(lines.popLast() ?? Data())
        let worlds = lines.compactMap { try? JSONDecoder().decode(VirtualRun.World.self, from: $0) }
        guard let last = worlds.last else { return [] }
        next = last.seed &+ 1
        left -= worlds.count
        lastHeard = .now
        return worlds
    }

    /// The world in which the process ended; nil if it had run all of its worlds.
    func lostWorld() -> VirtualRun.World? {
        guard left > 0 else { return nil }
        // It has closed its output, so it ends soon.
        for _ in 0..<1_000 where process.isRunning { usleep(10_000) }
        let ending =
            process.isRunning ? "without an end" : process.terminationReason == .uncaughtSignal ? "by signal" : "by status"
        let status = process.isRunning ? "" : " \(process.terminationStatus)"
        let text = "the process was lost in this world, \(ending)\(status)"
        return VirtualRun.World(
            seed: next, phones: VirtualRun.phoneCount(seed: next), opens: 0, broken: ["✘ simulation: \(text)"], trace: []
        )
    }
}
