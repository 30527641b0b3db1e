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
        #expect(throws: MemoryStorage.Failure.locked) { try storage.open(.outbox) }
    }

    @Test("appends to an open file for as long as it exists")
    func appends() throws {
        let file = try storage.open(.outbox)
        try file.append(Data("a".utf8))
        #expect(try storage.read(.outbox) == Data("a".utf8))
        #expect(try storage.names() == [.outbox])

        storage.isFull = true
        #expect(throws: MemoryStorage.Failure.full) { try file.append(Data("b".utf8)) }
        storage.isFull = false
        try storage.remove(.outbox)
        try file.append(Data("b".utf8))
        #expect(try storage.read(.outbox) == nil)
    }

    @Test("throws for every call if the files belong to somebody else")
    func unavailable() throws {
        storage.unavailable = .appExtension

        #expect(throws: StorageUnavailable.appExtension) { try storage.read(.install) }
        #expect(throws: StorageUnavailable.appExtension) { try storage.open(.outbox) }
    }

    @Test("keeps a broken file aside")
    func aside() throws {
        try storage.write(Data("x".utf8), to: .profile)
        try storage.setAside(.profile)

        #expect(try storage.read(.profile) == nil)
        #expect(storage.filesSetAside == [.profile: Data("x".utf8)])
    }
}
