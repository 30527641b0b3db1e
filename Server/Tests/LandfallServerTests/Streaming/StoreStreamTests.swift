// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import Logging
import Synchronization
import Testing

@testable import LandfallSQLite
@testable import LandfallServer
@testable import LandfallStore

@Suite("The stream of a store", .timeLimit(.minutes(2)))
struct StoreStreamTests {
    /// A store with a few rows, in a folder that is deleted with it.
    private final class World: Sendable {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-stream-\(UUID().uuidString)")
        let database: SQLiteDatabase
        let place: MemoryPlace
        let now = Mutex<Int64>(1_796_000_000_000)

        init() async throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            place = MemoryPlace(folder)
            database = try SQLiteDatabase(path: folder.appending(path: "landfall.sqlite").path, freeDiskShare: { 1 })
            try await database.migrate([BackupMade.created])
            try await database.write { connection in
                try connection.run("CREATE TABLE store (name TEXT, store_id TEXT)")
                try connection.run("INSERT INTO store (name, store_id) VALUES ('self', 'one')")
                try connection.run("CREATE TABLE note (id INTEGER PRIMARY KEY, bytes BLOB)")
            }
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        var time: ServerTime { ServerTime(nowMs: { [self] in now.withLock(\.self) }, sleep: { try await Task.sleep(for: $0) }) }

        func stream(_ limits: StoreStream.Limits = StoreStream.Limits(), to other: (any StreamPlace)? = nil) -> StoreStream {
            StoreStream(database, database, to: other ?? place, every: .seconds(10), limits: limits, time: time, logger: Logger(label: "test"))
        }

        func pass(ms: Int64) { now.withLock { $0 += ms } }

        func insert(_ id: Int, bytes: Int = 10) async throws {
            _ = try await database.write { try $0.run(Statement("INSERT INTO note (id, bytes) VALUES ($1, zeroblob($2))", [.integer(Int64(id)), .integer(Int64(bytes))])) }
        }

        /// What a restore from the place has.
        func restored(from other: (any StreamPlace)? = nil) async throws -> (ids: [Int64], reached: StreamedStore.Reached) {
            let place = other ?? place, path = folder.appending(path: "restored-\(UUID().uuidString).sqlite").path
            let listing = StreamListing(try await place.files()), copy = try #require(listing.copies.first)
            try await place.fetch(copy, into: path)
            let reached = try await StreamedStore(path).append(of: copy.generation.name, after: copy.number, newest: listing.newestSegment(of: copy.generation)) {
                try await place.read(StreamFile(copy.generation, $0, .segment))
            }
            let rows = try SQLiteConnection(path, .reading).rows("SELECT id FROM note ORDER BY id")
            return (try rows.map { try $0.integer("id") }, reached)
        }
    }

    /// Looks, and waits for a whole copy that has begun.
    private func step(_ stream: StoreStream) async {
        await stream.step()
        await stream.following?.copying?.value
    }

    @Test("begins with a whole copy, and then has each change")
    func whole() async throws {
        let world = try await World(), stream = world.stream()
        try await world.insert(1)
        await step(stream)
        try await world.insert(2)
        world.pass(ms: 10_000)
        await step(stream)
        try await world.insert(3)

        let found = try await world.restored()
        await stream.finish(within: .seconds(5))
        let last = try await world.restored()

        #expect(found.ids == [1, 2] && found.reached.ending == nil && last.ids == [1, 2, 3])
        #expect(stream.condition.reachedMs == 1_796_000_010_000 && stream.condition.failure == nil && stream.condition.bytes > 0)
        #expect(try await world.database.read { try BackupMade.last($0)?.atMs } == 1_796_000_000_000)
    }

    @Test("sends the same segment again after a failure, and loses nothing")
    func again() async throws {
        let world = try await World(), stream = world.stream()
        await step(stream)
        await step(stream)
        world.place.isAway = true
        for id in 1...3 {
            try await world.insert(id)
            await step(stream)
        }
        let failing = stream.condition
        world.place.isAway = false
        await step(stream)

        let found = try await world.restored(), numbers = world.place.written.map(\.number)
        #expect(found.ids == [1, 2, 3] && stream.condition.failure == nil)
        #expect(failing.failure?.contains("away") == true && failing.failures == [.file: 3])
        #expect(Set(world.place.written.map(\.generation)).count == 1 && numbers == numbers.sorted())
        await stream.finish(within: .seconds(5))
    }

    @Test("is given up when too much waits, so that the log is the store's again; a new one begins when the place takes it")
    func tooMuch() async throws {
        let world = try await World(), stream = world.stream(StoreStream.Limits(unsent: 1 << 20))
        try await world.insert(1)
        await step(stream)
        world.place.isAway = true
        try await world.insert(2, bytes: 3 << 20)
        await step(stream)
        let left = await stream.following == nil
        try await world.insert(3)
        await step(stream)
        world.place.isAway = false
        await step(stream)
        try await world.insert(4)
        await step(stream)

        let found = try await world.restored()
        #expect(left && found.ids == [1, 2, 3, 4])
        #expect(Set(world.place.contents.keys.map(\.generation)).count == 2)
        await stream.finish(within: .seconds(5))
    }

