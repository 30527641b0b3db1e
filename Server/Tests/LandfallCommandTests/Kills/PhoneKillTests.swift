// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing

extension RealProcessTests {
    /// `kill -9` of a real app with the real SDK, again and again, at instants that a seed draws.
    @Suite("A killed app", .timeLimit(.minutes(1)))
    struct PhoneKillTests {
        @Test("loses nothing that the SDK has accepted and sends nothing twice", arguments: [21, 22, 23] as [UInt64])
        func killed(seed: UInt64) async throws {
            try await ServingProcess.withFolder { folder in
                let apple = try RunningCommand(["apple-ads-simulator", "--port", "0"])
                let server = try await ServingProcess.start(in: folder, appleAds: await apple.port())
                let phone = folder.appending(path: "phone-\(seed)")
                let diary = Mutex(PhoneDiary())
                var random = SeededRandom(seed: seed)

                for round in 0..<8 {
                    let app = try RunningCommand(
                        ["http://127.0.0.1:\(server.port)", phone.path, "\(seed &* 100 &+ UInt64(round))"], program: "TestPhone"
                    )
                    try await Task.sleep(for: .milliseconds(Int.random(in: 60...600, using: &random)))
                    app.kill()
                    _ = await app.ending()
                    for await line in app.lines { diary.withLock { $0.read(line) } }
                }
                // One more launch, long enough to send the rest, and killed as well.
                let last = try RunningCommand(["http://127.0.0.1:\(server.port)", phone.path, "\(seed)"], program: "TestPhone")
                let reading = Task { for await line in last.lines { diary.withLock { $0.read(line) } } }
                let truth = try StoredTruth(in: folder)
                let install = try #require(PhoneDiary.installID(in: phone))
                try await arrives(diary.withLock { $0 }, of: install, in: truth)
                try await hears(diary.withLock { $0 }) { diary.withLock { $0 } }
                last.kill()
                _ = await last.ending()
                await reading.value
                server.command.stop()
                #expect(await server.command.ending().status == 0)
                apple.stop()
                _ = await apple.ending()

                let revisions = try await truth.revisions(of: install)
                let sources = try await truth.sources(of: install).filter { $0 != "link" }
                #expect(Set(revisions).count == revisions.count, "seed \(seed): an exposure was counted twice")
                #expect(Set(sources).count == sources.count, "seed \(seed): a claim was recorded twice")
                #expect(sources.filter { $0 == "apple_search_ads" }.count == 1, "seed \(seed)")
                let taps = try await truth.taps()
                diary.withLock { diary in
                    #expect(Set(revisions).isSubset(of: diary.tried["event"] ?? []), "seed \(seed): nobody showed this")
                    #expect(Set(taps).isSubset(of: diary.taps), "seed \(seed): nobody tapped this")
                    #expect(diary.accepted["event"]?.isEmpty == false, "seed \(seed): killed before anything happened")
                    #expect(!diary.everHeard.isEmpty, "seed \(seed): no link came")
                    #expect(diary.broken == [], "seed \(seed)")
                }
                #expect(Set(taps).count == taps.count, "seed \(seed): a click was stored twice")
            }
        }

        /// Waits until everything that was accepted is in the store.
        private func arrives(_ diary: PhoneDiary, of install: String, in truth: StoredTruth) async throws {
            let events = Set(diary.accepted["event"] ?? [])
            let taps = Set(diary.accepted["link"] ?? [])
            let claims = Set((diary.accepted["claim"] ?? []).map { "provider-\($0)" })
            let attribute = diary.accepted["attribute"]?.last ?? 0
            var missing = "everything"
            for _ in 0..<1_200 {
                let lostEvents = events.subtracting(try await truth.revisions(of: install))
                let lostTaps = taps.subtracting(try await truth.taps())
                let lostClaims = claims.subtracting(try await truth.sources(of: install))
                let sessions = try await truth.attributes(of: install).first.flatMap(PhoneDiary.sessions) ?? 0
                if lostEvents.isEmpty, lostTaps.isEmpty, lostClaims.isEmpty, sessions >= attribute { return }
                missing =
                    "events \(lostEvents.sorted()), taps \(lostTaps.sorted()), claims \(lostClaims.sorted()), attribute \(attribute) (is \(sessions))"
                try await Task.sleep(for: .milliseconds(25))
            }
            Issue.record("Accepted and lost: \(missing)")
        }

        /// Waits until the app has heard of every link that was accepted before.
        private func hears(_ before: PhoneDiary, _ now: () -> PhoneDiary) async throws {
            for _ in 0..<1_200 {
                if before.unheard(in: now()).isEmpty { return }
                try await Task.sleep(for: .milliseconds(25))
            }
            Issue.record("Accepted and never handed over: \(before.unheard(in: now()).sorted())")
        }
    }
}
