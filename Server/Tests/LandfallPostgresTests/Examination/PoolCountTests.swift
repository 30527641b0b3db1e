// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import LandfallPostgres
@testable import LandfallStore

extension PostgresTests {
    @Suite("What a pool counts")
    struct PoolCountTests {
        @Test("Connections, repeats by their cause, and what was heard of other nodes")
        func counts() async throws {
            let test = try await TestDatabase("&pool=3")
            try await test.database.migrate([])
            let other = try await PostgresDatabase.open(PostgresAddress(test.url), limits: .wide)
            let tries = Atomic(0)

            try await test.database.write { connection in
                if tries.add(1, ordering: .relaxed).newValue == 1 { throw DatabaseError.retry("once") }
                try connection.run(insert(1))
            }
            try await test.database.hear()
            try await other.write { connection in connection.tell(StoreChange(.init("note"), app: "a", subject: "1")) }
            try await test.database.hear()

            let counts = test.database.poolCounts
            #expect(counts.limit == 3)
            #expect((1...3).contains(counts.open) && counts.opened == counts.open)
            #expect(counts.repeats == ["conflict": 1])
            #expect(PostgresDatabase.causesOfRepeats == ["conflict", "duplicate", "stale", "lost"])
            #expect((counts.feedReads, counts.changesHeard) == (2, 1))
            #expect(counts.feedTime > .zero && counts.feedAge != nil)
            #expect(other.poolCounts.feedAge == nil)
            await other.close()
        }
    }
}
