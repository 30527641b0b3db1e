// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("The owner of a store's folder", .enabled(if: geteuid() == 0, "only root gives files away"), .timeLimit(.minutes(1)))
struct StoreFolderOwnerTests {
    private static let server: uid_t = 65_534

    private func owners(in folder: StoreFolder) throws -> [String: Int] {
        let names = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
        return try names.filter { !$0.hasPrefix("copy") }.reduce(into: [:]) { owners, name in
            owners[name] = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)[.ownerAccountID] as? Int
        }
    }

    @Test("owns what root restores there: the store, the folder of the previous one and the lock")
    func restored() async throws {
        let store = try await TemporaryStore()
        _ = try await store.database.write { try $0.run("CREATE TABLE store (store_id TEXT)") }
        let file = store.directory.appending(path: "copy.sqlite").path
        _ = try await store.database.copy(to: file, isReplacing: false) { _, _ in }
        try await store.database.close()
        let folder = StoreFolder(store.directory.path)
        for path in [folder.path, folder.database] { chown(path, Self.server, Self.server) }
        unlink(folder.lock)

        _ = try folder.restore(from: file, keepingAs: "landfall.old", progress: { _, _ in }) { _, _, _ in }

        let owners = try owners(in: folder)
        #expect(Set(owners.keys).isSuperset(of: ["landfall.sqlite", "landfall.lock", "landfall.old", "landfall.old/landfall.sqlite"]))
        #expect(owners.values.allSatisfy { $0 == Int(Self.server) }, "\(owners)")
        #expect(folder.strangers.isEmpty)
    }

    @Test("owns a store that a command of root makes there; a file of root is seen")
    func made() async throws {
        let store = try await TemporaryStore()
        let folder = StoreFolder(store.directory.appending(path: "data").path)
        try folder.make()
        chown(folder.path, Self.server, Self.server)

        let database = try SQLiteDatabase(path: folder.database)
        _ = try await database.write { try $0.run("CREATE TABLE store (store_id TEXT)") }
        let owners = try owners(in: folder)
        #expect(owners.values.allSatisfy { $0 == Int(Self.server) }, "\(owners)")
        try await database.close()
        chown(folder.lock, 0, 0)

        #expect(folder.strangers.map(\.path) == [folder.lock])
        #expect(folder.strangers.first?.folder == Self.server)
    }
}
