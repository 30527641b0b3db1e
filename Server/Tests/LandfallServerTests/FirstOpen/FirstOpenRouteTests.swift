// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import NIOCore
import Testing

@testable import LandfallNode
@testable import LandfallServer
@testable import LandfallStore

@Suite("POST /v1/first-open", .timeLimit(.minutes(1)))
struct FirstOpenRouteTests {
    @Test("An empty body creates the profile and ends at once")
    func smallest() async throws {
        try await TestServer.run { server in
            let lines = try await server.firstOpen("{}")

            #expect(lines.count == 3)
            #expect(lines.last == .end(.final))
            #expect(lines.profile?.id.rawValue == "i_\(Phone().id)")
        }
    }

    @Test("The answer is a stream that caches, proxies and compression must not delay")
    func headers() async throws {
        try await TestServer.run { server in
            let response = try await server.send(.post, WirePath.firstOpen, #"{"placements":[{"id":"onboarding"}]}"#)

            #expect(response.headers[.contentType] == "application/x-ndjson")
            #expect(response.headers[.cacheControl] == "no-store, no-transform")
            #expect(response.headers[.xAccelBuffering] == "no")
            #expect(response.headers[.xContentTypeOptions] == "nosniff")
            #expect(response.headers[.landfallVersion] == LandfallVersion.current)
            let first = try #require(String(buffer: response.body).split(separator: "\n").first)
            #expect(first.utf8.count >= 512)
        }
    }

    @Test("An answer without a wait is one piece of known length, held or not; one with a wait is a stream")
    func onePiece() async throws {
        try await TestServer.run { server in
            for body in [#"{"placements":[{"id":"onboarding"}]}"#, #"{"holdMilliseconds":3000}"#] {
                let response = try await server.send(.post, WirePath.firstOpen, body)

                #expect(response.headers[.contentLength] == String(response.body.readableBytes))
                #expect(try response.lines.last == .end(.final))
                #expect(server.services.holds.count == 0)
            }
            async let held = server.send(.post, WirePath.firstOpen, #"{"adToken":"coming","holdMilliseconds":3000}"#)
            await server.clock.waitForSleeper()
            server.clock.advance(by: .seconds(3))

            let length = try await held.headers[.contentLength]
            #expect(length == nil)
        }
    }

    @Test("A stream is held for an announced token, and ends with its hold")
    func holdOver() async throws {
        try await TestServer.run { server in
            async let lines = server.firstOpen(
                #"{"adToken":"coming","holdMilliseconds":3000,"placements":[{"id":"onboarding"}]}"#)
            await server.clock.waitForSleeper()
            server.clock.advance(by: .seconds(3))

            let linesLast = try await lines.last
            #expect(linesLast == .end(.holdOver))
        }
    }

    @Test("The phone's report that no token comes wakes the same stream and ends it")
    func tokenNone() async throws {
        try await TestServer.run { server in
            async let lines = server.firstOpen(
                #"{"adToken":"coming","holdMilliseconds":3000,"placements":[{"id":"onboarding"}]}"#)
            await server.clock.waitForSleeper()

            let report = try await server.send(.post, WirePath.adToken, #"{"none":"unsupported"}"#)

            #expect(report.status == .ok)
            let all = try await lines
            #expect(all.contains(.attribution(.unavailable(.unsupported))))
            #expect(all.last == .end(.final))
        }
    }

    @Test("An install id alone cannot end the install's stream")
    func stranger() async throws {
        try await TestServer.run { server in
            async let lines = server.firstOpen(#"{"adToken":"coming","holdMilliseconds":3000}"#)
            await server.clock.waitForSleeper()

            let stranger = try await server.send(
                .post, WirePath.firstOpen, #"{"adToken":"coming","holdMilliseconds":3000}"#, phone: Phone(secret: 8)
            )
            server.clock.advance(by: .seconds(3))

            #expect(stranger.problem?.code == .profileMismatch)
            let last = try await lines.last
            #expect(last == .end(.holdOver))
            #expect(server.services.holds.count == 0)
        }
    }

    @Test("An announced token is pending, even without a hold")
    func notHeld() async throws {
        try await TestServer.run { server in
            let lines = try await server.firstOpen(
                #"{"adToken":"coming","holdMilliseconds":0,"placements":[{"id":"onboarding"}]}"#)

            #expect(lines.contains(.attribution(.pending(nextAnswerNotBefore: 0))))
            #expect(lines.last == .end(.final))
        }
    }

    @Test("A token that overtakes its announcement is not waited for")
    func overtaken() async throws {
        try await TestServer.run { server in
            _ = try await server.send(.post, WirePath.adToken, #"{"value":"quick"}"#)
            try await server.services.database.write(.bulk, locking: [RowLock("apple_ads_exchange", [:])]) { connection in
                try connection.run(
                    """
                    INSERT INTO apple_ads_exchange (app_id, install_id, token_hash, state, reason, received_at_ms, finished_at_ms)
                    SELECT app_id, install_id, job_key, 'unavailable', 'invalidToken', created_at_ms, created_at_ms FROM job
                    """)
                try connection.run("DELETE FROM job")
            }
            server.clock.advance(by: .seconds(2))

            let lines = try await server.firstOpen(
                #"{"adToken":"coming","holdMilliseconds":3000,"placements":[{"id":"onboarding"}]}"#)

            #expect(lines.contains(.attribution(.unavailable(.invalidToken))))
            #expect(lines.last == .end(.final))
        }
    }

    @Test("A refusal names the field in the usual notation")
    func fieldPath() async throws {
        try await TestServer.run { server in
            let answer = try await server.send(.post, WirePath.firstOpen, #"{"placements":[{"id":"onboarding"},{}]}"#)

            #expect(answer.problem?.code == .invalidValue)
            #expect(answer.problem?.message.hasPrefix("'placements[1].id' is missing.") == true)
        }
    }

    @Test("Calls beside a stream that waits for a token wait for it too")
    func plainBeside() async throws {
        try await TestServer.run { server in
            let body = #"{"adToken":"coming","holdMilliseconds":3000,"placements":[{"id":"onboarding"}]}"#
            async let lines = server.firstOpen(body)
            await server.clock.waitForSleeper()

            let profile = try await server.send(.get, WirePath.profile).decoded(ProfileAnswer.self)
            let version = profile.profile.version
            async let paywall = server.send(.get, "/v1/placements/onboarding/paywall?after=\(version)&wait=9000")
            await server.clock.waitForSleepers(2)
            _ = try await server.send(.post, WirePath.adToken, #"{"none":"unsupported"}"#)

            #expect(profile.attribution == .pending(nextAnswerNotBefore: 0))
            let answer = try await paywall.decoded(PaywallAnswer.self)
            #expect(answer.final)
            let last = try await lines.last
            #expect(last == .end(.final))
        }
    }

    @Test("A newer stream of the same profile ends the older one")
    func replaced() async throws {
        try await TestServer.run { server in
            async let older = server.firstOpen(#"{"adToken":"coming","holdMilliseconds":3000}"#)
            await server.clock.waitForSleeper()
            async let newer = server.firstOpen(#"{"adToken":"coming","holdMilliseconds":3000}"#)

            let olderLast = try await older.last
            #expect(olderLast == .end(.replaced))
            await server.clock.waitForSleeper()
            server.clock.advance(by: .seconds(3))
            let newerLast = try await newer.last
            #expect(newerLast == .end(.holdOver))
        }
    }

    @Test("Above the node's limit a first open is answered and not held")
    func cap() async throws {
        try await TestServer.run(held: HeldLimits(node: 0)) { server in
            let lines = try await server.firstOpen(
                #"{"adToken":"coming","holdMilliseconds":3000,"placements":[{"id":"onboarding"}]}"#)

            #expect(lines.last == .end(.notHeld))
            #expect(lines.count == 4)
        }
    }

    @Test("A stopping server ends its streams with a line that says so, and holds no more")
    func stopping() async throws {
        try await TestServer.run { server in
            async let lines = server.firstOpen(#"{"adToken":"coming","holdMilliseconds":3000}"#)
            await server.clock.waitForSleeper()

            server.services.holds.stop()

            let linesLast = try await lines.last
            #expect(linesLast == .end(.stopping))
            let next = try await server.firstOpen(#"{"adToken":"coming","holdMilliseconds":3000}"#)
            #expect(next.last == .end(.notHeld))
        }
    }

    @Test("A held stream is never silent for more than five seconds")
    func heartbeat() async throws {
        try await TestServer.run { server in
            async let response = server.send(.post, WirePath.firstOpen, #"{"adToken":"coming","holdMilliseconds":12000}"#)
            for _ in 0..<2 {
                await server.clock.waitForSleeper()
                server.clock.advance(by: .seconds(5))
            }
            await server.clock.waitForSleeper()
            server.clock.advance(by: .seconds(2))

            let text = String(buffer: try await response.body)
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().filter(\.isEmpty).count == 2)
        }
    }

    @Test("After its end a stream holds no place")
    func released() async throws {
        try await TestServer.run { server in
            _ = try await server.firstOpen(#"{"holdMilliseconds":3000}"#)

            #expect(server.services.holds.count == 0)
        }
    }

    @Test(
        "Lists that are too long are refused",
        arguments: [
            (
                #"{"placements":["# + Array(repeating: #"{"id":"a"}"#, count: 33).joined(separator: ",") + "]}",
                ErrorCode.invalidValue
            ),
            (#"{"adToken":{"value":""}}"#, .invalidValue), (#"{"adToken":{"value":"with space"}}"#, .invalidValue),
            (#"{"adToken":"soon"}"#, .invalidValue),
        ])
    func limits(body: String, code: ErrorCode) async throws {
        try await TestServer.run { server in
            let response = try await server.send(.post, WirePath.firstOpen, body)

            #expect(response.status == .badRequest)
            #expect(response.problem?.code == code)
        }
    }
}
