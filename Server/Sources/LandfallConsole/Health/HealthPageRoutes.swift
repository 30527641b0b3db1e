// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallServer
import LandfallWire
import NIOCore

/// `/console/health`: the checks of `landfall doctor` that need no look from outside.
struct HealthPageRoutes: Sendable {
    let reading: HealthReader
    let testing: TestNotificationRoutes

    @Sendable func page(_ call: ConsoleCall) async throws -> Response {
        let facts = try await reading.facts()
        return ConsoleAnswer.page(
            HealthPage(
                frame: try call.frame, node: facts.node, checks: facts.checks, appStore: facts.appStore, nodes: facts.nodes, alerts: facts.alerts
            ).html)
    }

    /// Asks Apple for a TEST notification; the page then says how it went.
    @Sendable func test(_ call: ConsoleCall) async throws -> Response {
        _ = try await testing.send(of: reading.configuration.snapshot)
        return ConsoleAnswer.see(Place("/console/health"))
    }

    /// The same for programs, in English.
    @Sendable func json(_ call: ConsoleCall) async throws -> Response {
        try ConsoleAnswer.document(HealthDocument(try await reading.facts()))
    }
}

extension ConsoleRoute {
    static func health(_ routes: HealthPageRoutes) -> [ConsoleRoute] {
        [
            get("/console/health", .member(.operating), routes.page),
            get("/console/health.json", .member(.operating), routes.json),
            post("/console/health/test", .member(.operating), routes.test),
        ]
    }
}

struct HealthDocument: Encodable {
    let version: String
    let uptimeMilliseconds: Int64
    let configurationVersion: Int64
    let connections: Int
    let held: Int
    let watching: Int
    /// Nil if no other node works on the store. Everything else is of this node alone.
    let nodes: [Node]?
    /// As `landfall doctor --json` writes them.
    let checks: [DoctorFinding]
    /// Those that fire, as `landfall alerts list --json` writes them.
    let alerts: [FiringAlert]

    struct Node: Encodable {
        let name: String
        let release: String
        let uptimeMilliseconds: Int64
        let silentMilliseconds: Int64
        let clockAheadMilliseconds: Int64
        let isThis: Bool
    }

    init(_ facts: HealthFacts) {
        let words = Words(.english)
        version = facts.node.release
        uptimeMilliseconds = facts.node.runningMs
        configurationVersion = facts.served
        connections = facts.connections
        held = facts.held
        watching = facts.watching
        nodes = facts.nodes?.nodes.map { node in
            Node(
                name: node.name, release: node.release, uptimeMilliseconds: node.runningMs, silentMilliseconds: node.silentMs,
                clockAheadMilliseconds: node.clockAheadMs, isThis: node.isThis)
        }
        alerts = facts.alerts.map(FiringAlert.init)
        checks = facts.checks.map { check in
            let fix = [words.fix(check.finding), check.command].compactMap(\.self).joined(separator: " ")
            return DoctorFinding(check: check.name, ok: check.isOK, message: words.sentence(check.finding), fix: check.isOK ? nil : fix)
        }
    }
}
