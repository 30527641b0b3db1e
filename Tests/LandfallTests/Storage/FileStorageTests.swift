// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import Testing

@Suite("File storage", .timeLimit(.minutes(1)))
final class FileStorageTests {
    let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("landfall-\(UUID().uuidString)").appendingPathComponent("deep/er")

    deinit { try? FileManager.default.removeItem(at: directory.deletingLastPathComponent().deletingLastPathComponent()) }

    func file(_ name: String) -> URL { directory.appendingPathComponent(name) }
    func names() throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: directory.path)) }

    @Test("touches no disk before it is used, then makes its directory")
    func laziness() throws {
        let storage = FileStorage(directory: directory)
        #expect(!FileManager.default.fileExists(atPath: directory.path))

        try storage.write(Data("a".utf8), to: .install)

        #expect(try storage.read(.install) == Data("a".utf8))
        #expect(try names() == ["install.json", "lock"])
    }

    @Test("reads nil for an absent file, and throws for one that it cannot read")
    func absentOrUnreadable() throws {
        let storage = FileStorage(directory: directory)
        #expect(try storage.read(.install) == nil)

        try FileManager.default.createDirectory(at: file("install.json"), withIntermediateDirectories: true)

        #expect(throws: (any Error).self) { try storage.read(.install) }
    }

    @Test("throws, and makes nothing up, where its directory cannot be made")
    func noDirectory() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: file("file"))
        let storage = FileStorage(directory: file("file").appendingPathComponent("below"))

        #expect(throws: (any Error).self) { try storage.read(.install) }
        #expect(throws: (any Error).self) { try storage.append(Data("a".utf8), to: .outbox) }
        #expect(!storage.isOwner)
    }

    @Test("replaces a file as a whole: a reader sees the old or the new, never a mixture")
    func atomicReplacement() async throws {
        let storage = FileStorage(directory: directory)
        let old = Data(repeating: 1, count: 100_000), new = Data(repeating: 2, count: 150_000)
        try storage.write(old, to: .paywalls)

        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for index in 0..<200 { try storage.write(index.isMultiple(of: 2) ? new : old, to: .paywalls) } }
            group.addTask {
                for _ in 0..<200 {
                    let read = try #require(try storage.read(.paywalls))
                    #expect(read == old || read == new)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("is not confused by what a kill in the middle of a replacement leaves")
    func leftover() throws {
        try FileStorage(directory: directory).write(Data("whole".utf8), to: .profile)
        try Data("ha".utf8).write(to: file("profile.json.new"))
        let storage = FileStorage(directory: directory)

        #expect(try storage.read(.profile) == Data("whole".utf8))
        try storage.write(Data("x".utf8), to: .profile)
        #expect(try storage.read(.profile) == Data("x".utf8))
        #expect(try names() == ["profile.json", "lock"])
    }

    @Test("appends from many threads without mixing lines")
    func concurrentAppends() async throws {
        let storage = FileStorage(directory: directory)

        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for line in 0..<100 {
                        try storage.append(Data("\(writer) \(line) \(String(repeating: "x", count: 500))\n".utf8), to: .outbox)
                    }
                }
            }
            try await group.waitForAll()
        }

        let lines = String(decoding: try #require(try storage.read(.outbox)), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 800)
        #expect(lines.allSatisfy { $0.hasSuffix(String(repeating: "x", count: 500)) && $0.count < 510 })
    }

    @Test("appends to the new file after the old one was replaced or removed")
    func appendAfterReplacement() throws {
        let storage = FileStorage(directory: directory)
        try storage.append(Data("a\n".utf8), to: .outbox)
        try storage.write(Data("b\n".utf8), to: .outbox)
        try storage.append(Data("c\n".utf8), to: .outbox)
        #expect(try storage.read(.outbox) == Data("b\nc\n".utf8))

        try storage.remove(.outbox)
        #expect(try storage.read(.outbox) == nil)
        try storage.append(Data("d\n".utf8), to: .outbox)
        #expect(try storage.read(.outbox) == Data("d\n".utf8))
    }

    @Test("has one owner; the second only appends, and waits for nobody")
    func twoOwners() throws {
        let first = FileStorage(directory: directory), second = FileStorage(directory: directory)
        try first.append(Data("first\n".utf8), to: .outbox)

        #expect(first.isOwner)
        #expect(!second.isOwner)
        #expect(throws: (any Error).self) { try second.write(Data(), to: .install) }
        #expect(throws: (any Error).self) { try second.remove(.outbox) }
        #expect(throws: (any Error).self) { try second.setAside(.outbox) }
        try second.append(Data("second\n".utf8), to: .outbox)
        #expect(try second.read(.outbox) == Data("first\n".utf8))
    }

    @Test("adopts what others appended, once they are gone")
    func adoption() throws {
        var first: FileStorage? = FileStorage(directory: directory)
        try first?.append(Data("first\nhalf a li".utf8), to: .outbox)
        var second: FileStorage? = FileStorage(directory: directory)
        try second?.append(Data("second\n".utf8), to: .outbox)
        first = nil

        var third: FileStorage? = FileStorage(directory: directory)
        #expect(try third?.read(.outbox) == Data("first\nhalf a li".utf8))
        second = nil
        third = nil

        let fourth = FileStorage(directory: directory)
        #expect(try fourth.read(.outbox) == Data("first\nhalf a li\nsecond\n".utf8))
        #expect(try names() == ["outbox.jsonl", "lock"])
    }

    @Test("becomes the owner when the one before has gone, and keeps what it had appended until then")
    func succession() throws {
        var first: FileStorage? = FileStorage(directory: directory)
        try first?.append(Data("a\n".utf8), to: .outbox)
        let second = FileStorage(directory: directory)
        try second.append(Data("b\n".utf8), to: .outbox)

        first = nil

        #expect(second.isOwner)
        try second.append(Data("c\n".utf8), to: .outbox)
        #expect(try second.read(.outbox) == Data("a\n\nb\nc\n".utf8))
    }

    @Test("keeps a broken file beside the good ones")
    func aside() throws {
        let storage = FileStorage(directory: directory)
        try storage.write(Data("{".utf8), to: .profile)

        try storage.setAside(.profile)
        try storage.setAside(.profile)

        #expect(try storage.read(.profile) == nil)
        #expect(try Data(contentsOf: file("profile.json.broken")) == Data("{".utf8))
    }

    @Test("lets nobody else on the machine read its files")
    func permissions() throws {
        let storage = FileStorage(directory: directory)
        try storage.write(Data(), to: .install)
        try storage.append(Data("a".utf8), to: .outbox)

        for name in ["install.json", "outbox.jsonl"] {
            let mode = try FileManager.default.attributesOfItem(atPath: file(name).path)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o600)
        }
    }
}
