// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import Synchronization

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallServer
@testable import LandfallStore

/// A node whose audit log goes into a file, with a store, a folder and a clock of its own.
final class AuditedNode: Sendable {
    let folder: URL
    let file: AuditFile
    private let store: TestStore
    private let nowMs = Mutex(TestStore.noon)
    private let heard = HeardLevels()

    private init(_ folder: URL, _ store: TestStore) {
        (self.folder, self.store) = (folder, store)
        file = AuditFile(path: folder.appending(path: "audit.log").path)
    }

    static func run(_ body: (AuditedNode) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-audit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(AuditedNode(folder, try await TestStore()))
    }

    var logger: Logger { Logger(label: "test") { [heard] _ in LevelLog(heard: heard) } }

    /// The levels of what was logged.
    var said: [String] { heard.levels.withLock { $0 } }

    func move(by milliseconds: Int64) { nowMs.withLock { $0 += milliseconds } }

    func start() throws -> AuditFileWriter.Progress {
        AuditFileWriter.Progress(position: try AuditFileWriter.start(of: file, nowMs: nowMs.withLock { $0 }, logger: logger))
    }

    func look(_ progress: inout AuditFileWriter.Progress) async {
        let time = ServerTime(nowMs: { [self] in nowMs.withLock { $0 } }, sleep: { _ in throw CancellationError() })
        let tail = AuditTail(database: store.database, app: TestStore.app)
        await AuditFileWriter(file: file, tail: tail, start: progress.position, time: time, logger: logger).look(&progress)
    }

    /// Looks when everything that is stored now is old enough.
    func settle(_ progress: inout AuditFileWriter.Progress) async {
        move(by: AuditFileWriter.settledMs + 1_000)
        await look(&progress)
    }

    /// Somebody makes a link.
    func note(_ subject: String, member: String? = nil, network: String? = nil, afterMs: Int64 = 0) async throws {
        let atMs = nowMs.withLock { $0 } + afterMs
        let line = AuditLine(action: .linkMade, member: member, subject: subject, network: network)
        try await store.database.append([line.insertion(into: TestStore.app, id: UUIDv7.make(nowMs: atMs), nowMs: atMs)])
    }

    func ids() async throws -> [String] {
        try await store.database.read { try $0.rows("SELECT id FROM audit_entry ORDER BY id", []).map { try $0.text("id") } }
    }

    func place(_ name: String) -> URL { folder.appending(path: name) }

    var lines: [String] { lines(in: "audit.log") }
    var subjects: [String] { subjects(in: "audit.log") }

    private func lines(in name: String) -> [String] {
        let text = (try? String(contentsOf: place(name), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    func subjects(in name: String) -> [String] {
        struct Line: Decodable { let subject: String }
        return lines(in: name).compactMap { try? JSONDecoder().decode(Line.self, from: Data($0.utf8)).subject }
    }

    func mode(of name: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: place(name).path))?[.posixPermissions] as? Int
    }
}

private final class HeardLevels: Sendable {
    let levels = Mutex<[String]>([])
}

private struct LevelLog: LogHandler {
    let heard: HeardLevels
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { heard.levels.withLock { $0.append("\(event.level)") } }
}
