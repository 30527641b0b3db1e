// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore
import Testing

extension RealProcessTests {
    /// `kill -9` of a real server at instants that a seed draws, while phones call it. The traces of system calls show that
    /// confirmed data is on disk; here the kernel keeps it.
    @Suite("A killed server", .timeLimit(.minutes(1)))
    struct ServerKillTests {
        @Test("keeps what it has confirmed, does nothing twice, and continues to ask Apple", arguments: [11, 12, 13] as [UInt64])
        func killed(seed: UInt64) async throws {
            try await ServingProcess.withFolder { folder in
                let apple = try RunningCommand(["apple-ads-simulator", "--port", "0"])
                let applePort = try #require(await apple.port())
                var server = try await ServingProcess.startOnStablePort(in: folder, appleAds: applePort)
                let port = server.port
                let callers = (1...6).map { PersistentCaller(PhoneCalls(number: $0, seed: seed), port: port) }
                // If the test fails in between, callers must not wait for a server that is gone.
                defer { for caller in callers { caller.giveUp() } }
                async let calling: Void = withThrowingTaskGroup(of: Void.self) { group in
                    for caller in callers { group.addTask { await onThread { caller.run() } } }
                    try await group.waitForAll()
                }

                var random = SeededRandom(seed: seed)
                for _ in 0..<4 {
                    try await Task.sleep(for: .milliseconds(Int.random(in: 20...350, using: &random)))
                    server.command.kill()
                    _ = await server.command.ending()
                    server = try await ServingProcess.start(in: folder, port: port, appleAds: applePort)
                }
                for caller in callers { caller.stop() }
                try await calling
                try await attributionArrives(at: callers)

                let before = callers.map { $0.profile() }
                for caller in callers { #expect(await onThread { caller.repeatEverything() } == [], "seed \(seed)") }
                #expect(callers.map { $0.profile() } == before, "seed \(seed): a repeated call had an effect")
                server.command.stop()
                #expect(await server.command.ending().status == 0)
                apple.stop()
                _ = await apple.ending()
                try await compare(callers, with: StoredTruth(in: folder), seed: seed)
                #expect(callers.contains { $0.record.repeated > 0 }, "seed \(seed): no kill met a call in flight")
            }
        }

        /// The queue of ad tokens is in the store: the next server completes what a killed one began.
        private func attributionArrives(at callers: [PersistentCaller]) async throws {
            for _ in 0..<200 {
                if callers.allSatisfy({ $0.profile()?.sources.contains("apple_search_ads") == true }) { return }
                try await Task.sleep(for: .milliseconds(25))
            }
            Issue.record(
                "Apple's answer never arrived at \(callers.filter { $0.profile()?.sources.isEmpty != false }.count) phones.")
        }

        private func compare(_ callers: [PersistentCaller], with truth: StoredTruth, seed: UInt64) async throws {
            for caller in callers {
                let record = caller.record, install = caller.phone.installID
                var events: [String] = [], sources = ["apple_search_ads"], sessions: Int?
                for call in record.answered {
                    switch call.kind {
                    case .event(let id): events.append(id)
                    case .claim(let source): sources.append(source)
                    case .attribute(let value): sessions = value
                    case .firstOpen, .adToken: break
                    }
                }
                #expect(record.refusals == [], "seed \(seed)")
                #expect(record.epochs.count <= 1, "seed \(seed): the epoch changed")
                #expect(try await truth.events(of: install) == events.sorted(), "seed \(seed)")
                #expect(try await truth.sources(of: install) == sources.sorted(), "seed \(seed)")
                #expect(try await truth.exchangeStates(of: install) == ["attributed"], "seed \(seed)")
                #expect(
                    try await truth.attributes(of: install) == [sessions.map { #"{"sessions":\#($0)}"# } ?? "{}"],
                    "seed \(seed)")
            }
        }
    }
}
