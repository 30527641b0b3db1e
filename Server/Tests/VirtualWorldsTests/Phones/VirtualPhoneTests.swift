// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import Synchronization
import Testing

@testable import VirtualWorlds

@Suite("A virtual phone", .timeLimit(.minutes(1)))
struct VirtualPhoneTests {
    @Test("does nothing while its app is suspended")
    func suspended() {
        let clock = VirtualClock(), phone = PhoneClock(clock), happenedAt = Mutex<Duration?>(nil)
        phone.at(.seconds(1)) { [clock] in happenedAt.withLock { $0 = clock.elapsed } }

        phone.suspend(until: .seconds(9))
        while clock.advance() {}

        #expect(happenedAt.withLock { $0 } == .seconds(9))
    }

    @Test(
        "that is killed within an append has the first part of it on disk",
        arguments: [(0.0, "ab"), (0.5, "abcd"), (1, "abcdef")])
    func cut(share: Double, left: String) throws {
        let disk = PhoneDisk([.outbox: Data("ab".utf8)])
        disk.cutNextAppend(at: share)

        #expect(throws: PhoneDisk.Failure.cut) { try disk.open(.outbox).append(Data("cdef".utf8)) }

        #expect(disk.files[.outbox] == Data(left.utf8))
        #expect(!disk.isWritable)
    }

    @Test("that is locked can neither read nor write files; one with a full disk can read them")
    func refused() throws {
        let disk = PhoneDisk([.outbox: Data("ab".utf8)])

        disk.isFull = true
        #expect(try disk.read(.outbox) == Data("ab".utf8))
        #expect(throws: PhoneDisk.Failure.full) { try disk.write(Data(), to: .outbox) }

        disk.isLocked = true
        #expect(throws: PhoneDisk.Failure.locked) { try disk.read(.outbox) }
    }
}
