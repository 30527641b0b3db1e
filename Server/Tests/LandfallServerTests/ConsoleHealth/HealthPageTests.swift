// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallSQLite
@testable import LandfallServer
@testable import LandfallStore

@Suite("The console's health page", .timeLimit(.minutes(1)))
struct HealthPageTests {
    private struct Document: Decodable {
        let configurationVersion: Int64
        let uptimeMilliseconds: Int64
        let checks: [DoctorFinding]
    }

    @Test("Page and document have the same checks, a problem with what to do")
    func problem() async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .admin)
            server.services.configuration.isBehind(8)
            server.clock.advance(by: .seconds(120))

            let page = try await browser.get("/console/health").page
            let answer = try await browser.get("/console/health.json")
            let document = try answer.decoded(Document.self)

            #expect(answer.headers[.contentType] == "application/json")
            #expect(document.configurationVersion == 7)
            #expect(document.uptimeMilliseconds == 120_000)
            #expect(document.checks.filter { !$0.ok }.map(\.check) == ["configuration"])
            #expect(document.checks.allSatisfy { page.contains("data-check=\"\($0.check)\"") })
            #expect(page.contains("landfall check landfall.yaml"))
            #expect(page.contains("2 minutes"))
        }
    }

    @Test("An alert that fires is on the page, in the document and on the overview, with since when and what to do; one that waits is not")
    func alerts() async throws {
        struct Alerts: Decodable { let alerts: [FiringAlert] }
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner), nowMs = server.services.time.nowMs()
            let states = ([(.certificate, nowMs), (.appleCopy, nil)] as [(AlertRule, Int64?)]).map { rule, firedAtMs in
                AlertState(
                    key: AlertKey(rule, "go.example.com"), sinceMs: nowMs, quietSinceMs: nil, firedAtMs: firedAtMs,
                    value: rule.limit == nil ? nil : 3, limit: rule.limit?.usual, detail: "")
            }
            try await server.services.alertStore.move(from: AlertStates(), to: AlertStates(states), telling: [], to: [], nowMs: nowMs)

            let document = try await browser.get("/console/health.json").decoded(Alerts.self)

            #expect(document.alerts.map(\.rule) == ["certificate"] && document.alerts.first?.host == "go.example.com")
            #expect(document.alerts.first?.message == "The certificate of go.example.com ends in 3 days. The limit is 14 days.")
            for path in ["/console/health", "/console"] {
                let page = try await browser.get(path).page
                #expect(page.contains("data-alert=\"certificate\"") && !page.contains("data-alert=\"appleCopy\""))
                #expect(page.contains("The certificate of go.example.com ends in 3 days."))
            }
        }
    }

    @Test("Work that is late in the queue is on the page by its name, and on the overview of who may look at the server")
    func late() async throws {
        try await TestServer.run { server in
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner)
            let viewer = try await ConsoleBrowser.signedIn(server, as: .viewer, "viewer@example.com")
            let name = JobName(app: server.services.snapshot.app.id, kind: .retention, key: "all")
            try await JobQueue(database: server.services.database).add([name], dueAtMs: server.services.time.nowMs() - 38 * 60_000)

            let page = try await owner.get("/console/health").page
            let overview = try await owner.get("/console").page, plain = try await viewer.get("/console").page

            #expect(page.contains("Deleting what has expired: 38 minutes late, since "))
            #expect(overview.contains("<a href=\"/console/health\">Health, not in order: Background work</a>"))
            #expect(!plain.contains("Health, not in order"))
        }
    }

    @Test("A job that fails at each try is put off and so never late: its failures are on the page")
    func failing() async throws {
        try await TestServer.run { server in
            let owner = try await ConsoleBrowser.signedIn(server, as: .owner), nowMs = server.services.time.nowMs()
            let queue = JobQueue(database: server.services.database)
            try await queue.add([JobName(app: server.services.snapshot.app.id, kind: .retention, key: "all")], dueAtMs: nowMs)
            for _ in 0..<HealthFacts.mostFailures {
                let job = try #require(try await queue.lease(.retention, 1, nowMs: nowMs, leaseMs: 1_000).first)
                try await queue.move(job, .retry(atMs: nowMs))
            }

            let page = try await owner.get("/console/health").page

            #expect(page.contains("Deleting what has expired: failed at each of the last \(HealthFacts.mostFailures) tries."))
        }
    }

    @Test("A backup is remembered in the store, with the time at which it began")
    func backup() async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)
            let beganMs = server.services.time.nowMs()
            try await server.services.database.write { try BackupMade(atMs: beganMs - 1, bytes: 5).store($0) }
            try await server.services.database.write { try BackupMade(atMs: beganMs, bytes: 6).store($0) }
            server.clock.advance(by: .seconds(8 * 24 * 3600))
            try await server.services.database.write { connection in
                _ = try connection.run("UPDATE console_session SET seen_at_ms = $1", [.integer(beganMs + 8 * 24 * 3_600_000)])
            }

            let document = try await browser.get("/console/health.json").decoded(Document.self)

            #expect(document.checks.first { $0.check == "backup" }?.message == "The last backup is 8 days old.")
            #expect(document.checks.first { $0.check == "backup" }?.fix?.contains("landfall backup") == true)
        }
    }

    @Test("A store that was never backed up is a hint in its first day, and a problem from then on")
    func never() async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)
            let sinceMs = try await server.services.database.read {
                try $0.row("SELECT epoch FROM store WHERE name = $1", [.text("self")])?.integer("epoch") ?? 0
            }

            let young = try await browser.get("/console/health.json").decoded(Document.self)
            let page = try await browser.get("/console/health").page
            server.clock.advance(by: .milliseconds(sinceMs + BackupState.longestFirstMs - server.services.time.nowMs()))
            try await server.services.database.write { [nowMs = server.services.time.nowMs()] connection in
                _ = try connection.run("UPDATE console_session SET seen_at_ms = $1", [.integer(nowMs)])
            }
            let old = try await browser.get("/console/health.json").decoded(Document.self)

            #expect(young.checks.first { $0.check == "backup" }?.ok == true)
            #expect(page.contains("<span class=\"badge\">To do</span>") && page.contains("landfall backup landfall-backup.sqlite"))
            #expect(old.checks.first { $0.check == "backup" }?.ok == false)
        }
    }

    @Test("The command that copies a store notes it there")
    func noted() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("landfall-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let sqlite = try SQLiteDatabase(path: folder.appendingPathComponent("landfall.sqlite").path)
        try await sqlite.migrate(Schema.migrations)
        let time = ServerTime(nowMs: { 77 }, sleep: { _ in })

        let outcome = try await StoreBackup(sqlite, time: time).make(
            folder.appendingPathComponent("copy.sqlite").path, isReplacing: false)

        #expect(try await sqlite.read { try BackupMade.last($0) } == BackupMade(atMs: 77, bytes: outcome.bytes, file: outcome.file))
        try await sqlite.close()
    }
}
