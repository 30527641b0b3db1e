// SPDX-License-Identifier: Apache-2.0
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

@Suite("A version that is scheduled", .timeLimit(.minutes(1)))
struct ScheduledVersionTests {
    private func schedule(_ text: String, afterMs: Int64 = 60_000, in publisher: PublishingServer) async throws -> PublishingAnswer {
        let atMs = publisher.server.services.time.nowMs() + afterMs
        return try await publisher.publish(text, "?atMilliseconds=\(atMs)").answer
    }

    /// Runs the jobs that are due, as the queue of jobs does.
    private func work(_ publisher: PublishingServer, after pause: Duration = .seconds(60)) async throws {
        publisher.server.clock.advance(by: pause)
        let services = publisher.server.services
        let queue = JobQueue(database: services.database)
        let work = services.publishing.work(.silent)
        for job in try await queue.lease(.scheduledVersion, 10, nowMs: services.time.nowMs(), leaseMs: 60_000) {
            try await queue.move(job, try await work.attempt(job))
        }
    }

    @Test("is answered with its changes and listed, and published at its time")
    func published() async throws {
        try await PublishingServer.run { publisher in
            let answer = try await schedule(PublishingServer.yaml("special"), in: publisher)
            #expect(answer.version == nil)
            #expect(answer.changes.count == 1)
            let waiting = try #require(try await publisher.versions().first)
            #expect(waiting.status == .scheduled)
            #expect(waiting.id == answer.scheduled?.id)
            #expect(waiting.atMilliseconds == answer.scheduled?.atMilliseconds)
            #expect(waiting.base == 1)

            try await work(publisher, after: .seconds(59))
            #expect(try await publisher.shown() == "default, 1")
            try await work(publisher, after: .seconds(1))

            #expect(try await publisher.shown() == "special, 2")
            #expect(try await publisher.versions().map(\.status) == [.published, .published])
            #expect(try await publisher.versions().first?.author == "key LANDFALL_CI_KEY")
            let lines = try await publisher.server.audit.page(before: nil).map(\.entry)
            #expect(lines.map(\.action) == ["version_went_live", "version_scheduled"])
            #expect(lines.first?.member == "key LANDFALL_CI_KEY" && lines.first?.subject == "2")
        }
    }

