// SPDX-License-Identifier: Apache-2.0
import LandfallStore

/// Changed pages that are still in the log, or that were read from it before it began anew.
struct SQLiteBatch: LogBatch {
    /// Of a segment, in bytes: as much as is sent in one piece.
    static let largestSegment = 8 << 20

    private let changes: LogChanges
    private let file: LogFile
    /// The pages' contents, if the log does not have them any more.
    private var kept: [Int64: [UInt8]]?

    init(_ changes: LogChanges, in file: LogFile) { (self.changes, self.file) = (changes, file) }

    private var pagesPerSegment: Int { max(Self.largestSegment / (changes.pageSize + 4), 1) }

    var segmentCount: Int { max((changes.pages.count + pagesPerSegment - 1) / pagesPerSegment, 1) }

    /// Reads all pages now.
    mutating func keep() throws {
        var contents: [Int64: [UInt8]] = [:]
        for page in changes.pages { contents[page.offset] = try read(page) }
        kept = contents
    }

    func segment(_ index: Int, generation: String, number: Int64, atMs: Int64) throws -> [UInt8] {
        let start = index * pagesPerSegment, pages = changes.pages[start..<min(start + pagesPerSegment, changes.pages.count)]
        let bytes = try StreamSegment.bytes(
            generation: generation, number: number, atMs: atMs, pageSize: changes.pageSize,
            databasePages: index == segmentCount - 1 ? changes.databasePages : 0, pages: pages
        ) { page in
            if let content = kept?[page.offset] { return content }
            return try read(page)
        }
        // A log that begins anew writes its beginning before its first page: if that is as it was, so are the pages that were read.
        guard try kept != nil || file.header()?.salts == changes.end.salts else { throw LogBroken("it has begun anew while it was sent") }
        return bytes
    }

    private func read(_ page: LogChanges.Page) throws -> [UInt8] {
        let content = try file.read(at: page.offset, changes.pageSize)
        guard content.count == changes.pageSize else { throw LogBroken("the file ends within a page that was committed") }
        return content
    }
}
