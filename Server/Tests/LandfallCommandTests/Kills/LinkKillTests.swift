// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing

extension RealProcessTests {
    /// `kill -9` of a real server while a real app with the real SDK receives links and asks where they lead.
    @Suite("A server killed while links are used", .timeLimit(.minutes(1)))
    struct LinkKillTests {
        @Test(
            "Every question is answered once, every link delivered once, every click stored once",
            arguments: [31, 32] as [UInt64])
        func killed(seed: UInt64) async throws {
            try await ServingProcess.withFolder { folder in
                var server = try await ServingProcess.startOnStablePort(in: folder)
                let port = server.port
                let app = try RunningCommand(
                    ["http://127.0.0.1:\(port)", folder.appending(path: "phone").path, "\(seed)"], program: "TestPhone")
                let diary = Mutex(PhoneDiary())
                let reading = Task { for await line in app.lines { diary.withLock { $0.read(line) } } }
                var random = SeededRandom(seed: seed)
                for _ in 0..<4 {
                    try await Task.sleep(for: .milliseconds(Int.random(in: 200...700, using: &random)))
                    server.command.kill()
                    _ = await server.command.ending()
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...300, using: &random)))
                    server = try await ServingProcess.start(in: folder, port: port)
                }
                let asked = diary.withLock { $0 }
                let truth = try StoredTruth(in: folder)
                try await settles(asked, truth) { diary.withLock { $0 } }
                app.kill()
                _ = await app.ending()
                await reading.value
                server.command.stop()
                #expect(await server.command.ending().status == 0)

                let taps = try await truth.taps()
                diary.withLock { diary in
                    let answered = diary.accepted["open"] ?? []
                    #expect(Set(answered).count == answered.count, "seed \(seed): a question was answered twice")
                    #expect(diary.broken == [], "seed \(seed)")
                    #expect(diary.heard["again"] == nil, "seed \(seed): the app was not killed")
                    #expect(Set(taps).isSubset(of: diary.taps), "seed \(seed): nobody tapped this")
                }
                #expect(Set(taps).count == taps.count, "seed \(seed): a click was stored twice")
                #expect(asked.tried["open"]?.isEmpty == false, "seed \(seed): nothing was asked")
            }
        }

        private func settles(_ asked: PhoneDiary, _ truth: StoredTruth, _ now: () -> PhoneDiary) async throws {
            var missing = "everything"
            for _ in 0..<800 {
                let unheard = asked.unheard(in: now())
                let unanswered = Set(asked.tried["open"] ?? []).subtracting(now().accepted["open"] ?? [])
                let lostClicks = asked.taps.subtracting(try await truth.taps())
                if unheard.isEmpty, unanswered.isEmpty, lostClicks.isEmpty { return }
                missing = "links \(unheard.sorted()), answers \(unanswered.sorted()), clicks \(lostClicks.sorted())"
                try await Task.sleep(for: .milliseconds(25))
            }
            Issue.record("Asked and never settled: \(missing)")
        }
    }
}
