// SPDX-License-Identifier: Apache-2.0
import CPages
import CSQLite
import LandfallStore

extension SQLiteConnection {
    /// The layer between SQLite and the system's files, see `CPages.h`; nil if SQLite cannot be used. Known to SQLite for the rest of the process.
    static let files: String? = {
        // Before SQLite is initialised.
        _ = countsNoMemory
        return landfall_pages_vfs().map { String(cString: $0) }
    }()

    /// Whether the pages of the file have checksums; nil if it is empty, or there is none.
    var hasChecksums: Bool? {
        switch number(of: landfall_pages_ask) {
        case 1?: true
        case 0?: false
        default: nil
        }
    }

    /// SQLite leaves the room for checksums free in a file that is empty, and in those into which `VACUUM INTO` writes from now on.
    func leaveRoomForChecksums() {
        var bytes = Int32(landfall_page_reserve)
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes)
    }

    /// Of an empty file that becomes the copy of another one: its first page, which says whether there are checksums, may be written last.
    func expectChecksums(_ has: Bool) { _ = number(of: landfall_pages_expect, giving: has ? 1 : 0) }

    /// Where this connection has last found bytes that were not written so; nil if it found none.
    var damagedPlace: String? {
        switch number(of: landfall_pages_damaged) ?? 0 {
        case 0: nil
        case let page where page > 0: "page \(page) differs from its checksum"
        case let frame: "frame \(-frame) of the write-ahead log differs from its checksum"
        }
    }

    /// True if this connection has read pages without a checksum from a file whose pages have some: another program has moved the log into it.
    private var hasReadBarePages: Bool { (number(of: landfall_pages_bare) ?? 0) > 0 }

    /// What `landfall doctor` says of the pages. A store without checksums works as before.
    var checksums: EngineCondition {
        let found =
            switch hasChecksums {
            case false?:
                """
                Pages of this store have no checksums, because it was made before they were: a value that the disk changes is not noticed. \
                A restored backup has them: landfall backup FILE, stop the server, landfall restore FILE.
                """
            default:
                hasReadBarePages
                    ? "Each page that Landfall wrote has a checksum. Another program has moved the log into the file: pages from it get theirs when they are written next."
                    : "Each page has a checksum, which is compared when it is read."
            }
        return EngineCondition("pages", found)
    }

    private func number(of operation: Int, giving given: Int64 = 0) -> Int64? {
        var number = given
        return sqlite3_file_control(handle, "main", Int32(operation), &number) == SQLITE_OK ? number : nil
    }
}
