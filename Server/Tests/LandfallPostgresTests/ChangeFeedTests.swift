// SPDX-License-Identifier: Apache-2.0
import StoreContract
import Synchronization
import Testing

@testable import LandfallPostgres
@testable import LandfallStore

extension PostgresTests {
    @Suite("tells each node what other nodes have changed")
    struct ChangeFeedTests {
        /// One node, and what it has heard.
        private final class Node: Sendable {
            let database: PostgresDatabase
            private let news = Mutex<[StoreNews]>([])
            private let observation = Mutex<StoreObservation?>(nil)

            init(_ url: String) async throws {
                database = try await PostgresDatabase.open(PostgresAddress(url), limits: .wide)
                try await database.migrate([])
                let observation = database.observers.add { [weak self] one in self?.news.withLock { $0.append(one) } }
                self.observation.withLock { $0 = observation }
            }

            func hear() async throws -> [String] {
                news.withLock { $0 = [] }
                try await database.hear()
                return news.withLock(\.self).flatMap { one in
                    if case .changed(let changes) = one { changes.map(\.subject) } else { ["missed"] }
                }
            }

            func change(_ subject: String) async throws {
                try await database.write { $0.tell(StoreChange(.init("note"), app: "app", subject: subject)) }
            }
        }

        @Test("A change is heard once, by every other node, and not by its own a second time")
        func once() async throws {
            let url = try #require(OwnServer.current).schema()
            let (one, other, third) = (try await Node(url), try await Node(url), try await Node(url))
            for node in [one, other, third] { #expect(try await node.hear() == ["missed"]) }
            try await one.change("a")
            try await other.change("b")
            #expect(try await one.hear() == ["b"])
            #expect(try await other.hear() == ["a"])
            #expect(Set(try await third.hear()) == ["a", "b"])
            for node in [one, other, third] { #expect(try await node.hear().isEmpty) }
        }

        @Test("A transaction that began first and is committed last is heard, and so is every one around it")
        func lateCommit() async throws {
            let url = try #require(OwnServer.current).schema()
            let (one, other) = (try await Node(url), try await Node(url))
            _ = try await other.hear()
            let late = try PostgresConnection(test: url)
            try late.run([
                Statement("BEGIN"),
                ChangeFeed.insertion(StoreChange(.init("note"), app: "app", subject: "late"), of: one.database.node),
            ])
            var heard: [String] = []
            for number in 1...3 {
                try await one.change("\(number)")
                heard += try await other.hear()
            }
            #expect(heard == ["1", "2", "3"])
            try late.run([Statement("COMMIT")])
            try await one.change("4")
            #expect(Set(try await other.hear()) == ["late", "4"])
            #expect(try await other.hear().isEmpty)
        }

        @Test("Nothing is missed or heard twice while many nodes write and one listens")
        func busy() async throws {
            let url = try #require(OwnServer.current).schema()
            let (one, other, listener) = (try await Node(url), try await Node(url), try await Node(url))
            _ = try await listener.hear()
            let isDone = Atomic(false)
            var heard: [String] = []
            async let writing: Void = withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...300 { group.addTask { try await (number % 2 == 0 ? one : other).change("\(number)") } }
                try await group.waitForAll()
                isDone.store(true, ordering: .sequentiallyConsistent)
            }
            while !isDone.load(ordering: .sequentiallyConsistent) { heard += try await listener.hear() }
            try await writing
            heard += try await listener.hear()
            #expect(heard.sorted() == (1...300).map { "\($0)" }.sorted())
        }

        @Test("After a lost connection a node is told that it may have missed changes")
        func loss() async throws {
            let url = try #require(OwnServer.current).schema() + "&pool=1"
            let (one, other) = (try await Node(url), try await Node(url))
            _ = try await other.hear()
            try await one.change("a")
            let feedTable = "ALTER TABLE node_change RENAME TO away"
            try PostgresConnection(test: url).run([Statement(feedTable)])
            await #expect(throws: DatabaseError.self) { try await other.database.hear() }
            try PostgresConnection(test: url).run([Statement("ALTER TABLE away RENAME TO node_change")])
            #expect(try await other.hear() == ["missed"])
            try await one.change("b")
            #expect(try await other.hear() == ["b"])
        }

        @Test("Nodes see each other by the database's clock; one that stops is gone")
        func beats() async throws {
            let url = try #require(OwnServer.current).schema()
            let (one, other) = (try await Node(url), try await Node(url))
            func beat(_ node: Node, _ release: String, nowMs: Int64 = 0) async throws -> NodesSeen {
                try await node.database.beat(release: release, nowMs: nowMs, asking: []).seen
            }
            let first = try await beat(one, "1")
            #expect(first.nodes.map(\.name) == [one.database.node])
            let seen = try await beat(other, "2", nowMs: first.nowMs + 300_000)
            #expect(Set(seen.nodes.map(\.name)) == [one.database.node, other.database.node])
            #expect(seen.nodes.first { $0.name == one.database.node }?.release == "1")
            // The moment between the two beats counts as the second clock's.
            #expect(240_000...300_000 ~= seen.nodes.first { $0.release == "2" }?.clockAheadMs ?? 0)
            try PostgresConnection(test: url).run([
                Statement(
                    """
                    UPDATE node SET seen_at = seen_at - INTERVAL '10 seconds', began_at = began_at - INTERVAL '1 hour' WHERE release = '1'
                    """)
            ])
            let (later, answers) = try await other.database.beat(release: "2", nowMs: 0, asking: [Statement("SELECT 7 AS seven")])
            #expect(try #require(later.nodes.first { $0.release == "1" }).silentMs >= 10_000)
            #expect(try #require(later.nodes.first { $0.release == "2" }).silentMs < 5_000)
            let again = try await beat(one, "1")
            #expect(try #require(again.nodes.first { $0.release == "1" }).runningMs >= 3_600_000)
            #expect(try answers[0].first?.integer(0) == 7)
            #expect(try await one.database.livingOthers().map(\.release) == ["2"])
            try await one.database.leave()
            #expect(try await other.database.nodes().nodes.map(\.release) == ["2"])
        }
    }
}
