// SPDX-License-Identifier: Apache-2.0
import CPages

extension StorePages {
    /// Of the first page: where the size of a page is, and how many of its bytes are reserved.
    private static let size = 16, reserve = 20
    /// As many bytes of a file as ``form(ofHeader:)`` needs.
    static let headerLength = 21

    /// - Returns: the size of the pages, and whether they have checksums; nil if these are not the first bytes of a store.
    static func form(ofHeader header: [UInt8]) -> (pageSize: Int, hasChecksums: Bool)? {
        guard header.count >= headerLength else { return nil }
        // 65,536 does not fit and is written as 1.
        let written = Int(header[size]) << 8 | Int(header[size + 1]), pageSize = written == 1 ? 65_536 : written
        return isSize(pageSize) ? (pageSize, header[reserve] == landfall_page_reserve) : nil
    }

    /// Writes the checksum into the last bytes of a page. SQLite does not write it, so who writes a page past SQLite has to.
    /// - Parameter number: from 1 on.
    static func stamp(_ page: inout [UInt8], number: UInt32) {
        page.withUnsafeMutableBufferPointer { bytes in
            if let start = bytes.baseAddress { landfall_page_stamp(start, bytes.count, number) }
        }
    }
}
