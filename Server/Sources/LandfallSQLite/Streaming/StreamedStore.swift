// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore

/// A whole copy of a store that the segments of its stream are written into, until it is a backup of a later moment.
package struct StreamedStore {
    /// How far segments were written.
    package struct Reached: Hashable, Sendable {
        /// The number of the last segment, or of the copy if there was none.
        package var number: Int64
        /// When everything in it was committed; nil if there was no segment.
        package var atMs: Int64?
        package var pages = 0
        /// Why the next segment was not used; nil if there is none.
        package var ending: String?
    }

    /// Bytes of the first page that say how the store is written: 2 with a log, 1 without.
    private static let forms = 18..<20

    private let path: String

    /// - Parameter path: of a backup; is changed.
    package init(_ path: String) { self.path = path }

    /// Writes segment after segment, as long as they follow each other and none is damaged. A change is written only if all its segments are there.
    /// - Parameters:
    ///   - number: of the copy.
    ///   - newest: the greatest number that the place has.
    ///   - segment: reads one; nil if it is not there.
    /// - Throws: ``LandfallStore/StoreCopyError``; what the closure throws.
    package func append(
        of generation: String, after number: Int64, newest: Int64, segment: (Int64) async throws -> [UInt8]?
    ) async throws -> Reached {
        guard try BackupFile(path).check() else { throw StoreCopyError.changed(path: path) }
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure }
        defer { close(descriptor) }
        var reached = Reached(number: number), next = number + 1, waiting: [Int64] = []
        var header = [UInt8](repeating: 0, count: StorePages.headerLength)
        guard pread(descriptor, &header, header.count, 0) == header.count else { throw failure }
        guard let (pageSize, hasChecksums) = StorePages.form(ofHeader: header) else { throw StoreCopyError.changed(path: path) }
        // Without the checksum of the copy.
        guard ftruncate(descriptor, off_t(BackupFile(path).storeLength)) == 0 else { throw failure }
        func read(_ number: Int64) async throws -> Result<StreamSegment, Unusable>? {
            guard let bytes = try await segment(number) else { return nil }
            do throws(StreamSegment.Unusable) {
                let segment = try StreamSegment(bytes, generation: generation, number: number)
                return segment.pageSize == pageSize ? .success(segment) : .failure(.pageSize)
            } catch { return .failure(.form(error)) }
        }
        while true {
            guard let found = try await read(next) else {
                if next <= newest { reached.ending = "segment \(next) is missing, and there are later ones" }
                if !waiting.isEmpty, next > newest { reached.ending = "the change that begins in segment \(waiting[0]) has no end" }
                break
            }
            switch found {
            case .failure(let reason): reached.ending = "segment \(next) cannot be used: \(reason)"
            case .success(let last) where last.databasePages == 0: waiting.append(next)
            case .success(let last):
                for number in waiting {
                    guard case .success(let part)? = try await read(number) else {
                        throw StoreCopyError.notReadable(path: path, reason: "segment \(number) was whole and is not any more")
                    }
                    try write(part, into: descriptor, hasChecksums)
                    reached.pages += part.pages.count
                }
                waiting = []
                try write(last, into: descriptor, hasChecksums)
                guard ftruncate(descriptor, off_t(last.databasePages) * off_t(pageSize)) == 0 else { throw failure }
                (reached.number, reached.atMs) = (next, last.atMs)
                reached.pages += last.pages.count
            }
            if reached.ending != nil { break }
            next += 1
        }
        var first = [UInt8](repeating: 0, count: pageSize)
        guard pread(descriptor, &first, pageSize, 0) == pageSize else { throw failure }
        first.replaceSubrange(Self.forms, with: [1, 1])
        try write(first, number: 1, into: descriptor, hasChecksums)
        try BackupFile(path).seal()
        return reached
    }

    private func write(_ segment: StreamSegment, into descriptor: Int32, _ hasChecksums: Bool) throws {
        for (index, page) in segment.pages.enumerated() { try write(Array(segment.content(index)), number: page, into: descriptor, hasChecksums) }
    }

    /// A page of a log has no checksum yet, or that of its content before.
    private func write(_ page: [UInt8], number: UInt32, into descriptor: Int32, _ hasChecksums: Bool) throws {
        var page = page
        if hasChecksums { StorePages.stamp(&page, number: number) }
        guard pwrite(descriptor, page, page.count, off_t(number - 1) * off_t(page.count)) == page.count else { throw failure }
    }

    private var failure: StoreCopyError { .notWritten(path: path, reason: String(cString: strerror(errno))) }

    private enum Unusable: Error, CustomStringConvertible {
        case form(StreamSegment.Unusable), pageSize

        var description: String {
            switch self {
            case .form(let reason): "\(reason)"
            case .pageSize: "its pages have another size"
            }
        }
    }
}
