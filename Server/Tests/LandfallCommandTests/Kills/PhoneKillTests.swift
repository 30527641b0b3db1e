// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension RealProcessTests {
    /// `kill -9` of a real app with the real SDK, again and again, at instants that a seed draws.
    @Suite("A killed app", .timeLimit(.minutes(1)))
    struct PhoneKillTests {
        @Test("loses nothing that the SDK accepted and sends nothing twice", arguments: [21, 22, 23] as [UInt64])
        func killed(seed: UInt64) async throws {
            try await ServingProcess.withFolder { folder in
                let apple = try RunningCommand(["apple-ads-simulator", "--port", "0"])
                let server = try await ServingProcess.start(in: folder, appleAds: await apple.port())
                let phone = folder.appending(path: "phone-\(seed)")
                var diary = PhoneDiary()
                var random = SeededRandom(seed: seed)

                for round in 0..<8 {
                    let app = try RunningCommand(
                        ["http://127.0.0.1:\(server.port)", phone.path, "\(seed &* 100 &+ UInt64(round))"], program: "TestPhone"
                    )
                    try await Task.sleep(for: .milliseconds(Int.random(in: 60...600, using: &random)))
                    app.kill()
                    _ = await app.ending()
                    for await line in app.lines { diary.read(line) }
                }
                // One more launch, long enough to send what is left, and killed as well.
                let last = try RunningCommand(["http://127.0.0.1:\(server.port)", phone.path, "\(seed)"], program: "TestPhone")
                let truth = try StoredTruth(in: folder)
                let install = try #require(PhoneDiary.installID(in: phone))
                try await arrives(diary, of: install, in: truth)
                last.kill()
                _ = await last.ending()
                for await line in last.lines { diary.read(line) }
                server.command.stop()
                #expect(await server.command.ending().status == 0)
                apple.stop()
                _ = await apple.ending()

                let revisions = try await truth.revisions(of: install)
                let sources = try await truth.sources(of: install)
                #expect(Set(revisions).count == revisions.count, "seed \(seed): an exposure was counted twice")
                #expect(Set(sources).count == sources.count, "seed \(seed): a claim was recorded twice")
                #expect(Set(revisions).isSubset(of: Set(diary.tried["event"] ?? [])), "seed \(seed): nobody showed this")
                #expect(sources.filter { $0 == "apple_search_ads" }.count == 1, "seed \(seed)")
                #expect(diary.accepted["event"]?.isEmpty == false, "seed \(seed): killed before anything happened")
            }
        }

        /// Waits until everything that was accepted is in the store.
        private func arrives(_ diary: PhoneDiary, of install: String, in truth: StoredTruth) async throws {
            let events = Set(diary.accepted["event"] ?? [])
            let claims = Set((diary.accepted["claim"] ?? []).map { "provider-\($0)" })
            let attribute = diary.accepted["attribute"]?.last ?? 0
            var missing = "everything"
            for _ in 0..<400 {
                let lostEvents = events.subtracting(try await truth.revisions(of: install))
                let lostClaims = claims.subtracting(try await truth.sources(of: install))
                let sessions = try await truth.attributes(of: install).first.flatMap(PhoneDiary.sessions) ?? 0
                if lostEvents.isEmpty, lostClaims.isEmpty, sessions >= attribute { return }
                missing =
                    "events \(lostEvents.sorted()), claims \(lostClaims.sorted()), attribute \(attribute) (is \(sessions))"
                try await Task.sleep(for: .milliseconds(25))
            }
            Issue.record("Accepted and lost: \(missing)")
        }
    }
}

/// What a phone said of itself before it was killed.
struct PhoneDiary {
    private(set) var tried: [String: [Int64]] = [:]
    private(set) var accepted: [String: [Int64]] = [:]

    mutating func read(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 3, let number = Int64(words[2]) else { return }
        if words[0] == "trying" { tried[words[1], default: []].append(number) }
        if words[0] == "accepted" { accepted[words[1], default: []].append(number) }
    }

    static func installID(in phone: URL) -> String? {
        guard let data = try? Data(contentsOf: phone.appending(path: "landfall/install.json")) else { return nil }
        return (try? JSONSerialization.jsonObject(with: data) as? [String: Any])?["id"] as? String
    }

    static func sessions(_ attributes: String) -> Int64? {
        let object = try? JSONSerialization.jsonObject(with: Data(attributes.utf8)) as? [String: Any]
        return (object?["sessions"] as? NSNumber)?.int64Value
    }
}
