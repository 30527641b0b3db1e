// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Testing

@testable import LandfallCommand

@Suite("What a node takes at once")
struct NodeLimitTests {
    @Test(
        "depends on open files and memory, whichever allows less; a quarter of the connections is for calls without a hold",
        arguments: [
            (65_536, 24 << 30, nil, nil), (65_536, 1 << 30, nil, 8_192), (65_536, 512 << 20, nil, 4_096), (65_536, 1 << 20, nil, 64),
            (1_024, 24 << 30, nil, nil), (65_536, 1 << 30, 20, 20), (0, 1 << 40, 1_000_000, 1_000_000),
        ] as [(UInt64, UInt64, Int?, Int?)])
    func limits(files: UInt64, memory: UInt64, allowed: Int?, expected: Int?) {
        let limits = NodeLimits(openFiles: files, memory: memory, connections: allowed)

        #expect(limits.connections == expected ?? OpenFiles.connections(of: files))
        #expect(limits.held <= limits.connections)
        #expect(limits.held >= limits.connections * 3 / 4)
    }

    @Test(
        "is lower with little memory",
        arguments: [
            (24 << 30, 8 << 20, 16_384, 256, 1 << 30), (512 << 20, 8 << 20, 16_384, 256, 32 << 20),
            (64 << 20, 1 << 20, 2_048, 32, 8 << 20), (1 << 20, 1 << 20, 1_024, 16, 8 << 20),
        ] as [(UInt64, Int, Int, Int, Int)])
    func memory(memory: UInt64, body: Int, writes: Int, bulkWrites: Int, installs: Int) {
        let limits = NodeLimits(openFiles: 65_536, memory: memory)

        #expect((limits.body, limits.writes, limits.bulkWrites, limits.installs) == (body, writes, bulkWrites, installs))
    }

    @Test("has an option each, with a variable, in the help and on the operators' page")
    func documented() throws {
        let help = ServeCommand.helpMessage(columns: 1_000)
        let page = try String(contentsOf: URL(filePath: #filePath).appending(path: "../../../../../docs/operating/README.md").standardized, encoding: .utf8)
        let options = Set(help.matches(of: #/--[a-z-]+/#).map { String($0.output) }).subtracting(["--help", "--version"])

        #expect(options.isSuperset(of: ["--idle-limit", "--body-limit", "--write-limit", "--bulk-write-limit", "--held-limit", "--max-connections"]))
        for option in options.sorted() {
            let variable = FlagEnvironment.variable(String(option.dropFirst(2)))
            #expect(page.contains("| `\(option)` | `\(variable)` |"), "\(option)")
            #expect(help.contains("(\(variable)"), "\(option)")
        }
    }

    @Test("is refused if the limit of open files is very low, with advice", arguments: [(0, true), (32, false), (127, false), (128, true)])
    func files(limit: UInt64, isEnough: Bool) {
        var text: String?
        do { try OpenFiles.require(limit) } catch { text = "\(error)" }

        #expect((text == nil) == isEnough)
        #expect(text?.contains("LimitNOFILE=") ?? true && text?.contains("\(limit)") ?? true)
    }

    @Test("does not start with 32 descriptors: the server says so and ends")
    func start() async throws {
        try await ServingProcess.withFolder { folder in
            let command = try RunningCommand(
                ["serve", "--port", "0", "--data", folder.path, "--config", RunningCommand.example],
                launcher: ["/bin/sh", "-c", "ulimit -n 32; exec \"$@\"", "sh"])
            let ending = await command.ending(within: .seconds(20))

            #expect(ending.status == 1)
            #expect(ending.errors.contains("only 32 files"))
        }
    }

    @Test("uses the container's limit: of the process's own group, and of each group around it")
    func groups() {
        #expect(
            Memory.limitFiles(groups: "0::/system.slice/landfall.service\n") == [
                "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/system.slice/memory.max",
                "/sys/fs/cgroup/system.slice/landfall.service/memory.max",
            ])
        #expect(
            Memory.limitFiles(groups: "4:memory:/a\n3:cpuset:/\n") == [
                "/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/a/memory.limit_in_bytes",
            ])
        #expect(Memory.limitFiles(groups: "") == [])
        #expect(["max\n", "", "1073741824\n"].map(Memory.limit) == [nil, nil, 1 << 30])
        #expect(Memory.available > 0)
    }

    @Test(
        "out of range is refused with the status of a usage error",
        arguments: ["--drain=-1", "--drain=601", "--max-connections=0", "--held-limit=-1", "--held-limit=many", "--held-per-address=1000001",
            "--idle-limit=0", "--body-limit=0", "--write-limit=0", "--bulk-write-limit=-3", "--install-memory=-1"])
    func nonsense(option: String) async throws {
        let ending = try await RunningCommand(["serve", "--port", "0", "--data", "/nowhere/landfall", option]).ending()

        #expect(ending.status == 64)
        #expect(ending.errors.contains(String(option.dropFirst(2).prefix { $0 != "=" })))
    }
}
