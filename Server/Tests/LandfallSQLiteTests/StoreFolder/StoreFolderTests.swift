// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("The folder of a store", .timeLimit(.minutes(1)))
struct StoreFolderTests {
    @Test("It is created for its user only, and so is every file in it")
    func isPrivate() async throws {
        let store = try await TemporaryStore()
        defer { withExtendedLifetime(store) {} }  // the folder goes with it
        _ = try await store.database.write { try $0.run(insert(1)) }

        let folder = StoreFolder(store.directory.path)

        #expect(folder.mode == 0o700)
        let names = folder.files.map { URL(filePath: $0.path).lastPathComponent }
        #expect(names == ["landfall.lock", "landfall.sqlite", "landfall.sqlite-shm", "landfall.sqlite-wal"])
        #expect(folder.files.allSatisfy { $0.mode == 0o600 })
    }

    @Test("Opening removes other users' access to files of the store; other files stay unchanged")
    func tightens() async throws {
        let store = try await TemporaryStore()
        defer { withExtendedLifetime(store) {} }  // the folder goes with it
        try await store.database.close()
        let folder = StoreFolder(store.directory.path)
        let foreign = store.directory.appending(path: "notes.txt").path
        try Data().write(to: URL(filePath: foreign))
        try Data().write(to: URL(filePath: folder.file("landfall.sqlite-wal")))
        for path in folder.files.map(\.path) + [foreign] { chmod(path, 0o644) }
        chmod(folder.path, 0o755)

        let again = try SQLiteDatabase(path: store.path, freeDiskShare: { 1 })

        #expect(folder.files.count >= 3)
        #expect(folder.files.allSatisfy { $0.mode == 0o600 })
        #expect(try FileManager.default.attributesOfItem(atPath: foreign)[.posixPermissions] as? Int == 0o644)
        #expect(folder.mode == 0o755)  // An administrator set it.
        try await again.close()
    }

    @Test("A store in use cannot be opened by another process; a closed one can")
    func lock() async throws {
        let store = try await TemporaryStore()
        defer { withExtendedLifetime(store) {} }  // the folder goes with it

        let error = #expect(throws: DatabaseError.self) { try SQLiteDatabase(path: store.path) }
        try await store.database.close()
        let next = try SQLiteDatabase(path: store.path)

        #expect(error == .inUse(folder: store.directory.path, process: Int(getpid())))
        #expect(error?.description.contains("is in use by process \(getpid()). Stop that process") == true)
        try await next.close()
    }

    #if os(Linux)
    @Test("It is free as soon as it is closed, even while a starting child process has copies of all descriptors")
    func copiedLock() async throws {
        let store = try await TemporaryStore()
        defer { withExtendedLifetime(store) {} }  // the folder goes with it
        let lock = URL(filePath: StoreFolder(store.directory.path).lock).resolvingSymlinksInPath().path
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
        let mine = open.filter { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == lock }
        let copies = mine.map { dup($0) }
        defer { for copy in copies { close(copy) } }

        try await store.database.close()

        #expect(!copies.isEmpty)
        try await SQLiteDatabase(path: store.path, freeDiskShare: { 1 }).close()
    }
    #endif

    @Test("A path that is too long for a socket has a shorter name on Linux", arguments: [10, 200])
    func socketPath(length: Int) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-" + String(repeating: "x", count: length))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let path = StoreSocketPath(StoreFolder(folder.path))

        #if os(Linux)
        let short = try #require(path?.path)
        #expect(short.utf8.count <= StoreSocketPath.longest)
        try Data("x".utf8).write(to: URL(filePath: short))
        #expect(FileManager.default.fileExists(atPath: folder.appending(path: "landfall.sock").path))
        #endif
    }
}
