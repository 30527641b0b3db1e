// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallStore

@Suite("A cancelled caller withdraws only what has not begun", .timeLimit(.minutes(1)))
struct CancellationTests {
    @Test("A waiting unit is withdrawn at once, while the writer is still busy")
    func withdrawn() async throws {
        let store = try await TemporaryStore()
        let gate = DispatchSemaphore(value: 0)
        let first = try await store.occupyWriter(until: gate)
        let second = Task { [database = store.database] in try await database.write { try $0.run(insert(1)) } }
        await store.waitForWaiting(1)

        second.cancel()

        await #expect(throws: CancellationError.self) { try await second.value }
        gate.signal()
        try await first.value
        #expect(try await store.ids() == [0])
    }
}
