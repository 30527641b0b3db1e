// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallServer

@Suite("The console's versions", .timeLimit(.minutes(1)))
struct VersionRoutesTests {
    private static let open = PublishingServer.yaml(title: "Open")

    @Test("The list has who published what and why, the newest first, and marks the live one")
    func list() async throws {
        try await PublishingServer.run { publisher in
            _ = try await publisher.publish(Self.open, base: 1, message: "<b>Spring</b>")
            let browser = try await ConsoleBrowser.signedIn(publisher.server, as: .viewer)

            let page = try await browser.get("/console/versions").page

            #expect(page.contains("key LANDFALL_CI_KEY") && page.contains("&lt;b&gt;Spring"))
            let first = try #require(page.firstRange(of: "/console/versions/2\"")), second = try #require(page.firstRange(of: "/console/versions/1\""))
            #expect(first.lowerBound < second.lowerBound)
            #expect(page[first.upperBound..<second.lowerBound].contains("Live") && !page[second.upperBound...].contains("\"badge\""))
            #expect(!page.contains("/console/versions/draft"), "A viewer edits nothing.")
            let entries: [VersionEntry] = try await browser.get("/console/versions.json?before=2").decoded()
            #expect(entries.map(\.version) == [1])
            #expect(try await browser.get("/console/versions?before=x").status == .ok)
        }
    }

    @Test("A version shows what it changes in meaning and by line, and its text")
    func version() async throws {
        try await PublishingServer.run { publisher in
            _ = try await publisher.publish(Self.open, base: 1)
            let browser = try await ConsoleBrowser.signedIn(publisher.server, as: .viewer)

            let page = try await browser.get("/console/versions/2").page
            let back = try await browser.get("/console/versions/1?against=2").page

            let sentence = "paywall default: remote config en.title changes from \"Unlock\" to \"Open\"".escapedForHTML
            #expect(page.contains(sentence) && page.contains("<ins>+   default:") && page.contains("<del>-   default:"))
            #expect(page.contains("What changes from version 1") && page.contains("# What the tests publish."))
            #expect(back.contains("changes from \"Open\" to \"Unlock\"".escapedForHTML) && back.contains("What changes from version 2"))
            let document = try await browser.get("/console/versions/2.json").object
            #expect(document["against"] == 1 && document["changes"]?[0]?["kind"] == "changed")
            #expect(try await browser.get("/console/versions/2.yaml").page == Self.open)
            #expect(try await browser.get("/console/versions/2?against=99").page.contains("does not exist"))
        }
    }

    @Test("The fallback file of the version that is served is a download, the same as the command writes")
    func fallback() async throws {
        try await PublishingServer.run { publisher in
            _ = try await publisher.publish(Self.open, base: 1)
            let browser = try await ConsoleBrowser.signedIn(publisher.server, as: .viewer)

            let file = try await browser.get("/console/versions/fallback.json")
            let page = try await browser.get("/console/versions").page

            #expect(file.headers[.contentDisposition] == "attachment; filename=\"fallback.json\"")
            #expect(try file.decoded() as FallbackExport == FallbackExport(publisher.server.services.snapshot))
            #expect(file.page.contains(#""revision":2"#) && file.page.contains("Open"))
            #expect(page.contains("href=\"/console/versions/fallback.json\""))
        }
    }

    @Test("There is no other version", arguments: ["3", "0", "-1", "x", "1x", "99999999999999999999", "1.xml", ".yaml", "x.json"])
    func unknown(name: String) async throws {
        try await PublishingServer.run { publisher in
            let browser = try await ConsoleBrowser.signedIn(publisher.server, as: .owner)

            #expect(try await browser.get("/console/versions/\(name)").status == .notFound)
            #expect(try await browser.post("/console/versions/\(name)/rollback", ["base": "1"]).status == .notFound)
        }
    }

    @Test("A rollback makes a new version of the old text, with its line in the audit log")
    func rollBack() async throws {
        try await PublishingServer.run { publisher in
            _ = try await publisher.publish(PublishingServer.yaml("special"), base: 1)
            let browser = try await ConsoleBrowser.signedIn(publisher.server, as: .editor)

            let answer = try await browser.post("/console/versions/1/rollback", ["base": "2", "message": " Too early "])

            #expect(answer.status == .seeOther && answer.headers[.location] == "/console/versions/3")
            let newest = try #require(try await publisher.store.newest())
            #expect(newest.text == PublishingServer.yaml() && newest.number == 3)
            #expect(newest.author == "maya@example.com" && newest.message == "Too early")
            #expect(try await publisher.shown() == "default, 3")
            let line = try #require(try await publisher.server.audit.page(before: nil).first { $0.entry.action == "version_rolled_back" })
            #expect(line.entry.subject == "3: 1, Too early" && line.entry.member == "maya@example.com")
        }
    }

    @Test("A rollback from another newest version, of the live text, or with two lines of message publishes nothing")
    func refusedRollBack() async throws {
        try await PublishingServer.run { publisher in
            _ = try await publisher.publish(Self.open, base: 1)
            _ = try await publisher.publish(PublishingServer.yaml(), base: 2)
            let browser = try await ConsoleBrowser.signedIn(publisher.server, as: .owner)

            let stale = try await browser.post("/console/versions/2/rollback", ["base": "2", "message": "kept"])
            #expect(stale.status == .conflict && stale.page.contains("Version 3 was published meanwhile") && stale.page.contains("value=\"kept\""))
            let same = try await browser.post("/console/versions/1/rollback", ["base": "3"])
            #expect(same.status == .conflict && same.page.contains("live already"))
            #expect(try await browser.post("/console/versions/2/rollback", ["base": "3", "message": "a\nb"]).status == .unprocessableContent)
            #expect(try await publisher.store.newestNumber() == 3)
            #expect(try await !publisher.server.actions().contains("version_rolled_back"))
        }
    }

    @Test("A scheduled version is cancelled once, with its line in the audit log")
    func cancel() async throws {
        try await PublishingServer.run { publisher in
            let schedule = publisher.server.services.publishing.schedule, nowMs = publisher.server.services.time.nowMs()
            let draft = ConfigurationStore.Draft(text: Self.open, author: "omar", message: "Summer")
            let scheduled = try await schedule.add(draft, base: 1, atMs: nowMs + 60_000, nowMs: nowMs)
            let browser = try await ConsoleBrowser.signedIn(publisher.server, as: .owner)
            let path = "/console/versions/scheduled/\(scheduled.id)/cancel"

            #expect(try await browser.get("/console/versions").page.contains(path))
            for _ in 0..<2 { #expect(try await browser.post(path).status == .seeOther) }

            let page = try await browser.get("/console/versions").page
            #expect(!page.contains(path) && page.contains("Cancelled") && page.contains("Summer"))
            #expect(try await publisher.server.actions().count { $0 == "version_cancelled" } == 1)
            #expect(try await browser.post("/console/versions/scheduled/x/cancel").status == .notFound)
        }
    }
}
