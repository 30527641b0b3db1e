// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import Testing

@Suite("Storage in memory", .timeLimit(.minutes(1)))
struct MemoryStorageTests {
    let storage = MemoryStorage()

    @Test("reads nil for an absent file, and throws while it is locked")
    func locked() throws {
        #expect(try storage.read(.install) == nil)

        storage.isLocked = true
        #expect(throws: MemoryStorage.Failure.locked) { try storage.read(.install) }
        #expect(throws: MemoryStorage.Failure.locked) { try storage.append(Data([1]), to: .outbox) }
    }

    @Test("lets another process append and not replace")
    func otherProcess() throws {
        let other = storage.asSeenByAnotherProcess()
        try storage.append(Data("a".utf8), to: .outbox)
        try other.append(Data("b".utf8), to: .outbox)

        #expect(throws: MemoryStorage.Failure.notOwner) { try other.write(Data(), to: .outbox) }
        #expect(try storage.read(.outbox) == Data("ab".utf8))
    }

    @Test("keeps a broken file aside")
    func aside() throws {
        try storage.write(Data("x".utf8), to: .profile)
        try storage.setAside(.profile)

        #expect(try storage.read(.profile) == nil)
        #expect(storage.filesSetAside == [.profile: Data("x".utf8)])
    }
}
