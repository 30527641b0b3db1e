// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#endif

@testable import Landfall

@Suite("File storage", .timeLimit(.minutes(1)))
final class FileStorageTests {
    let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("landfall-\(UUID().uuidString)").appendingPathComponent("deep/er")

    deinit { try? FileManager.default.removeItem(at: directory.deletingLastPathComponent().deletingLastPathComponent()) }

    func file(_ name: String) -> URL { directory.appendingPathComponent(name) }
    func names() throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: directory.path)) }

    @Test("touches no disk before it is used, then makes its directory")
    func laziness() async throws {
        let storage = FileStorage(directory: directory)
        #expect(!FileManager.default.fileExists(atPath: directory.path))

        try await storage.write(Data("a".utf8), to: .install)

        #expect(try await storage.read(.install) == Data("a".utf8))
        #expect(try names() == ["install.json", "lock"])
    }

    @Test("reads nil for an absent file, and throws for one that it cannot read")
    func absentOrUnreadable() async throws {
        let storage = FileStorage(directory: directory)
        #expect(try await storage.read(.install) == nil)

        try FileManager.default.createDirectory(at: file("install.json"), withIntermediateDirectories: true)

        await #expect(throws: (any Error).self) { try await storage.read(.install) }
    }

    @Test("throws if its directory cannot be created, and does not say that a file is absent")
    func noDirectory() async throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: file("file"))
        let storage = FileStorage(directory: file("file").appendingPathComponent("below"))

        await #expect(throws: (any Error).self) { try await storage.read(.install) }
        await #expect(throws: (any Error).self) { try await storage.open(.outbox) }
    }

    @Test("replaces a file as a whole: a reader sees the old or the new, never a mixture")
    func atomicReplacement() async throws {
        let storage = FileStorage(directory: directory)
        let old = Data(repeating: 1, count: 100_000), new = Data(repeating: 2, count: 150_000)
        try await storage.write(old, to: .paywalls)

        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for index in 0..<200 { try await storage.write(index.isMultiple(of: 2) ? new : old, to: .paywalls) }
            }
            group.addTask {
                for _ in 0..<200 {
                    let read = try #require(try await storage.read(.paywalls))
                    #expect(read == old || read == new)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("works as before after a kill in the middle of a replacement")
    func leftover() async throws {
        try await FileStorage(directory: directory).write(Data("whole".utf8), to: .profile)
        try Data("ha".utf8).write(to: file("profile.json.new"))
        let storage = FileStorage(directory: directory)

        #expect(try await storage.read(.profile) == Data("whole".utf8))
        try await storage.write(Data("x".utf8), to: .profile)
        #expect(try await storage.read(.profile) == Data("x".utf8))
        #expect(try names() == ["profile.json", "lock"])
    }

    @Test("appends from many threads without mixing lines")
    func concurrentAppends() async throws {
        let storage = FileStorage(directory: directory)
        let file = try await storage.open(.outbox)

        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for line in 0..<100 {
                        try file.append(Data("\(writer) \(line) \(String(repeating: "x", count: 500))\n".utf8))
                    }
                }
            }
            try await group.waitForAll()
        }

        let lines = String(decoding: try #require(try await storage.read(.outbox)), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 800)
        #expect(lines.allSatisfy { $0.hasSuffix(String(repeating: "x", count: 500)) && $0.count < 510 })
    }

    @Test("opens an existing file without changing its content; an append to a removed file does not bring it back")
    func opening() async throws {
        let storage = FileStorage(directory: directory)
        try await storage.open(.outbox).append(Data("a\n".utf8))
        let second = try await storage.open(.outbox)
        try second.append(Data("b\n".utf8))
        #expect(try await storage.read(.outbox) == Data("a\nb\n".utf8))

        try await storage.remove(.outbox)
        try second.append(Data("to nobody's use\n".utf8))
        #expect(try await storage.read(.outbox) == nil)
        #expect(!(try await storage.names()).contains(.outbox))
    }

    @Test("has one owner: a second one gets an error, and the directory after the first has ended")
    func twoOwners() async throws {
        var first: FileStorage? = FileStorage(directory: directory)
        let second = FileStorage(directory: directory)
        try await first?.write(Data("first".utf8), to: .profile)

        let refused = StorageUnavailable.inUse(directory: directory.path)
        await #expect(throws: refused) { try await second.read(.profile) }
        await #expect(throws: refused) { try await second.open(.outbox) }
        await #expect(throws: refused) { try await second.write(Data(), to: .profile) }
        #expect(refused.description.contains("FileStorage(directory:)"))

        first = nil
        #expect(try await second.read(.profile) == Data("first".utf8))
    }

    @Test("refuses at once if another process owns the directory, although an owner of this process would be waited for")
    func otherProcess() async throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data("1".utf8).write(to: file("lock"))
        let other = try OpenFile(file("lock").path, O_RDWR)
        #expect(other.lockIfFree())
        let storage = FileStorage(directory: directory, isForbidden: false, patience: 50)

        let begun = ContinuousClock.now
        await #expect(throws: StorageUnavailable.inUse(directory: directory.path)) { try await storage.read(.profile) }

        #expect(begun.duration(to: .now) < .seconds(25))
    }

    @Test("waits a moment for an owner that is ending, and closes after all earlier work")
    func change() async throws {
        let first = FileStorage(directory: directory)
        let second = FileStorage(directory: directory, isForbidden: false, patience: 50)
        try await first.write(Data("first".utf8), to: .profile)

        async let read = second.read(.profile)
        async let written: Void = first.write(Data("last".utf8), to: .profile)
        try await written
        await first.close()

        #expect(["first", "last"].contains(try await read.map { String(decoding: $0, as: UTF8.self) }))
        #expect(try await second.read(.profile) == Data("last".utf8))
        await second.close()
        #expect(try await first.read(.profile) == Data("last".utf8))
    }

    @Test("refuses an app extension that has no directory of its own")
    func appExtension() async throws {
        let storage = FileStorage(directory: directory, isForbidden: true)

        await #expect(throws: StorageUnavailable.appExtension) { try await storage.read(.install) }
        #expect(!FileManager.default.fileExists(atPath: directory.path))
    }

    @Test("keeps a broken file beside the good ones")
    func aside() async throws {
        let storage = FileStorage(directory: directory)
        try await storage.write(Data("{".utf8), to: .profile)

        try await storage.setAside(.profile)
        try await storage.setAside(.profile)

        #expect(try await storage.read(.profile) == nil)
        #expect(try Data(contentsOf: file("profile.json.broken")) == Data("{".utf8))
    }

    @Test("lets nobody else on the machine read its files")
    func permissions() async throws {
        let storage = FileStorage(directory: directory)
        try await storage.write(Data(), to: .install)
        try await storage.open(.outbox).append(Data("a".utf8))

        for name in ["install.json", "outbox.jsonl"] {
            let mode = try FileManager.default.attributesOfItem(atPath: file(name).path)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o600)
        }
    }
}
