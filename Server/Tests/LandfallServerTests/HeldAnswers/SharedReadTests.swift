// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import NIOCore
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("One look after a change", .timeLimit(.minutes(1)))
struct SharedReadTests {
    private let app = AppID("example")
    private let install = InstallID(Phone().id)

    @Test("An install is read once for a change, however many holds wait for it, and all get the same answer", .embedded("reads are counted"))
    func oneRead() async throws {
        try await TestServer.run { server in
            let known: ProfileAnswer = try await server.send(.get, WirePath.profile).decoded()
            let after = known.profile.version
            let paths = (0..<8).map { number in
                number < 4
                    ? "/v1/profiles/me?after=\(after)&wait=30000"
                    : "/v1/placements/onboarding/paywall?after=\(after)&wait=30000&locale=\(number < 6 ? "en" : "de")"
            }
            let token = #"{"adToken":"coming","holdMilliseconds":30000}"#
            async let stream = server.firstOpen(token)
            await server.clock.waitForSleeper()
            let reads = try #require(server.services.database as? RecordingDatabase).reads

            let bodies = try await withThrowingTaskGroup(of: (String, String).self) { group in
                for path in paths { group.addTask { (path, String(buffer: try await server.send(.get, path).body)) } }
                await server.clock.waitForSleepers(9)
                let before = reads.value
                let change = try await server.send(.post, WirePath.attributes, #"{"key":"a","attributes":{"plan":"pro"}}"#)
                #expect(change.status == .ok)
                let bodies = try await group.reduce(into: [String: Set<String>]()) { $0[$1.0, default: []].insert($1.1) }
                #expect(reads.value - before == 1)
                return bodies
            }

            #expect(bodies.count == 3)
            #expect(bodies.values.allSatisfy { $0.count == 1 && $0.first?.contains("ersion\":\(after + 1)") == true })
            while server.services.holds.count > 0 {
                server.clock.advance(by: .seconds(1))
                await Task.yield()
            }
            let told = try await stream.compactMap { if case .profile(let profile) = $0 { profile.version } else { nil } }
            #expect(told == [after, after + 1])
        }
    }

    @Test("Changes before the look has begun are part of it; a later change needs another look")
    func burst() async throws {
        let holds = HeldAnswers()
        let hold = try #require(holds.take(.plain, app: app, install: install))
        let other = try #require(holds.take(.plain, app: app, install: install))
        for _ in 0..<100 { holds.changed(app: app, install: install) }

        let first = try await look(of: hold), second = try await look(of: other)
        _ = try await first.seen { nil }
        holds.changed(app: app, install: install)
        let third = try await look(of: hold)

        #expect(first === second)
        #expect(third !== first)
    }

    @Test("The first hold starts the read for all, and each question is encoded once")
    func once() async throws {
        let look = SharedRead(), reads = Count(), renders = Count()
        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    _ = try? await look.seen {
                        reads.increment()
                        return nil
                    }
                }
            }
        }
        let resolution = try await TestStore().open(.mayasPhone).resolution
        for _ in 0..<3 {
            for locale in ["en", "de"] {
                let question = SharedRead.Question(asked: .paywall("onboarding", locale: LocaleCode(rawValue: locale), saysAttribution: false, saysRules: false), resolution: resolution)
                let bytes = try look.bytes(of: question) {
                    renders.increment()
                    return ByteBuffer(string: locale)
                }
                #expect(String(buffer: bytes) == locale)
            }
        }

        #expect(reads.value == 1)
        #expect(renders.value == 2)
    }

    @Test("A caller that disconnects in the middle of a look does not end it for the others")
    func leaving() async throws {
        let look = SharedRead()
        let (gate, opening) = AsyncStream<Void>.makeStream()
        let leaving = Task {
            try await look.seen {
                for await _ in gate { break }
                try Task.checkCancellation()
                return nil
            }
        }
        while !look.hasBegun { await Task.yield() }

        leaving.cancel()
        opening.finish()

        #expect(try await look.seen { throw CancellationError() } == nil)
    }

    @Test("A hold keeps nothing of what it has seen")
    func nothingKept() async throws {
        let holds = HeldAnswers()
        let hold = try #require(holds.take(.plain, app: app, install: install))
        holds.changed(app: app, install: install)
        weak var kept: SharedRead?
        do {
            let look = try await look(of: hold)
            _ = try await look.seen { nil }
            kept = look
        }

        #expect(kept == nil)
        #expect(holds.count == 1)
        let first = FirstBytes(ByteBuffer(string: "{}"))
        #expect(first.take() != nil)
        #expect(first.take() == nil)
    }

    private func look(of hold: HeldAnswer) async throws -> SharedRead {
        guard case .changed(let look) = await hold.wait(for: .seconds(30), time: .live) else { throw CancellationError() }
        return look
    }
}

extension Install {
    fileprivate var resolution: AttributionResolution {
        AttributionResolution(install: self, isTokenAnnounced: false, nowMs: TestStore.noon, holdEndsAtMs: TestStore.noon)
    }
}
