// SPDX-License-Identifier: Apache-2.0
import StoreContract
import SystemCalls
import Testing

@testable import LandfallPostgres

extension PostgresTests {
    @Suite("does what every engine must do")
    struct ContractTests {
        @Test("With prepared statements", arguments: StoreClaim.all)
        func holds(_ claim: StoreClaim) async throws { try await check(claim, "") }

        @Test("With unnamed statements, as a pooler needs them", arguments: StoreClaim.all)
        func holdsUnprepared(_ claim: StoreClaim) async throws { try await check(claim, "&prepare=off") }

        @Test("With a single connection", arguments: StoreClaim.all.filter { !$0.description.contains("snapshot") })
        func holdsOnOne(_ claim: StoreClaim) async throws { try await check(claim, "&pool=1") }

        private func check(_ claim: StoreClaim, _ parameters: String) async throws {
            let url = try #require(OwnServer.current).schema() + parameters
            let database = try await PostgresDatabase.open(PostgresAddress(url), limits: .wide)
            try await claim.check(on: database)
            await database.close()
        }
    }
}
