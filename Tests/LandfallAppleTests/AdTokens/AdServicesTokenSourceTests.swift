// SPDX-License-Identifier: Apache-2.0
#if canImport(AdServices) && os(Linux)  // The stand-in: Apple's own module takes no script.
import AdServices
import Foundation
import LandfallApple
import LandfallTesting
import Testing

/// One after the other, because the script belongs to the process.
@Suite("AdServices as token source", .serialized, .timeLimit(.minutes(1)))
struct AdServicesTokenSourceTests {
    let clock = ManualClock()
    let calls = Locked(0)

    @Test("blocks no thread that Swift's tasks run on, however many calls hang")
    func threads() async throws {
        let mayReturn = DispatchSemaphore(value: 0)
        let (arrivals, arrived) = AsyncStream<Bool>.makeStream()
        AdServicesScript.current = {
            arrived.yield(Thread.isMainThread)
            mayReturn.wait()
            return "token"
        }
        let count = 2 * ProcessInfo.processInfo.activeProcessorCount + 2
        let callers = (0..<count).map { _ in Task { try await AdServicesTokenSource().token() } }

        var onMainThread: [Bool] = []
        for await isMain in arrivals.prefix(count) { onMainThread.append(isMain) }
        let others = await Task.detached { true }.value
        for _ in callers { mayReturn.signal() }

        #expect(others)
        #expect(onMainThread == Array(repeating: false, count: count))
        for caller in callers { #expect(try await caller.value == "token") }
    }

    @Test(
        "maps Apple's codes: 3 is final, 1 is the network, anything else is worth another try",
        arguments: [
            (AAAttributionError.Code.platformNotSupported, AdTokenError.unsupported), (.networkError, .network),
            (.internalError, .failed("AdServices answered with error 2")),
        ])
    func errors(code: AAAttributionError.Code, expected: AdTokenError) async {
        AdServicesScript.current = { throw AAAttributionError(code) }

        await #expect(throws: expected) { try await AdServicesTokenSource().token() }
    }

    @Test(
        "abandons a call that hangs at the limit, starts no second one meanwhile, and gives its late token to the next caller"
    )
    func hang() async throws {
        let mayReturn = DispatchSemaphore(value: 0)
        AdServicesScript.current = { [calls] in
            calls.withLock { $0 += 1 }
            mayReturn.wait()
            return "late"
        }
        let source = AdServicesTokenSource(limit: .seconds(10), time: clock.time)
        for _ in 1...2 {
            let caller = Task { try await source.token() }
            await clock.waitForSleeper()
            clock.advance(by: .seconds(10))
            await #expect(throws: AdTokenError.self) { try await caller.value }
        }
        mayReturn.signal()

        // Joins the call that is ending, or uses its result: both without a second call to Apple.
        #expect(try await source.token() == "late")
        #expect(calls.withLock { $0 } == 1)
    }

    @Test("shares one call among all simultaneous callers")
    func sharing() async throws {
        let mayReturn = DispatchSemaphore(value: 0)
        AdServicesScript.current = { [calls] in
            calls.withLock { $0 += 1 }
            mayReturn.wait()
            return "token"
        }
        let source = AdServicesTokenSource(time: clock.time)
        let callers = (1...20).map { _ in Task { try await source.token() } }
        await clock.waitForSleepers(20)
        callers[0].cancel()
        await #expect(throws: CancellationError.self) { try await callers[0].value }

        mayReturn.signal()

        for caller in callers.dropFirst() { #expect(try await caller.value == "token") }
        #expect(calls.withLock { $0 } == 1)
        #expect(clock.sleeperCount == 0)
    }

    @Test("asks again for every token, and after a failure")
    func again() async throws {
        AdServicesScript.current = { [calls] in
            let call = calls.withLock {
                $0 += 1; return $0
            }
            if call == 1 { throw AAAttributionError(.networkError) }
            return "token \(call)"
        }
        let source = AdServicesTokenSource()

        await #expect(throws: AdTokenError.network) { try await source.token() }
        #expect(try await source.token() == "token 2")
        #expect(try await source.token() == "token 3")
    }
}
#endif
