// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// Writes files of tables and days into a folder, and the manifest last. One page at a time is in memory.
package struct ExportRun: Sendable {
    /// Pages between two lines of progress.
    private static let tellingPages = 100

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

    private let folder: URL
    private let format: ExportFormat
    private let page: PageSource
    private let tell: @Sendable (String) -> Void

    /// - Parameter tell: is called with lines about the progress.
    package init(
        folder: URL, format: ExportFormat, page: @escaping PageSource, tell: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.folder, self.format, self.page, self.tell) = (folder, format, page, tell)
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
        let manifest = ExportManifest(
            form: ExportTable.form, format: format, from: ReportDays.text(days.lowerBound), until: ReportDays.text(days.upperBound),
            timeZone: "UTC", files: files)
        let text = try manifest.text()
        _ = try await writing(ExportManifest.name) { try $0.append(text) }
        return manifest
    }

    private func write(_ part: Part) async throws -> ExportManifest.File {
        let name = part.name(format)
        var rows: Int64 = 0
        let (bytes, sha256) = try await writing(name) { file in
            var after: String?, pages = 0
            repeat {
                try Task.checkCancellation()
                let page = try await page(part, after)
                try file.append(page.bytes)
                rows += Int64(page.rows)
                after = page.next
                pages += 1
                if pages.isMultiple(of: Self.tellingPages) { tell("\(name): \(rows.inGroups) rows so far") }
            } while after != nil
        }
        return .init(
            name: name, table: part.table, day: ReportDays.text(part.day), rows: rows, bytes: bytes, sha256: sha256, form: ExportTable.form)
    }

    private func writing(_ name: String, _ body: (inout ExportFile) async throws -> Void) async throws -> (bytes: Int64, sha256: String) {
        var file = try ExportFile(name, in: folder)
        do {
            try await body(&file)
            return (file.bytes, try file.finish())
        } catch {
            file.discard()
            throw error
        }
    }
}