    @Test("is not published if it was cancelled after it was read: the unit that publishes finds out, whether its text is new or not")
    func waitsNoMore() async throws {
        try await PublishingServer.run { publisher in
            let publishing = publisher.server.services.publishing, versions = publishing.schedule
            for text in ["special", "default"].map({ PublishingServer.yaml($0) }) {
                let id = try #require(try await schedule(text, in: publisher).scheduled?.id)
                let read = try #require(try await versions.find(id))
                #expect(try await versions.cancel(id))
                let newest = try #require(try await publishing.store.newestNumber())

                await #expect(throws: ConfigurationStore.WaitsNoMore.self) {
                    try await publishing.store.publish(
                        read.draft, after: newest, nowMs: publisher.server.services.time.nowMs(), ending: versions.ending(id))
                }

                #expect(try await publishing.store.newestNumber() == newest)
                #expect(try await versions.find(id)?.state == .cancelled)
            }
        }
    }

    @Test("ends at its time without a line in the audit log if its text is the newest version already")
    func unchanged() async throws {
        try await PublishingServer.run { publisher in
            _ = try await schedule(PublishingServer.yaml("special"), in: publisher)
            _ = try await publisher.publish(PublishingServer.yaml("special"))

            try await work(publisher)

            #expect(try await publisher.versions().map(\.status) == [.published, .published])
            #expect(try await publisher.server.actions().sorted() == ["version_published", "version_scheduled"])
        }
    }

    @Test("is published if it undoes nothing that others published in between")
    func compatible() async throws {
        try await PublishingServer.run { publisher in
            _ = try await schedule(PublishingServer.yaml("special", title: "Open"), in: publisher)
            _ = try await publisher.publish(PublishingServer.yaml(title: "Open"))

            try await work(publisher)

            #expect(try await publisher.shown() == "special, 3")
        }
    }

    @Test("fails if it would undo what others published in between, and the list gives the reason")
    func conflict() async throws {
        try await PublishingServer.run { publisher in
            _ = try await schedule(PublishingServer.yaml("special"), in: publisher)
            _ = try await publisher.publish(PublishingServer.yaml(title: "Open"))

            try await work(publisher)

            #expect(try await publisher.shown() == "default, 2")
            let entry = try #require(try await publisher.versions().first)
            #expect(entry.status == .failed)
            #expect(entry.version == nil)
            #expect(entry.reason?.contains("Version 2 was published since") == true)
            #expect(entry.reason?.contains("remote config en.title changes from \"Unlock\" to \"Open\"") == true)
            let line = try #require(try await publisher.server.audit.page(before: nil).first?.entry)
            #expect(line.action == "version_failed" && line.member == "key LANDFALL_CI_KEY")
            #expect(line.subject.contains("Version 2 was published since"))
            let id = try #require(entry.id)
            try await publisher.server.services.publishing.schedule.fail(id, because: "again", with: [Statement("SELECT no_such_column")])
        }
    }

    @Test("fails if it can no longer be served")
    func invalid() async throws {
        try await PublishingServer.run { publisher in
            let text = PublishingServer.yaml("special")
            let services = publisher.server.services
            let scheduled = try await services.publishing.schedule.add(
                .init(text: text.replacing("LANDFALL_WEAK_KEY", with: "LANDFALL_GONE_KEY")), base: 1,
                atMs: services.time.nowMs() + 60_000, nowMs: services.time.nowMs())

            try await work(publisher)

            let entry = try #require(try await publisher.versions().first)
            #expect(entry.id == scheduled.id)
            #expect(entry.reason?.contains("LANDFALL_GONE_KEY") == true)
            #expect(try await publisher.shown() == "default, 1")
        }
    }

    @Test("is published once, however often its job runs")
    func once() async throws {
        try await PublishingServer.run { publisher in
            let id = try #require(try await schedule(PublishingServer.yaml("special"), in: publisher).scheduled?.id)
            publisher.server.clock.advance(by: .seconds(60))

            for _ in 0..<3 { #expect(try await publisher.server.services.publishing.publishScheduled(id, .silent) == nil) }
            _ = try await publisher.publish(PublishingServer.yaml(title: "Later"))
            #expect(try await publisher.server.services.publishing.publishScheduled(id, .silent) == nil)

            #expect(try await publisher.shown() == "default, 3")
        }
    }

    @Test("can be cancelled before its time")
    func cancelled() async throws {
        try await PublishingServer.run { publisher in
            let id = try #require(try await schedule(PublishingServer.yaml("special"), in: publisher).scheduled?.id)

            #expect(try await publisher.send(.delete, "/scheduled/\(id)").object["cancelled"] == true)
            #expect(try await publisher.send(.delete, "/scheduled/\(id)").object["cancelled"] == false)
            #expect(try await publisher.send(.delete, "/scheduled/nothing").problem?.code == .notFound)
            try await work(publisher)

            #expect(try await publisher.shown() == "default, 1")
            #expect(try await publisher.versions().first?.status == .cancelled)
        }
    }

    @Test(
        "fails when its author is removed or may not publish all of it any more; those of others stay",
        arguments: [(.editor, nil, true), (.editor, .viewer, true), (.admin, .editor, true), (.owner, .admin, true), (.editor, .admin, false)] as [(Role, Role?, Bool)])
    func author(role: Role, later: Role?, fails: Bool) async throws {
        try await PublishingServer.run { publisher in
            let server = publisher.server, schedule = server.services.publishing.schedule, nowMs = server.services.time.nowMs()
            try await server.addMember("owner@example.com", .owner)
            try await server.addMember("maya@example.com", role)
            let text = PublishingServer.yaml("special")
            let mayas = try await schedule.add(.init(text: text, author: "maya@example.com"), base: 1, atMs: nowMs + 60_000, nowMs: nowMs).id
            let other = try await schedule.add(.init(text: text, author: "key CI"), base: 1, atMs: nowMs + 600_000, nowMs: nowMs).id
            let line = AuditLine(action: .roleChanged, member: "owner@example.com", subject: "", network: nil)

            if let later {
                #expect(try await server.members.change("m-maya", from: role, to: later, line, nowMs: nowMs))
            } else {
                #expect(try await server.members.remove("m-maya", as: role, line, nowMs: nowMs))
            }
            try await work(publisher)

            #expect(try await publisher.shown() == (fails ? "default, 1" : "special, 2"))
            let ended = try #require(try await schedule.find(mayas))
            #expect(ended.state == (fails ? ScheduledVersion.State.failed : .published))
            #expect(ended.reason?.contains("Its author may not publish it any more") == (fails ? true : nil))
            #expect(try await schedule.find(other)?.state == .waiting)
            let lines = try await server.audit.page(before: nil).map(\.entry).filter { $0.action == "version_failed" }
            #expect(lines.count == (fails ? 1 : 0) && lines.allSatisfy { $0.member == "maya@example.com" })
        }
    }

    @Test("has no text once it does not wait any more: published, cancelled, failed, or failed with its author")
    func texts() async throws {
        try await PublishingServer.run { publisher in
            let server = publisher.server, schedule = server.services.publishing.schedule, nowMs = server.services.time.nowMs()
            try await server.addMember("owner@example.com", .owner)
            try await server.addMember("maya@example.com", .editor)
            func add(_ text: String, by author: String, afterMs: Int64) async throws -> String {
                try await schedule.add(.init(text: text, author: author), base: 1, atMs: nowMs + afterMs, nowMs: nowMs).id
            }
            let mayas = try await add("text: maya's", by: "maya@example.com", afterMs: 1_000_000)
            let cancelled = try await add("text: cancelled", by: "key CI", afterMs: 1_000_000)
            let failed = try await add("text: failed", by: "key CI", afterMs: 1_000)
            let waiting = try await add("text: waiting", by: "key CI", afterMs: 1_000_000)
            let line = AuditLine(action: .memberRemoved, member: "owner@example.com", subject: "", network: nil)

            #expect(try await schedule.cancel(cancelled))
            #expect(try await server.members.remove("m-maya", as: .editor, line, nowMs: nowMs))
            try await work(publisher)

            for id in [mayas, cancelled, failed] {
                let found = try #require(try await schedule.find(id))
                #expect(found.state != .waiting && found.draft.text.isEmpty && !found.hash.isEmpty)
            }
            #expect(try await schedule.find(waiting)?.draft.text == "text: waiting")
        }
    }

    @Test("is refused for a time in the past, or too far in the future", arguments: ["0", "-1", "x", "99999999999999"])
    func instants(text: String) async throws {
        try await PublishingServer.run { publisher in
            let response = try await publisher.publish(PublishingServer.yaml("special"), "?atMilliseconds=\(text)")

            #expect(response.problem?.code == .invalidValue)
            #expect(try await publisher.versions().count == 1)
        }
    }

    @Test("cannot change sections that its author may not change")
    func protected() async throws {
        try await PublishingServer.run { publisher in
            let atMs = publisher.server.services.time.nowMs() + 60_000
            let response = try await publisher.publish(
                PublishingServer.yaml(more: "retention: { clickDays: 30 }"), "?atMilliseconds=\(atMs)")

            #expect(response.problem?.code == .configurationProtected)
        }
    }

    @Test("is one of at most a hundred that wait")
    func bound() async throws {
        try await PublishingServer.run { publisher in
            for _ in 0..<ScheduledVersions.mostWaiting { _ = try await schedule(PublishingServer.yaml("special"), in: publisher) }

            let atMs = publisher.server.services.time.nowMs() + 60_000
            let response = try await publisher.publish(PublishingServer.yaml("special"), "?atMilliseconds=\(atMs)")

            #expect(response.problem?.code == .invalidValue)
        }
    }
}
