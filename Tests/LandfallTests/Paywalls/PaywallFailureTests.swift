// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("A paywall call where something fails", .timeLimit(.minutes(1)))
struct PaywallFailureTests {
    let phone = Phone()

    @Test("Server slow at everything: the bundled paywall, at the deadline")
    func slowToBundle() async throws {
        phone.firstOpen { try await phone.never() }
        phone.plain { _ in try await phone.never() }
        let client = phone.app { $0.fallback = .bundle }
        client.start()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        await client.waitForCalls()
        await phone.waitForFirstOpen()

        await phone.pass(.seconds(5))

        let result = try await shown.value
        #expect(result.paywall?.name == .bundled)
        #expect(result.origin == .bundled)
        #expect(result.elapsed == .seconds(5))
        #expect(result.revision == 3)
        await client.shutdown()
    }

    @Test("Server slow at everything: the stored default before the bundled one")
    func slowToCache() async throws {
        phone.plain { _ in try .json(PaywallAnswer.everyone()) }
        try phone.streams(.undecided)
        let before = phone.app()
        before.start()
        _ = try await before.defaultPaywall(for: .onboarding)
        await phone.filesHold { $0.contains("default") }
        await phone.waitForFirstOpen()
        await before.shutdown()
        phone.forgetTargeting()
        phone.firstOpen { try await phone.never() }
        phone.plain { _ in try await phone.never() }

        let client = phone.app { $0.fallback = .bundle }
        client.start()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        await client.waitForCalls()
        await phone.waitForFirstOpen(count: 2)
        await phone.pass(.seconds(5))

        let result = try await shown.value
        #expect(result.paywall?.name == .default)
        #expect(result.origin == .cache(age: .seconds(5)))
        #expect(result.elapsed == .seconds(5))
        await client.shutdown()
    }

    @Test("Targeted fails with 500: the default, once no other try can come in time")
    func targetedFails() async throws {
        phone.firstOpen { try .problem(500, .internalError) }
        phone.plain { $0 == .default ? try .json(PaywallAnswer.everyone()) : try .problem(500, .internalError) }
        let client = phone.app()
        client.start()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        await client.waitForCalls()
        await phone.waitForPlain(count: 2)

        await phone.pass(.seconds(5))

        let result = try await shown.value
        #expect(result.paywall?.name == .default)
        #expect(result.origin == .defaultAudience)
        #expect(result.elapsed < .seconds(5))
        await client.shutdown()
    }

    @Test("The default fails, the targeted one comes in time: the targeted one")
    func defaultFails() async throws {
        let gate = ScriptedBody()
        phone.firstOpen { try .problem(503, .busy) }
        phone.plain { $0 == .default ? try .problem(500, .internalError) : ScriptedAnswer(body: gate) }
        let client = phone.app()
        client.start()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        await client.waitForCalls()
        await gate.waitForReader()
        await phone.pass(.seconds(3))

        gate.send(try WireCoding.encode(PaywallAnswer.targeted()))
        gate.finish()

        #expect(try await shown.value.paywall?.name == .appleAds)
        await client.shutdown()
    }

