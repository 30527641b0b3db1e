// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import Testing

@testable import LandfallConsole
@testable import LandfallServer
@testable import LandfallStore

@Suite("What a node says about its health", .timeLimit(.minutes(1)))
struct HealthFactsTests {
    private static let day: Int64 = 24 * 3_600_000
    private static let now: Int64 = 1_795_300_000_000

    /// A node that has run for a day, with everything in order.
    private static let good = HealthFacts(
        nowMs: now, startedAtMs: now - day, store: .init(), served: 3, newest: 3, completeToMs: now - 60_000, dueMs: [.retention: now + 1],
        lastBackupMs: now - day, storeSinceMs: now - 90 * day, held: 1, mostHeld: 10_000, connections: 2, mostConnections: 50_000,
        watching: 1, hasActiveKey: true, endingKeys: [.init(name: "SERVER_KEY", endsAtMs: now + 30 * day)])

    private static func wrong(_ change: (inout HealthFacts) -> Void) -> [String] {
        var facts = good
        change(&facts)
        return facts.checks.filter { !$0.isOK }.map(\.name)
    }

    @Test("A node in order has ten checks and no problem")
    func inOrder() {
        #expect(Self.good.checks.map(\.name) == [
            "store", "writes", "disk", "configuration", "reports", "jobs", "backup", "held", "connections", "keys",
        ])
        #expect(Self.wrong { _ in }.isEmpty)
    }

    @Test("Each limit is a problem from its value on, and not before")
    func limits() {
        #expect(Self.wrong { $0.store?.damage = "page 3" } == ["store"])
        #expect(Self.wrong { $0.store?.failure = "disk I/O error" } == ["writes"])
        #expect(Self.wrong { $0.store?.waiting = HealthFacts.mostWaiting } == ["writes"])
        #expect(Self.wrong { $0.store?.freeDiskShare = 0.05 } == [])
        #expect(Self.wrong { $0.store?.freeDiskShare = 0.049 } == ["disk"])
        #expect(Self.wrong { $0.newest = 4 } == ["configuration"])
        #expect(Self.wrong { $0.completeToMs = $0.nowMs - 10 * 60_000 } == ["reports"])
        #expect(Self.wrong { $0.completeToMs = $0.nowMs - 10 * 60_000 + 1 } == [])
        #expect(Self.wrong { $0.completeToMs = nil } == ["reports"])
        #expect(Self.wrong { $0.dueMs[.erasure] = $0.nowMs - HealthFacts.mostLateMs } == ["jobs"])
        #expect(Self.wrong { $0.dueMs[.erasure] = $0.nowMs - HealthFacts.mostLateMs + 1 } == [])
        #expect(Self.wrong { $0.dueMs = [:] } == [])
        #expect(Self.wrong { $0.failures = [.retention: HealthFacts.mostFailures] } == ["jobs"])
        #expect(Self.wrong { $0.failures = [.retention: HealthFacts.mostFailures - 1] } == [])
        #expect(Self.wrong { $0.held = 8_999 } == [])
        #expect(Self.wrong { $0.held = 9_000 } == ["held"])
        #expect(Self.wrong { ($0.held, $0.mostHeld) = (0, 0) } == [])
        #expect(Self.wrong { $0.connections = 45_000 } == ["connections"])
        #expect(Self.wrong { $0.hasActiveKey = false } == ["keys"])
        #expect(Self.wrong { $0.endingKeys = [.init(name: "pk_d… (7)", endsAtMs: $0.nowMs + 30 * Self.day - 1)] } == ["keys"])
    }

    @Test("Endpoints that are off or fail are a problem, messages that wait or made room are none; without endpoints there is no line")
    func webhooks() {
        #expect(!Self.good.checks.map(\.name).contains("webhooks"))
        #expect(Self.wrong { $0.webhooks = .init(waiting: 9, dropped: 9) } == [])
        #expect(Self.wrong { $0.webhooks = .init(off: 1) } == ["webhooks"])
        #expect(Self.wrong { $0.webhooks = .init(failing: 1) } == ["webhooks"])
    }

    @Test("A file that was refused is a problem with a command; a node without one has no line about it")
    func file() {
        #expect(Self.wrong { $0.fileRefusal = "landfall.yaml:1:6: 'app' needs 'id'." } == ["file"])
        #expect(!Self.good.checks.map(\.name).contains("file"))
    }

    @Test("A backup may be a week old, counted from a restore; a store without any is one to make on its first day, and a problem then")
    func backup() {
        #expect(Self.wrong { $0.lastBackupMs = $0.nowMs - 7 * Self.day } == ["backup"])
        #expect(Self.wrong { $0.lastBackupMs = $0.nowMs - 7 * Self.day + 1 } == [])
        #expect(Self.wrong { ($0.lastBackupMs, $0.storeSinceMs) = ($0.nowMs - 9 * Self.day, $0.nowMs - Self.day) } == [])
        #expect(Self.wrong { $0.lastBackupMs = nil } == ["backup"])
        #expect(Self.wrong { ($0.lastBackupMs, $0.storeSinceMs) = (nil, $0.nowMs - Self.day) } == ["backup"])
        #expect(Self.wrong { ($0.lastBackupMs, $0.storeSinceMs) = (nil, $0.nowMs - Self.day + 1) } == [])
    }

    @Test("Of a database that nodes share, the server says whose task its backups are, and does not call them in order", arguments: [nil, 9] as [Int64?])
    func backupOfDatabase(age: Int64?) throws {
        let facts = Self.good.with { ($0.lastBackupMs, $0.isShared) = (age.map { Self.now - $0 * Self.day }, true) }

        let check = try #require(facts.checks.first { $0.name == "backup" })

        #expect(check.verdict == .elsewhere && check.isOK && check.command == nil)
        #expect(Words(.english).sentence(check.finding).contains("those who run PostgreSQL"))
        #expect(Self.good.with { $0.isShared = true }.checks.first { $0.name == "backup" }?.verdict == .inOrder)
    }

    @Test("Work that is late is named, the longest due first, with since when and for how long")
    func late() throws {
        let facts = Self.good.with { facts in
            facts.dueMs = [.rollups: Self.now - 2_280_000, .retention: Self.now - 7_200_000, .erasure: Self.now - 60_000, .alerts: Self.now + 9]
        }

        let check = try #require(facts.checks.first { $0.name == "jobs" })

        #expect(!check.isOK)
        let since = [7_200_000, 2_280_000].map { Words(.english).moment(Self.now - $0) }
        #expect(
            Words(.english).sentence(check.finding)
                == "Deleting what has expired: 2 hours late, since \(since[0]) UTC. Counting for reports: 38 minutes late, since \(since[1]) UTC.")
    }

    @Test("A stream may be ten minutes and its interval behind, also before its first whole copy; without one there is no line")
    func stream() {
        func wrong(behindMs: Int64, isWhole: Bool) -> [String] {
            Self.wrong { facts in
                var stream = StreamCondition(sinceMs: facts.nowMs - (isWhole ? Self.day : behindMs), everyMs: 60_000)
                if isWhole { stream.reachedMs = facts.nowMs - behindMs }
                facts.stream = stream
            }
        }

        for isWhole in [true, false] {
            #expect(wrong(behindMs: 11 * 60_000 - 1, isWhole: isWhole) == [])
            #expect(wrong(behindMs: 11 * 60_000, isWhole: isWhole) == ["stream"])
        }
        #expect(!Self.good.checks.map(\.name).contains("stream"))
    }

    @Test("Files of each day that cannot be written are a problem, and so are two days that are missing; without the section there is no line")
    func exports() {
        #expect(Self.wrong { $0.exported = .init(failure: "no answer", lastDay: nil) } == ["exports"])
        #expect(Self.wrong { $0.exported = .init(lastDay: "2026-11-28", daysBehind: 2) } == ["exports"])
        #expect(Self.wrong { $0.exported = .init(lastDay: "2026-11-28", daysBehind: 1) } == [])
        #expect(!Self.good.checks.map(\.name).contains("exports"))
    }

    @Test("A node that just started has ten minutes to count the first days; what it finds late is late, and it says that it catches up")
    func young() throws {
        #expect(Self.wrong { ($0.startedAtMs, $0.completeToMs) = ($0.nowMs - 10 * 60_000 + 1, nil) } == [])
        #expect(Self.wrong { ($0.startedAtMs, $0.completeToMs) = ($0.nowMs - 10 * 60_000, nil) } == ["reports"])
        let facts = Self.good.with { facts in
            (facts.startedAtMs, facts.completeToMs, facts.dueMs) = (Self.now - 60_000, Self.now - Self.day, [.retention: Self.now - Self.day])
        }

        let wrong = facts.checks.filter { !$0.isOK }

        #expect(wrong.map(\.name) == ["reports", "jobs"])
        #expect(wrong.allSatisfy { Words(.english).fix($0.finding).contains("just started") })
    }

    @Test("Nodes that share a store have four checks more, each with its limit")
    func nodes() {
        func wrong(awayMs: Int64? = nil, _ change: (inout [NodesHealth.Node]) -> Void = { _ in }) -> [String] {
            var nodes = ["a", "b"].map { Self.node($0) }
            change(&nodes)
            return Self.wrong { $0.nodes = NodesHealth(nodes, awaySinceMs: awayMs.map { Self.now - $0 }) }
        }

        #expect(Self.good.with { $0.nodes = NodesHealth([Self.node("a")], awaySinceMs: nil) }.checks.suffix(4).map(\.name) == [
            "database", "nodes", "releases", "clocks",
        ])
        #expect(wrong() == [])
        #expect(wrong(awayMs: 0) == ["database"])
        #expect(wrong { $0[1] = Self.node("b", silentMs: 3_000) } == [])
        #expect(wrong { $0[1] = Self.node("b", silentMs: 3_001) } == ["nodes"])
        #expect(wrong { $0[1] = Self.node("b", release: "2") } == ["releases"])
        #expect(wrong { $0[0] = Self.node("a", aheadMs: -2_000) } == [])
        #expect(wrong { $0[0] = Self.node("a", aheadMs: -2_001) } == ["clocks"])
    }

    @Test(
        "A replica has a check too: it is read, or nobody knows yet, or it is not in order",
        arguments: [(.ok, []), (.unknown, []), (.behind, ["replica"]), (.away, ["replica"])] as [(ReplicaCondition.State, [String])])
    func replica(state: ReplicaCondition.State, wrong: [String]) {
        let nodes = NodesHealth([Self.node("a")], awaySinceMs: nil, replica: ReplicaCondition(state, ageMs: 90_000))

        #expect(Self.good.with { $0.nodes = nodes }.checks.last?.name == "replica")
        #expect(Self.wrong { $0.nodes = nodes } == wrong)
    }

    private static func node(_ name: String, release: String = "1", silentMs: Int64 = 0, aheadMs: Int64 = 0) -> NodesHealth.Node {
        .init(name: name, release: release, runningMs: 0, silentMs: silentMs, clockAheadMs: aheadMs, isThis: name == "a")
    }

    @Test("An engine that cannot tell about its disk has no checks of it")
    func otherEngine() { #expect(Self.good.with { $0.store = nil }.checks.map(\.name).first == "configuration") }
}

extension HealthFacts {
    fileprivate func with(_ change: (inout HealthFacts) -> Void) -> HealthFacts {
        var facts = self
        change(&facts)
        return facts
    }
}
