// SPDX-License-Identifier: Apache-2.0
import Foundation
import StoreContract
import Testing

@testable import LandfallSQLite

@Suite("The embedded engine does what every engine must do", .timeLimit(.minutes(1)))
struct ContractTests {
    @Test("In a file", arguments: StoreClaim.all)
    func holds(_ claim: StoreClaim) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try SQLiteDatabase(path: folder.appending(path: "landfall.db").path)

        try await claim.check(on: database)

        try await database.close()
    }
}
