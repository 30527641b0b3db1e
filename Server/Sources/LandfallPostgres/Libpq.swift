// SPDX-License-Identifier: Apache-2.0
import CPostgres
import LandfallStore

/// PostgreSQL's client library, loaded once for each process.
///
/// Unchecked, because the functions of C never change after they were looked up.
final class Libpq: @unchecked Sendable {
    static let shared: Result<Libpq, DatabaseError> = Result { () throws(DatabaseError) in try Libpq(names) }

    #if canImport(Darwin)
    private static let names = [
        "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib", "/usr/local/opt/libpq/lib/libpq.5.dylib",
    ]
    #else
    private static let names = ["libpq.so.5"]
    #endif

    let functions: landfall_libpq

    /// - Parameter names: the first of these libraries that can be loaded is used.
    init(_ names: [String]) throws(DatabaseError) {
        let functions = UnsafeMutablePointer<landfall_libpq>.allocate(capacity: 1)
        defer { functions.deallocate() }
        var reason = ""
        for name in names {
            guard let refusal = landfall_libpq_load(name, functions) else {
                self.functions = functions.pointee
                return
            }
            if reason.isEmpty { reason = String(cString: refusal) }
        }
        throw .libraryMissing(reason)
    }
}