    @Test("The stream says nothing: the plain call beside it answers")
    func silentStream() async throws {
        try phone.streams()
        phone.plain { _ in try .json(PaywallAnswer.untargeted(final: true)) }
        let client = phone.app()
        client.start()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(4)) }
        await client.waitForCalls()
        await phone.waitForFirstOpen()
        #expect(phone.plainRequests.isEmpty)

        await phone.pass(.seconds(1))

        let result = try await shown.value
        #expect(result.paywall?.name == .default)
        #expect(result.elapsed == .seconds(1))
        await client.shutdown()
    }

    @Test("A stream that breaks after its first line is replaced once, at once")
    func brokenStream() async throws {
        let first = try phone.streams(.undecided)
        let client = phone.app()
        client.start()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        await client.waitForCalls()
        await client.waitForProfile()
        try phone.streams(.becomesTargeted)

        // An answer of the same instant as the new stream would count as newer than it.
        phone.clock.advance(by: .milliseconds(1))
        first.fail()

        #expect(try await shown.value.paywall?.name == .appleAds)
        #expect(phone.firstOpenRequests.count == 2)
        #expect(phone.plainRequests.isEmpty)
        await client.shutdown()
    }

    @Test("A transport that ignores cancellation: still at the deadline, and the client still ends")
    func deafTransport() async throws {
        phone.server.ignoresCancellation = true
        let never = ScriptedTokenOfTime()
        phone.firstOpen {
            await never.wait(); return try .problem(500, .internalError)
        }
        phone.plain { _ in
            await never.wait(); return try .problem(500, .internalError)
        }
        let client = phone.app { $0.fallback = .bundle }
        client.start()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(2)) }
        await client.waitForCalls()
        await phone.waitForFirstOpen()

        await phone.pass(.seconds(2))

        let result = try await shown.value
        #expect(result.paywall?.name == .bundled)
        #expect(result.elapsed == .seconds(2))
        await client.shutdown()
        never.end()
    }

    @Test("A cancelled caller returns at once, and nothing runs or is requested for it any more")
    func cancelled() async throws {
        phone.firstOpen { try .problem(500, .internalError) }
        phone.plain { _ in try await phone.never() }
        let client = phone.app()
        client.start()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(60)) }
        await client.waitForCalls()
        await phone.waitForPlain()

        shown.cancel()

        await #expect(throws: CancellationError.self) { try await shown.value }
        #expect(client.runningOperations == 0)
        await phone.server.waitUntilIdle()
        let plainBefore = phone.plainRequests.count
        await phone.pass(.seconds(60))
        #expect(phone.plainRequests.count == plainBefore)
        await client.shutdown()
    }

    @Test("One of two callers is cancelled: the other still gets the answer of the shared request")
    func sharedFetchLivesOn() async throws {
        let gate = ScriptedBody()
        phone.firstOpen { try .problem(500, .internalError) }
        phone.plain { $0 == .default ? try .problem(500, .internalError) : ScriptedAnswer(body: gate) }
        let client = phone.app()
        client.start()
        let leaving = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        let staying = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        await client.waitForCalls()
        await gate.waitForReader()
        while client.runningOperations < 3, !Task.isCancelled { await Task.yield() }

        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        gate.send(try WireCoding.encode(PaywallAnswer.targeted()))
        gate.finish()

        #expect(try await staying.value.paywall?.name == .appleAds)
        await client.shutdown()
    }

    @Test("A first launch without a network: tried until the deadline, then the bundle")
    func offline() async throws {
        phone.server.isOffline = true
        let client = phone.app { $0.fallback = .bundle }
        client.start()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        while client.runningOperations == 0, !Task.isCancelled { await Task.yield() }

        await phone.pass(.seconds(5))

        let result = try await shown.value
        #expect(result.origin == .bundled)
        #expect(result.elapsed == .seconds(5))
        await client.shutdown()
    }

    @Test("After the server was reached once, a denied path ends a call's wait at once; with a path, calls wait again")
    func pathGoesAway() async throws {
        try phone.streams(.undecided)
        let client = phone.app { $0.fallback = .bundle }
        client.start()
        await client.waitForProfile()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        while client.runningOperations == 0, !Task.isCancelled { await Task.yield() }
        client.networkPathChanged(isSatisfied: false)
        await phone.pass(.seconds(1))
        #expect(client.runningOperations > 0, "A dead spot may end at any moment.")

        client.networkPathChanged(isSatisfied: false, isDenied: true)

        #expect(try await shown.value.elapsed == .seconds(1))
        client.networkPathChanged(isSatisfied: true)
        let later = Task { try await client.paywall(for: .onboarding, within: .seconds(4)) }
        while client.runningOperations == 0, !Task.isCancelled { await Task.yield() }
        await phone.pass(.seconds(1))
        #expect(client.runningOperations > 0)
        later.cancel()
        await client.shutdown()
    }

    @Test(
        "A first launch that waits for the person's permission to use the network keeps trying, and then gets its paywall",
        arguments: [true, false])
    func permission(isDenied: Bool) async throws {
        phone.server.isOffline = true
        let client = phone.app { $0.fallback = .bundle }
        client.networkPathChanged(isSatisfied: false, isDenied: isDenied)
        client.start()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        while client.runningOperations == 0, !Task.isCancelled { await Task.yield() }
        await phone.pass(.milliseconds(3_800))
        #expect(phone.firstOpenRequests.count >= 1)

        phone.server.isOffline = false
        try phone.streams(.becomesTargeted)
        client.networkPathChanged(isSatisfied: true)

        let result = try await shown.value
        #expect(result.paywall?.name == .appleAds)
        #expect(result.elapsed < .seconds(5))
        await client.shutdown()
    }

    @Test(
        "A time limit that is not a positive number of seconds counts as zero",
        arguments: [
            Duration(checked: .nan), Duration(checked: -1), .zero, .seconds(-3), Duration(checked: -.infinity),
        ])
    func noTime(limit: Duration) async throws {
        let client = phone.app { $0.fallback = .bundle }
        client.start()

        let result = try await client.paywall(for: .onboarding, within: limit)

        #expect(result.origin == .bundled)
        #expect(result.elapsed == .zero)
        await client.shutdown()
    }

    @Test(
        "Endless time limits end after a day",
        arguments: [
            Duration(checked: .infinity), Duration(checked: 1e30), .seconds(Int64.max),
        ])
    func endlessTime(limit: Duration) async throws {
        try phone.streams(.undecided)
        let client = phone.app()
        client.start()
        let shown = Task { try await client.paywall(for: .onboarding, within: limit) }
        await client.waitForCalls()
        await client.waitForProfile()
        await phone.clock.waitForSleeper()

        phone.clock.advance(by: .seconds(86_400))

        #expect(try await shown.value.elapsed == .seconds(86_400))
        await client.shutdown()
    }

    @Test("A deadline in the past returns what is available; a deadline in the future counts from now")
    func instants() async throws {
        let client = phone.app { $0.fallback = .bundle }
        client.start()

        let result = try await client.paywall(for: .onboarding, deadline: .now - .seconds(10))

        #expect(result.origin == .bundled)
        await client.shutdown()
    }

    @Test("Before start the call waits; after shutdown it throws")
    func outsideOfALaunch() async throws {
        try phone.streams(.undecided + .becomesTargeted)
        let client = phone.app()
        let early = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        while client.runningOperations == 0, !Task.isCancelled { await Task.yield() }

        client.start()

        #expect(try await early.value.paywall?.name == .appleAds)
        await client.shutdown()
        await #expect(throws: LandfallError(.shutDown)) { try await client.paywall(for: .onboarding) }
    }

    @Test("Never started: a typed error at the deadline")
    func neverStarted() async throws {
        let client = phone.app()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        await client.waitForCalls()
        await phone.clock.waitForSleeper()

        phone.clock.advance(by: .seconds(5))

        await #expect(throws: LandfallError(.notStarted)) { try await shown.value }
        #expect(phone.server.requests.isEmpty)
    }
}

/// Something to wait for that ignores cancellation.
final class ScriptedTokenOfTime: Sendable {
    private let stream = AsyncStream<Void>.makeStream()
    private let task: Task<Void, Never>

    init() {
        let stream = stream.stream
        task = Task { for await _ in stream {} }
    }

    func wait() async { await task.value }
    func end() { stream.continuation.finish() }
}
