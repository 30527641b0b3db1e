// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import SystemCalls
import Testing

/// Killing a process proves nothing about a disk: the kernel keeps what was not synced. So this looks at the order of a phone's system calls.
@Suite("Files of a phone that no power cut takes", .timeLimit(.minutes(1)))
struct SyncedFilesTests {
    private static let childDirectory = "LANDFALL_TRACED_PHONE"

    @Test(
        "The installation and the profile are synced behind their last byte, and then their folder; files that cost only a request are not",
        .enabled(if: SystemCallTrace.isAvailable, "strace is not installed, or may not trace here")
    )
    func synced() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "landfall-phone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }

        let calls = try await SystemCallTrace.run(
            testNamed: "SyncedFilesTests/tracedChild", environment: [Self.childDirectory: directory.path], in: directory)

        for name in [StorageName.install, .profile] {
            let file = calls.indices.filter { calls[$0].file.hasSuffix("/\(name.rawValue).new") }
            #expect(file.contains { calls[$0].isWrite }, "\(name.rawValue)")
            let last = try #require(file.last)
            #expect(calls[last].isSync, "\(name.rawValue)")
            #expect(calls[last...].contains { $0.isSync && $0.file.hasSuffix("/phone") }, "The name of \(name.rawValue).")
        }
        let paywalls = calls.filter { $0.file.hasSuffix("/\(StorageName.paywalls.rawValue).new") }
        #expect(paywalls.contains(where: \.isWrite) && !paywalls.contains(where: \.isSync))
    }

    @Test(
        "The traced process",
        .enabled(if: directoryOfThisProcess != nil, "runs only under strace, started by its neighbour"))
    func tracedChild() async throws {
        let storage = FileStorage(directory: try #require(Self.directoryOfThisProcess).appending(path: "phone"))

        for name in [StorageName.install, .paywalls, .profile] { try await storage.write(Data("{\"format\":1}".utf8), to: name) }

        await storage.close()
    }

    private static var directoryOfThisProcess: URL? {
        ProcessInfo.processInfo.environment[childDirectory].map { URL(filePath: $0) }
    }
}
