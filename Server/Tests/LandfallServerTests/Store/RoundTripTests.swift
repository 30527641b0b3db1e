// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Synchronization
import Testing

@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("What a call waits for, if the engine is on another machine", .timeLimit(.minutes(1)))
struct RoundTripTests {
    @Test("An install, its keys and its absences are asked together, and so are the names of a new install; one batch writes")
    func trips() async throws {
        let store = try await TestStore(), log = TripLog(store.database)
        let installs = SQLInstallStore(log, store.mark)
        var device = DeviceFacts()
        device.deviceId = "d"
        let link = ClickReport(
            OpenedLink(
                answer: LinkOpenAnswer(status: .passedThrough, original: "https://go.example.com/a?lf_campaign=c"),
                click: InAppClick(
                    try LinkAddress("https://go.example.com/a?lf_campaign=c"),
                    try LinkParameters(LinkAddress("https://go.example.com/a?lf_campaign=c")))),
            key: "l", ageMilliseconds: 0, windows: AttributionWindows())

        _ = try await installs.open(
            TestStore.app, .mayasPhone, Opening(device: device, adToken: .value("t"), attributes: [:]), nowMs: TestStore.noon)
        _ = try await installs.change(
            TestStore.app, .mayasPhone, AttributeChanges(key: "a", attributes: ["plan": .string("gold")]), nowMs: TestStore.noon)
        _ = try await installs.record(TestStore.app, .mayasPhone, #require(link), nowMs: TestStore.noon)

        #expect(log.units == [2, 2, 2])
        #expect(try await store.install(.mayasPhone).attributes["plan"] == .string("gold"))
    }
}

/// Counts the round trips of each unit.
private final class TripLog: PassingDatabase {
    let base: any Database
    private let log = Mutex<[Int]>([])

    init(_ base: any Database) { self.base = base }

    var units: [Int] { log.withLock(\.self) }

    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock], _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value {
        let (value, trips) = try await base.write(urgency, locking: locks) { base in
            let connection = Connection(base)
            return (try body(connection), connection.trips)
        }
        log.withLock { $0.append(trips) }
        return value
    }

    private final class Connection: PassingConnection {
        let base: any WriteConnection
        private(set) var trips = 0

        init(_ base: any WriteConnection) { self.base = base }

        func rows(_ statement: Statement) throws -> [Row] {
            trips += 1
            return try base.rows(statement)
        }

        func rows(_ statements: [Statement]) throws -> [[Row]] {
            trips += statements.isEmpty ? 0 : 1
            return try base.rows(statements)
        }

        func run(_ statement: Statement) throws -> Int {
            trips += 1
            return try base.run(statement)
        }

        func batch(_ statements: [Statement]) throws -> [Int] {
            trips += statements.isEmpty ? 0 : 1
            return try base.batch(statements)
        }
    }
}