    @Test("makes a whole copy each day, and keeps two with the segments since the older one")
    func daily() async throws {
        let world = try await World(), stream = world.stream()
        await step(stream)
        for day in 1...3 {
            try await world.insert(day)
            await step(stream)
            world.pass(ms: 24 * 3_600_000)
            await step(stream)
        }

        let listing = StreamListing(Array(world.place.contents.keys)), copies = listing.copies
        let found = try await world.restored()
        #expect(copies.count == 2 && found.ids == [1, 2, 3])
        #expect(world.place.contents.keys.allSatisfy { $0.number >= copies[1].number })
        await stream.finish(within: .seconds(5))
    }

    @Test("tries a whole copy again that has failed, after a pause, whatever it was made for")
    func copyAgain() async throws {
        let world = try await World(), stream = world.stream(StoreStream.Limits(bytes: 1 << 20))
        await step(stream)
        world.place.refusesCopies = true
        try await world.insert(1, bytes: 2 << 20)
        await step(stream)
        let failure = stream.condition.failure
        world.place.refusesCopies = false
        await step(stream)
        let early = StreamListing(Array(world.place.contents.keys)).copies.count
        world.pass(ms: 60_000)
        await step(stream)
        let copies = StreamListing(Array(world.place.contents.keys)).copies.count
        await step(stream)

        #expect(failure?.contains("full") == true && early == 1 && copies == 2 && stream.condition.failure == nil)
        await stream.finish(within: .seconds(5))
    }

    @Test("A whole copy comes out of a folder for this user only, whatever the folder says")
    func fetched() async throws {
        let world = try await World(), place = StreamFolder(world.folder.path), path = world.folder.appending(path: "fetched").path
        let file = StreamFile(StreamGeneration(store: "3f9c01ab", beganAtMs: 1), 0, .copy(atMs: 1))
        try await place.write([1, 2, 3], as: file)
        chmod("\(world.folder.path)/\(file.name)", 0o444)

        try await place.fetch(file, into: path)

        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(try mode == 0o600 && Data(contentsOf: URL(filePath: path)) == Data([1, 2, 3]))
    }

    @Test("begins the log anew when it is long, under writes")
    func long() async throws {
        let world = try await World(), stream = world.stream()
        await step(stream)
        for round in 0..<4 {
            for id in 0..<5 { try await world.insert(round * 10 + id, bytes: 1 << 20) }
            await step(stream)
        }
        try await world.insert(100)
        await step(stream)

        let found = try await world.restored(), log = StoreCopy.size(of: world.folder.appending(path: "landfall.sqlite-wal").path)
        #expect(found.ids.count == 21 && log < 1 << 20, "\(log)")
        await stream.finish(within: .seconds(5))
    }

    @Test("is not mixed with the stream of another store")
    func another() async throws {
        let world = try await World(), stream = world.stream()
        let other = StreamFile(StreamGeneration(store: "00000000", beganAtMs: 1), 0, .copy(atMs: 1))
        world.place.put(other)
        await step(stream)

        #expect(Array(world.place.contents.keys) == [other] && stream.condition.failures == [.place: 1])
    }

    @Test("goes to a folder, file by file, and to a bucket", arguments: [true, false])
    func places(isFolder: Bool) async throws {
        let world = try await World(), receiver = S3Receiver(), target = world.folder.appending(path: "target")
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        let place: any StreamPlace =
            isFolder
            ? StreamFolder(target.path)
            : StreamBucket(try #require(S3Place("s3://files/a b")), S3Receiver.access(), by: receiver, scratch: world.folder.path, time: world.time)
        let stream = world.stream(to: place)
        try await world.insert(1)
        await step(stream)
        try await world.insert(2)
        await step(stream)

        #expect(stream.condition.failure == nil, "\(stream.condition.failure ?? "")")
        #expect(try await world.restored(from: place).ids == [1, 2])
        #expect(!FileManager.default.fileExists(atPath: world.folder.appending(path: "stream-to-upload.sqlite").path))
        let file = try #require(try await place.files().first { $0.kind == .segment })
        try await place.remove(file)
        #expect(try await place.read(file) == nil)
        await stream.finish(within: .seconds(5))
    }

    @Test("A new stream deletes what a killed server has left half written, and no other file")
    func leftovers() async throws {
        let world = try await World(), target = world.folder.appending(path: "target")
        let (useless, other) = (target.appending(path: "stream-3f9c01ab-0000000000001"), target.appending(path: "stream-3f9c01ab-0000000000002"))
        for folder in [useless, other] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for name in ["0000000000-0000000000001.sqlite.landfall-1a.partial", "0000000001.segment.5.part"] { try Data().write(to: folder.appending(path: name)) }
        }
        try Data().write(to: other.appending(path: "notes.part"))
        let stream = world.stream(to: StreamFolder(target.path))
        await step(stream)

        let left = try FileManager.default.subpathsOfDirectory(atPath: target.path).filter { !$0.hasSuffix(".sqlite") }
        let own = try #require(await stream.following?.generation.name)
        #expect(Set(left) == [own, "stream-3f9c01ab-0000000000002", "stream-3f9c01ab-0000000000002/notes.part"])
        await stream.finish(within: .seconds(5))
    }

    @Test("A folder that is not there is not made: its disk may be away")
    func missing() async throws {
        let world = try await World(), stream = world.stream(to: StreamFolder(world.folder.path + "/away"))
        await step(stream)

        #expect(stream.condition.failures == [.file: 1])
        #expect(!FileManager.default.fileExists(atPath: world.folder.path + "/away"))
    }
}
