// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import NIOCore
import Testing

@testable import LandfallServer

@Suite("A node that is about to stop", .timeLimit(.minutes(1)))
struct DrainingTests {
    /// Ends by cancellation only.
    private static func endless() async throws {
        let (never, _) = AsyncStream.makeStream(of: Void.self)
        for await _ in never {}
        throw CancellationError()
    }

    @Test("ends the long work that runs, and says so", arguments: [true, false])
    func ends(isSaidBefore: Bool) async throws {
        let draining = Draining()
        if isSaidBefore { draining.begin() }
        let begun = AsyncStream.makeStream(of: Void.self)
        let work = Task {
            try await draining.ending {
                begun.continuation.finish()
                try await Self.endless()
            }
        }
        if !isSaidBefore {
            for await _ in begun.stream {}
            draining.begin()
        }

        let error = await #expect(throws: Draining.Stopping.self) { try await work.value }

        #expect(error?.code == .busy)
        #expect(error?.description.contains("stopping") == true)
    }

    @Test("does not change the result of finished work, or the work's own errors")
    func over() async throws {
        let draining = Draining()

        let seven = try await draining.ending { 7 }
        let failing: @Sendable () async throws -> Void = { throw CancellationError() }

        #expect(seven == 7)
        await #expect(throws: CancellationError.self) { try await draining.ending(failing) }
    }

    @Test("A probe is answered in time although the disk hangs, and a healthy one later")
    func hungDisk() async throws {
        let faults = StoreFaults()
        try await TestServer.run(patience: .seconds(2), faults: faults) { server in
            faults.writes(.hang)
            async let asked = server.send(.get, "/readyz", phone: nil, key: nil)
            await server.clock.waitForSleeper()
            server.clock.advance(by: .seconds(2))

            let answer = try await asked

            #expect(answer.status == .serviceUnavailable)
            #expect(String(buffer: answer.body).contains("disk may hang"))
            faults.heal()
            #expect(try await server.send(.get, "/readyz", phone: nil, key: nil).status == .ok)
        }
    }
}
