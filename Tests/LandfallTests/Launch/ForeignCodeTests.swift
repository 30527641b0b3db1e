// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

/// An app's own parts may call the client, and take their time: nothing of the client's is locked meanwhile.
@Suite("An app's own code, called by the client", .timeLimit(.minutes(1)))
struct ForeignCodeTests {
    let phone = Phone()
    let own = OwnCode()

    @Test("A transport's cancellation handler may call the client")
    func cancellationHandler() async throws {
        try phone.streams([])
        phone.plain { [phone] _ in try await phone.never() }
        let transport = AskingTransport(server: phone.server, own: own)
        let client = phone.app(preparing: []) { $0.transport = transport }
        own.use(client)
        client.start()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        await client.waitForCalls()
        await phone.waitForFirstOpen()
        await phone.pass(.seconds(2))
        await phone.waitForPlain()

        shown.cancel()

        await #expect(throws: CancellationError.self) { try await shown.value }
        await phone.settle()
        #expect(own.calls > 0 && !own.foundLock)
        await client.shutdown()
    }

    @Test("The clock, the calendar, the random source and the log may call the client", arguments: OwnPart.allCases)
    func parts(part: OwnPart) async throws {
        // An assignment: its decision is accepted while the state changes.
        try phone.streams(.assigned("B"))
        phone.takesEvents()
        let own = own, clock = phone.clock
        let client = phone.app { configuration in
            switch part {
            case .clock: configuration.time = LandfallTime(AskingClock(clock: clock, own: own), date: { clock.date })
            case .calendar:
                configuration.time = LandfallTime(clock) {
                    own.ask()
                    return clock.date
                }
            case .random:
                configuration.randomBytes = { count in
                    own.ask()
                    return [UInt8](repeating: UInt8(truncatingIfNeeded: own.calls), count: count)
                }
            case .log: configuration.log = { _ in own.ask() }
            }
        }
        own.use(client)
        client.start()
        let shown = try await client.paywall(for: .onboarding)
        client.receive(.scheme("beach"))
        client.receive(URL(string: "javascript:alert(1)")!)
        await phone.pass(.seconds(1))

        #expect(own.calls > 0 && !own.foundLock)
        #expect(shown.assignment == .spring("B"))
        #expect(try phone.events.map(\.type) == [.paywallDecided])
        await client.shutdown()
    }

    @Test("The clock may call the client while a request of the outbox fails")
    func failingRequest() async throws {
        try phone.streams(.undecided)
        let clock = AskingClock(clock: phone.clock, own: own)
        let client = phone.app { $0.time = LandfallTime(clock) }
        own.use(client)
        client.start()
        await client.waitForProfile()

        try client.setAttributes(["plan": "pro"])
        await phone.pass(.seconds(1))
        await phone.eventually { client.explain().errands.contains { $0.lastError != nil } }

        #expect(!own.foundLock)
        await client.shutdown()
    }

    @Test("The deadline timer of a background call has at least the default priority")
    func priority() async throws {
        try phone.streams([])
        phone.plain { [phone] _ in try await phone.never() }
        let clock = AskingClock(clock: phone.clock, own: own)
        let client = phone.app { $0.time = LandfallTime(clock) }
        client.start()
        await phone.waitForFirstOpen()
        own.forget()

        let isOver = Locked(false)
        let shown = Task.detached(priority: .background) {
            defer { isOver.withLock { $0 = true } }
            return try await client.paywall(for: .onboarding, within: .seconds(5))
        }
        // On a busy machine a background task begins late.
        while !isOver.withLock({ $0 }), !Task.isCancelled { await phone.pass(.seconds(1)) }

        #expect(!own.priorities.isEmpty)
        #expect(own.priorities.allSatisfy { $0 >= .medium })
        await #expect(throws: LandfallError.self) { try await shown.value }
        await client.shutdown()
    }

    @Test("Time never goes back for the client, whichever thread comes first")
    func monotonic() async throws {
        let client = phone.app()
        phone.clock.advance(by: .seconds(2))
        client.launch.change { state, at in #expect(at.now == .seconds(2)) }
        var late = LandfallConfiguration(sdkKey: "pk", server: URL(string: "https://api.example.com")!)
        let readings = Locked<[Duration]>([.seconds(1), .seconds(5), .seconds(3)])
        late.time = LandfallTime(ReadClock(readings: readings))
        late.storage = MemoryStorage()
        let launch = Launch(late)

        let seen = (0..<2).map { _ in launch.change { _, at in at.now } }

        #expect(seen == [.seconds(4), .seconds(4)])
        await client.shutdown()
        await launch.shutdown(within: .seconds(5))
    }
}

enum OwnPart: CaseIterable { case clock, calendar, random, log }

/// The app's own parts: they call the client.
final class OwnCode: Sendable {
    private let client = Locked<LandfallClient?>(nil)
    private let count = Locked(0)
    private let seen = Locked<[TaskPriority]>([])
    private let found = Locked(false)

    var calls: Int { count.withLock { $0 } }
    /// A call of the client did not return: the client held a lock meanwhile.
    var foundLock: Bool { found.withLock { $0 } }
    var priorities: [TaskPriority] { seen.withLock { $0 } }

    func use(_ client: LandfallClient) { self.client.withLock { $0 = client } }
    func notePriority() { seen.withLock { $0.append(Task.currentPriority) } }
    func forget() { seen.withLock { $0 = [] } }

    func ask() {
        guard let client = client.withLock({ $0 }) else { return }
        count.withLock { $0 += 1 }
        // On another thread: on this one, a lock that is held would end the test without a word.
        let returned = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = client.attribution
            _ = client.collection
            returned.signal()
        }
        if !foundLock, returned.wait(timeout: .now() + 5) == .timedOut { found.withLock { $0 = true } }
    }
}

private struct AskingTransport: Transport {
    let server: ScriptedTransport
    let own: OwnCode

    func send(_ request: TransportRequest) async throws -> TransportAnswer {
        try await withTaskCancellationHandler {
            try await server.send(request)
        } onCancel: {
            own.ask()
        }
    }
}

private struct AskingClock: Clock {
    let clock: ManualClock
    let own: OwnCode

    var now: ManualClock.Instant {
        own.ask()
        return clock.now
    }
    var minimumResolution: Duration { clock.minimumResolution }
    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        own.notePriority()
        try await clock.sleep(until: deadline, tolerance: tolerance)
    }
}

/// A clock that returns its readings one after the other, and then always the last one.
private struct ReadClock: Clock {
    let readings: Locked<[Duration]>

    var now: ManualClock.Instant {
        readings.withLock { readings in
            .init(offset: readings.count > 1 ? readings.removeFirst() : readings[0])
        }
    }
    var minimumResolution: Duration { .nanoseconds(1) }
    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws { try await Task.sleep(for: .days(1)) }
}
