// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("Room for a copy", .timeLimit(.minutes(1)))
struct CopyRoomTests {
    @Test("is the store, a twentieth of it or 16 MiB, and the 5 % below which a server on that disk refuses writes")
    func needed() {
        let small = CopyRoom(store: 1_000, free: 0, disk: 1 << 40, isServed: false)
        let large = CopyRoom(store: 100 << 30, free: 0, disk: 1 << 40, isServed: false)
        let own = CopyRoom(store: 100 << 30, free: 0, disk: 1 << 40, isServed: true)

        #expect(small.needed == 1_000 + (16 << 20))
        #expect(large.needed == 105 << 30)
        #expect(own.needed - large.needed == Int64(Double(1 << 40) * 0.05))
    }

    @Test("A copy that does not fit is not started, and leaves nothing", .enabled(if: OwnDisk.isAvailable, "needs the right to mount"))
    func small() async throws {
        let store = try await TemporaryStore()
        let disk = try OwnDisk(megabytes: 8)

        let error = await #expect(throws: StoreCopyError.self) {
            _ = try await store.database.copy(to: disk.path + "/copy.sqlite", isReplacing: false) { _, _ in Issue.record("It has begun.") }
        }

        guard case .noRoom(let folder, let needed, let free) = error else { throw error ?? StoreCopyError.damaged("nothing was refused") }
        #expect(folder == disk.path && needed > 16 << 20 && free <= 8 << 20)
        #expect(error?.description.contains("so the copy was not started") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == [])
    }
}
