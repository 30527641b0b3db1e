// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Logging
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallSQLite
@testable import LandfallServer
@testable import LandfallStore

@Suite("A restored store", .timeLimit(.minutes(1)))
struct StoreRestoreTests {
    private static func applied(_ migrations: some Sequence<Migration>) -> [AppliedMigration] {
        migrations.map { AppliedMigration(id: $0.id, olderReleases: $0.olderReleases) }
    }

    private static func prepare(_ database: any Database, _ applied: [AppliedMigration], nowMs: Int64) async throws -> StoreRestore.Prepared {
        try await database.write(.bulk, locking: [RowLock("store", ["name": .text("self")])]) { connection in
            try StoreRestore.prepare(connection, applied: applied, replacing: nil, nowMs: nowMs)
        }
    }

    @Test("has no sessions and no invitations, and publishes no version that was scheduled when the backup was made")
    func ended() async throws {
        try await PublishingServer.run { publisher in
            let server = publisher.server, services = server.services, nowMs = services.time.nowMs()
            let maya = try await ConsoleBrowser.signedIn(server, as: .owner), token = SessionToken.drawn()
            let invitation = Invitation(
                email: MemberEmail("omar@example.com"), role: .viewer, invitedBy: "maya@example.com", expiresAtMs: nowMs + 3_600_000)
            let line = AuditLine(action: .invited, member: nil, subject: "", network: nil)
            _ = try await server.invitations.invite(invitation, token, line, nowMs: nowMs)
            let scheduled = try await publisher.publish(PublishingServer.yaml("special"), "?atMilliseconds=\(nowMs + 60_000)").answer
            #expect(scheduled.scheduled != nil)
            #expect(try await maya.get("/console/account").status == .ok)
            #expect(try await ConsoleBrowser(server).get("/console/join?token=" + token.text).status == .ok)

            let prepared = try await Self.prepare(services.database, Self.applied(Schema.migrations), nowMs: nowMs)
            server.clock.advance(by: .seconds(120))
            let queue = JobQueue(database: services.database), work = services.publishing.work(.silent)
            for job in try await queue.lease(.scheduledVersion, 10, nowMs: services.time.nowMs(), leaseMs: 60_000) {
                try await queue.move(job, try await work.attempt(job))
            }

            #expect(prepared.stoppedVersions == 1)
            #expect(try await publisher.shown() == "default, 1")
            let entry = try #require(try await publisher.versions().first)
            #expect(entry.status == .failed && entry.reason?.contains("was restored from a backup") == true)
            #expect(try await maya.get("/console/account").status == .seeOther)
            #expect(try await ConsoleBrowser(server).get("/console/join?token=" + token.text).status == .gone)
            #expect(try await ConsoleBrowser(server).signIn("maya@example.com").status == .seeOther, "Members stay.")
        }
    }

    @Test("cannot come from before the first release")
    func unreleased() async throws {
        let memory = try MemoryDatabase()
        let old = AppliedMigration(id: "2026-11-21 installs: create store, install, profile, customer and device")

        await #expect(throws: DatabaseError.schemaIsUnreleased(old.id)) { try await Self.prepare(memory, [old], nowMs: 5) }
    }
}
