// SPDX-License-Identifier: Apache-2.0
import Crypto
package import Foundation
package import LandfallRules
package import LandfallServer
import LandfallStore

/// Writes files of tables and days, and the manifest last. One page at a time is in memory.
package struct ExportRun: Sendable {
    /// Pages between two lines of progress.
    private static let tellingPages = 800

    /// A file.
    package struct Part: Hashable, Sendable {
        package let table: ExportTable
        /// Since 1970, in UTC.
        package let day: Int64

        package init(_ table: ExportTable, _ day: Int64) { (self.table, self.day) = (table, day) }

        package func name(_ format: ExportFormat) -> String { "\(table.rawValue)-\(ReportDays.text(day)).\(format.rawValue)" }
    }

    /// Gives a page of a file, after a page's ``ExportPage/next``.
    package typealias PageSource = @Sendable (Part, _ after: String?) async throws -> ExportPage

    /// The shortest rest after a page, and the longest, in milliseconds.
    package static let restMs: ClosedRange<Int64> = 5...10_000

    /// The same pages, with a rest after each, so that phones go first.
    /// - Parameter times: how many times as long as the page took.
    package static func resting(_ times: Int64, by time: ServerTime, _ page: @escaping PageSource) -> PageSource {
        { part, after in
            let beganMs = time.nowMs(), page = try await page(part, after)
            guard page.next != nil else { return page }
            try await time.sleep(.milliseconds(min(max((time.nowMs() - beganMs) * times, restMs.lowerBound), restMs.upperBound)))
            return page
        }
    }

    private let destination: any ExportDestination
    private let format: ExportFormat
    private let page: PageSource
    private let tell: @Sendable (String) -> Void

    /// - Parameter tell: is called with lines about the progress.
    package init(
        to destination: any ExportDestination, format: ExportFormat, page: @escaping PageSource,
        tell: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.destination, self.format, self.page, self.tell) = (destination, format, page, tell)
    }

    package init(
        folder: URL, format: ExportFormat, page: @escaping PageSource, tell: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.init(to: ExportFolder(folder), format: format, page: page, tell: tell)
    }

    /// - Parameters:
    ///   - parts: the files, in the order in which they are written.
    ///   - days: of the run, since 1970 in UTC.
    package func write(_ parts: [Part], _ days: ClosedRange<Int64>) async throws -> ExportManifest {
        var files: [ExportManifest.File] = []
        for part in parts {
            files.append(try await write(part))
            tell("\(part.name(format)): \(files[files.count - 1].rows.inGroups) rows")
        }
        let manifest = ExportManifest(format, days, files)
        try await write(manifest, as: ExportManifest.name)
        return manifest
    }

    package func write(_ manifest: ExportManifest, as name: String) async throws {
        let text = try manifest.text()
        _ = try await writing(name) { try await $0.append(text) }
    }

    package func write(_ part: Part) async throws -> ExportManifest.File {
        let name = part.name(format)
        var rows: Int64 = 0
        let (bytes, sha256) = try await writing(name) { file in
            var after: String?, pages = 0
            repeat {
                try Task.checkCancellation()
                let page = try await page(part, after)
                try await file.append(page.bytes)
                rows += Int64(page.rows)
                after = page.next
                pages += 1
                if pages.isMultiple(of: Self.tellingPages) { tell("\(name): \(rows.inGroups) rows so far") }
            } while after != nil
        }
        return .init(
            name: name, table: part.table, day: ReportDays.text(part.day), rows: rows, bytes: bytes, sha256: sha256, form: ExportTable.form)
    }

    private func writing(_ name: String, _ body: (inout Counted) async throws -> Void) async throws -> (bytes: Int64, sha256: String) {
        var file = Counted(file: try await destination.begin(name))
        do {
            try await body(&file)
            try await file.file.finish()
        } catch {
            await file.file.discard()
            throw error
        }
        return (file.bytes, Array(file.hash.finalize()).hexadecimal)
    }

    private struct Counted {
        var file: any ExportWriting
        private(set) var hash = SHA256()
        private(set) var bytes: Int64 = 0

        init(file: any ExportWriting) { self.file = file }

        mutating func append(_ part: [UInt8]) async throws {
            guard !part.isEmpty else { return }
            try await file.append(part)
            hash.update(data: part)
            bytes += Int64(part.count)
        }
    }
}
