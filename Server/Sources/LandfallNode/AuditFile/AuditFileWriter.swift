// SPDX-License-Identifier: Apache-2.0
import LandfallConsole
import LandfallRules
import LandfallServer
import LandfallStore
import Logging
import ServiceLifecycle

/// Writes each line of the audit log into a file, at least once and in the order of ids. Never stops the server: what cannot be
/// written now is written later.
///
/// It is not a leased job: every node writes the whole log to its own file.
struct AuditFileWriter: Service, Redacted {
    static let interval = Duration.seconds(5)
    /// The age from which a line is written. Until then a slow transaction, or a node whose clock is behind, may add a line before it.
    static let settledMs: Int64 = 30_000

    struct Progress: Sendable {
        /// The id of the last line that was written.
        var position: String
        /// The position in its file.
        fileprivate(set) var stored: String
        fileprivate(set) var isFailing = false

        init(position: String) { (self.position, stored) = (position, position) }
    }

    let file: AuditFile
    let tail: AuditTail
    /// Where this start begins.
    let start: String
    let time: ServerTime
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var progress = Progress(position: start)
            while !Task.isCancelled {
                await look(&progress)
                try await time.sleep(Self.interval)
            }
        }
    }

    /// Where a node begins: after the last line that it wrote; the first time with the lines that are not settled yet, so that old ones
    /// stay out of the file.
    /// - Throws: ``AuditFileError`` if the file cannot be written.
    static func start(of file: AuditFile, nowMs: Int64, logger: Logger) throws(AuditFileError) -> String {
        try file.append([])
        do {
            if let position = try file.position() { return position }
        } catch where error.isTorn {
            logger.warning(
                "The position of the audit log's file is not an id: the file goes on with new lines. The console's audit.csv has all.",
                metadata: ["audit.position": "\(error.path)"])
        }
        // Stored at once: what happens while this node is away is written later.
        let start = beginning(atMs: nowMs - settledMs)
        try file.store(position: start)
        return start
    }

    /// Writes what is old enough and not written yet.
    func look(_ progress: inout Progress) async {
        do {
            try await write(&progress)
            guard progress.isFailing else { return }
            progress.isFailing = false
            logger.notice("The lines of the audit log are in its file again; none is missing.")
        } catch {
            guard !progress.isFailing, !Task.isCancelled else { return }
            progress.isFailing = true
            logger.error("The lines of the audit log cannot be written into its file; they wait.", metadata: ["error.text": "\(error)"])
        }
    }

    private func write(_ progress: inout Progress) async throws {
        let nowMs = time.nowMs(), settled = Self.beginning(atMs: nowMs - Self.settledMs)
        if progress.position > Self.beginning(atMs: nowMs) {
            // By more than the age of a settled line: new ids are less than the position, and no line would be written until the clock is
            // there again.
            logger.warning("The clock went back: some lines of the audit log's file are repeated.")
            progress.position = settled
        }
        try await store(&progress)
        while let batch = try await tail.batch(after: progress.position, before: settled) {
            // A node that stops does not wait for a long log.
            try Task.checkCancellation()
            try await onThread { [file] () throws(AuditFileError) in try file.append(batch.text) }
            progress.position = batch.last
            try await store(&progress)
        }
    }

    /// What was written is not written again because its position could not be stored.
    private func store(_ progress: inout Progress) async throws {
        let position = progress.position
        guard progress.stored != position else { return }
        try await onThread { [file] () throws(AuditFileError) in try file.store(position: position) }
        progress.stored = position
    }

    /// Less than every id made at this instant or later, with the length of an id.
    private static func beginning(atMs: Int64) -> String { UUIDv7.earliest(atMs: max(0, atMs)) + "0000-0000-000000000000" }
}
