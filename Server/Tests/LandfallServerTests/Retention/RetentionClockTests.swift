// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Logging
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Retention and a wrong clock", .timeLimit(.minutes(1)))
struct RetentionClockTests {
    private static let dayMs = Retention.dayMs
    private static let days = Duration.seconds(86_400)

    /// One try of each rule, as a node makes it.
    private static func retainAll(on server: TestServer, metrics: PrometheusRegistry = PrometheusRegistry()) async throws -> [JobStep] {
        let services = server.services
        let work = RetentionWork(
            app: services.snapshot.app.id, rules: services.retentionRules, clock: services.retentionClock, time: services.time,
            telemetry: RetentionTelemetry(logger: .silent, factory: metrics)
        ).work
        var steps: [JobStep] = []
        for name in work.standing {
            steps.append(
                try await work.attempt(Job(name: name, install: nil, payload: "", attempts: 1, createdAtMs: 0, leaseUntilMs: 0)))
        }
        return steps
    }

    private static func count(_ table: String, on server: TestServer) async throws -> Int { try await server.apps(in: table).count }

    @Test("A start 1,200 days ahead deletes nothing, until the clock is right again")
    func ahead() async throws {
        try await TestServer.run { server in
            _ = try await server.firstOpen("{}")
            _ = try await server.send(
                .post, WirePath.events, #"{"events":[{"id":"0198f0c2-7b1a-7c3d-8e4f-000000000009","type":"opened","occurredAt":"2026-11-20T12:00:00Z"}]}"#)
            _ = try await Self.retainAll(on: server)
            let keys = try await Self.count("event_key", on: server)
            let installs = try await Self.count("install", on: server)
            let metrics = PrometheusRegistry()

            server.clock.advance(by: Self.days * 1200)
            // Phones write with the wrong clock before the first look.
            _ = try await server.firstOpen("{}", phone: Phone(2))
            let steps = try await Self.retainAll(on: server, metrics: metrics)

            #expect(installs == 1)
            #expect(try await Self.count("install", on: server) == 2)
            #expect(try await Self.count("event_key", on: server) == keys)
            #expect(metrics.text().contains("landfall_retention_clock_refused 1"))
            let laterMs = server.services.time.nowMs() + RetentionRule.intervalMs
            #expect(steps.contains(.again(atMs: laterMs)))
        }
    }

    @Test("A confirmed clock is believed, and what it deletes is counted by table")
    func confirmed() async throws {
        try await TestServer.run { server in
            _ = try await server.firstOpen("{}")
            _ = try await Self.retainAll(on: server)
            server.clock.advance(by: Self.days * 1101)
            let clock = server.services.retentionClock, nowMs = server.services.time.nowMs()
            _ = try await Self.retainAll(on: server)
            let before = try await Self.count("install", on: server)

            let jump = try await clock.confirm(nowMs: nowMs)
            let metrics = PrometheusRegistry()
            _ = try await Self.retainAll(on: server, metrics: metrics)

            #expect(before == 1)
            #expect(jump?.aheadMs == 1101 * Self.dayMs)
            #expect(try await Self.count("install", on: server) == 0)
            #expect(metrics.text().contains(#"landfall_retention_deleted_total{table="install"} 1"#))
            #expect(metrics.text().contains("landfall_retention_clock_refused 0"))
            let again = try await clock.confirm(nowMs: nowMs)
            #expect(again == nil, "nothing is left to confirm")
        }
    }

    @Test("The limit is seven days, to the millisecond; a clock that goes back keeps the newest time")
    func bound() async throws {
        try await TestServer.run { server in
            let clock = server.services.retentionClock, nowMs = server.services.time.nowMs()

            var jumps: [Int64?] = []
            for ms in [0, -800 * Self.dayMs, RetentionClock.boundMs + 1, RetentionClock.boundMs, 2 * RetentionClock.boundMs] {
                jumps.append(try await clock.jump(nowMs: nowMs + ms)?.newestMs)
            }

            // Within the bound it moves with the clock.
            #expect(jumps == [nil, nil, nowMs, nil, nil])
        }
    }

    @Test("Keys that exist for a day or for minutes go on time by any clock")
    func privacy() async throws {
        try await TestServer.run { server in
            let rules = server.services.retentionRules.filter { !$0.heedsClock }.map(\.name)

            #expect(Set(rules) == ["address_click", "visitor_key"])
        }
    }
}
