// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore
import Synchronization
import Testing

@testable import LandfallCommand

extension RealProcessTests {
    /// More phones at once than a usual day brings. `LANDFALL_TEST_STREAMS` says how many; `script/test` has 10,000, as many as
    /// one node holds.
    @Suite(
        "Thousands of first opens at once", .timeLimit(.minutes(2)),
        .enabled(if: ServingProcess.canCountFiles, "counts the server's connections in /proc"),
        .enabled(if: BurstSize.isPossible, "this system lets a process have too few files open; see ulimit -Hn")
    )
    struct FirstOpenBurstTests {
        @Test("are answered, held and ended on time, as are other requests, and leave nothing behind")
        func burst() async throws {
            try await ServingProcess.withFolder { folder in
                let server = try await ServingProcess.start(in: folder)
                let before = try server.openSockets
                let endings = try await onThread {
                    let burst = FirstOpenBurst(holdMilliseconds: 3_000)
                    try burst.connect(BurstSize.streams, to: server.port) { try server.openFiles }
                    try burst.ask()
                    let beside = Beside(port: server.port)
                    #expect(burst.read(within: .seconds(90)) { burst.isOver }, "\(burst.count - burst.endings.count) hang")
                    #expect(beside.result(), "a call beside the burst is answered")
                    return burst.endings
                }

                #expect(endings.count == BurstSize.streams)
                // `final` if the server was so busy that the hold was over before the first line.
                #expect(Set(endings.map(\.reason)).isSubset(of: ["holdOver", "final"]))
                #expect(endings.allSatisfy { $0.isAnswered })
                #expect(endings.allSatisfy { $0.age >= .milliseconds(2_999) }, "none ends before its hold is over")
                #expect(endings.allSatisfy { $0.length < .seconds(8) }, "none is kept until its hard limit")
                try await closes(server, to: before)
                try await server.ends()
            }
        }

        @Test("get their last line when the server stops, and delay its stop only for a moment")
        func stop() async throws {
            try await ServingProcess.withFolder { folder in
                let server = try await ServingProcess.start(in: folder)
                let (endings, stopping) = try await onThread {
                    let burst = FirstOpenBurst(holdMilliseconds: 30_000)
                    try burst.connect(BurstSize.streams, to: server.port) { try server.openFiles }
                    try burst.ask()
                    #expect(burst.read(within: .seconds(60)) { burst.isUnderWay }, "not every stream began")
                    let stopping = ContinuousClock.now
                    server.command.stop()
                    #expect(burst.read(within: .seconds(30)) { burst.isOver })
                    return (burst.endings, stopping)
                }
                let ending = await server.command.ending()

                #expect(endings.count == BurstSize.streams)
                #expect(Set(endings.map(\.reason)) == ["stopping"])
                #expect(ending.status == 0)
                #expect(RunningCommand.complaints(in: ending.errors) == "")
                #expect(ContinuousClock.now - stopping < .seconds(18), "it stopped by itself, not at its time limit")
            }
        }

        private func closes(_ server: ServingProcess, to count: Int) async throws {
            for _ in 0..<200 where try server.openSockets > count { try await Task.sleep(for: .milliseconds(50)) }
            let left = try server.openSockets
            #expect(left <= count)
        }
    }
}

private enum BurstSize {
    static let streams = ProcessInfo.processInfo.environment["LANDFALL_TEST_STREAMS"].flatMap { Int($0) } ?? 1_000
    static let isPossible = OpenFiles.raiseLimit() >= UInt64(streams) + 1_000
}

/// Normal calls on a separate thread.
private final class Beside: Sendable {
    private let done = DispatchSemaphore(value: 0)
    private let isServed = Mutex(false)

    init(port: Int) {
        Thread.detachNewThread { [self] in
            let isServed = RawConnection.isServed(port: port, within: 60_000)
            self.isServed.withLock { $0 = isServed }
            done.signal()
        }
    }

    /// Waits for its end.
    func result() -> Bool { done.wait(timeout: .now() + 60) == .success && isServed.withLock { $0 } }
}
