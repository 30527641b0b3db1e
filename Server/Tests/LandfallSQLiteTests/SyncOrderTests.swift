// SPDX-License-Identifier: Apache-2.0
import Foundation
import SystemCalls
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

/// The system calls of a real process, as `strace` prints them: killing a process proves nothing about the disk, because the
/// kernel keeps unsynced data.
@Suite("An answer is given after the data is on disk", .timeLimit(.minutes(1)))
struct SyncOrderTests {
    private static let writes = 20
    private static let childDirectory = "LANDFALL_TRACED_DIRECTORY"
    private static let acknowledged = "acknowledged"

    @Test(
        "Every confirmed write has its log written and synced before the confirmation",
        .enabled(if: SystemCallTrace.isAvailable, "strace is not installed, or may not trace here")
    )
    func syncBeforeAnswer() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "landfall-traced-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }

        let calls = try await SystemCallTrace.run(
            testNamed: "SyncOrderTests/tracedChild", environment: [Self.childDirectory: directory.path], in: directory
        )

        var isWritten = false, isSynced = false, answers = 0
        let begun = calls.firstIndex { $0.file.hasSuffix(Self.acknowledged) && $0.isWrite } ?? 0
        let names = Set(calls[..<begun].filter(\.isSync).map(\.file))
        #expect(
            names.isSuperset(of: ["", "/new", "/new/store"].map { directory.resolvingSymlinksInPath().path + $0 }),
            "the store's files, its folder and the one around it have names that no power cut takes: \(names)")
        for call in calls {
            if call.file.hasSuffix("landfall.sqlite-wal") {
                isWritten = isWritten || call.isWrite
                isSynced = call.isSync
            } else if call.file.hasSuffix(Self.acknowledged), call.isWrite {
                answers += 1
                #expect(isWritten && isSynced, "answer \(answers) before its sync")
                isWritten = false
                isSynced = false
            }
        }
        #expect(answers == Self.writes + 1)
        let syncs = calls.filter { $0.isSync && $0.file.hasSuffix("landfall.sqlite-wal") }.count
        #expect(syncs < Self.writes * 2, "\(syncs) syncs: the hundred writes of the last answer share theirs")
    }

    @Test(
        "The traced process",
        .enabled(if: directoryOfThisProcess != nil, "runs only under strace, started by its neighbour"))
    func tracedChild() async throws {
        let directory = try #require(Self.directoryOfThisProcess)
        let answers = directory.appending(path: Self.acknowledged)
        try Data().write(to: answers)
        let file = try FileHandle(forWritingTo: answers)
        let database = try SQLiteDatabase(path: directory.appending(path: "new/store/landfall.sqlite").path, freeDiskShare: { 1 })
        try await database.migrate([
            Migration(id: "2026-11-21 notes: create", ["CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY)"])
        ])

        for id in 1...Self.writes {
            _ = try await database.write { try $0.run(insert(Int64(id))) }
            try file.write(contentsOf: Data("\(id)\n".utf8))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 1_000..<1_100 { group.addTask { _ = try await database.write { try $0.run(insert(Int64(id))) } } }
            try await group.waitForAll()
        }
        try file.write(contentsOf: Data("all\n".utf8))

        try file.close()
        try await database.close()
    }

    private static var directoryOfThisProcess: URL? {
        ProcessInfo.processInfo.environment[childDirectory].map { URL(filePath: $0) }
    }
}
