// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("Publishing in the console", .timeLimit(.minutes(1)))
struct ConsolePublisherTests {
    private static let open = PublishingServer.yaml(title: "Open")
    private static let check = "/console/versions/draft/check", publish = "/console/versions/draft/publish"

    /// As a page's form sends it.
    private static func form(_ text: String, base: Int64 = 1, message: String = "", checked: String? = nil) -> [String: String] {
        [
            "text": text.replacing("\n", with: "\r\n"), "base": "\(base)", "message": message,
            "checked": checked ?? ConfigurationStore.hash(of: text),
        ]
    }

    @Test("A text is edited, checked with its changes and its impact, and published with a line in the audit log")
    func publishes() async throws {
        try await PublishingServer.run { publisher in
            for number in 0..<3 {
                _ = try await publisher.server.firstOpen(#"{"device":{}}"#, phone: Phone(number, secret: UInt8(number)))
            }
            let browser = try await ConsoleBrowser.signedIn(publisher.server, as: .editor)
            let text = PublishingServer.yaml("special", title: "Open")

            let draft = try await browser.get("/console/versions/draft").page
            let review = try await browser.post(Self.check, Self.form(text, message: "Spring"))

            #expect(draft.contains(PublishingServer.yaml().escapedForHTML) && draft.contains("name=\"base\" value=\"1\""))
            #expect(review.status == .ok)
            #expect(review.page.contains("en.title changes from \"Unlock\" to \"Open\"".escapedForHTML) && review.page.contains("<ins>+   default:"))
            #expect(review.page.contains("Estimated from 3 stored installs") && review.page.contains(">100 %<"))
            #expect(review.page.contains(Self.publish) && review.page.contains("value=\"Spring\""))
            #expect(review.page.contains("name=\"checked\" value=\"\(ConfigurationStore.hash(of: text))\""))
            #expect(try await publisher.store.newestNumber() == 1, "A check publishes nothing.")

            let answer = try await browser.post(Self.publish, Self.form(text, message: "Spring"))

            #expect(answer.status == .seeOther && answer.headers[.location] == "/console/versions/2")
            let newest = try #require(try await publisher.store.newest())
            #expect(newest.text == text && newest.author == "maya@example.com" && newest.message == "Spring")
            #expect(try await publisher.shown() == "special, 2")
            let line = try #require(try await publisher.server.audit.page(before: nil).first { $0.entry.action == "version_published" })
            #expect(line.entry.subject == "2: Spring")
        }
    }

    @Test("The impact is that of the text's own changes, also on a node that does not serve the newest version")
    func impactOfChanges() async throws {
        try await PublishingServer.run { publisher in
            _ = try await publisher.server.firstOpen(#"{"device":{}}"#, phone: Phone(1, secret: 1))
            let old = publisher.server.services.snapshot.configuration, text = PublishingServer.yaml("special")
            _ = try await publisher.publish(text, base: 1)
            #expect(try await publisher.store.newestNumber() == 2)
            #expect(publisher.server.services.configuration.serve(Snapshot(old, revision: 99)) != nil)
            let browser = try await ConsoleBrowser.signedIn(publisher.server, as: .editor)

            let review = try await browser.post(Self.check, Self.form(text + "# Nobody sees a comment.\n", base: 2))

            #expect(review.status == .ok)
            #expect(review.page.contains("Estimated from 1 stored installs") && !review.page.contains(">100 %<"))
        }
    }

    @Test("A checked text waits for its time, in the zone of the reports; then it is published")
    func schedules() async throws {
        try await PublishingServer.run { publisher in
            let browser = try await ConsoleBrowser.signedIn(publisher.server, as: .editor)
            let inTokyo = PublishingServer.yaml(more: "reporting: { timeZone: Asia/Tokyo }")
            #expect(try await browser.post(Self.publish, Self.form(inTokyo)).status == .seeOther)
            let text = inTokyo.replacing("Unlock", with: "Open"), nowMs = publisher.server.services.time.nowMs()
            let due = (nowMs / 60_000 + 90) * 60_000
            func local(_ atMs: Int64) -> String { String(Instant(milliseconds: atMs + 9 * 3_600_000).description.prefix(16)) }

            for wrong in ["soon", local(nowMs - 3_600_000), local(nowMs + 367 * 86_400_000)] {
                let answer = try await browser.post(Self.publish, Self.form(text, base: 2).merging(["at": wrong]) { $1 })
                #expect(answer.status == .unprocessableContent && answer.page.contains("id=\"at-problem\"") && answer.page.contains("value=\"\(wrong)\""))
            }
            let answer = try await browser.post(Self.publish, Self.form(text, base: 2, message: "Later").merging(["at": local(due)]) { $1 })
            let another = try await browser.post(Self.check, Self.form(inTokyo.replacing("Unlock", with: "Other"), base: 2)).page

            #expect(answer.status == .seeOther && answer.headers[.location] == "/console/versions")
            let scheduled = try #require(try await publisher.server.services.publishing.schedule.list().first)
            #expect(scheduled.atMs == due && scheduled.draft.author == "maya@example.com" && scheduled.state == .waiting)
            #expect(try await browser.get("/console/versions").page.contains("Later"))
            #expect(another.contains("Another version waits") && another.contains("(Asia/Tokyo)"))
            let line = try #require(try await publisher.server.audit.page(before: nil).first { $0.entry.action == "version_scheduled" })
            #expect(line.entry.subject.hasSuffix("UTC, Later"))
            #expect(try await publisher.store.newestNumber() == 2)
        }
    }

    @Test("Keys change only where the password was given lately; the text is kept meanwhile")
    func keys() async throws {
        try await PublishingServer.run { publisher in
            let browser = try await ConsoleBrowser.signedIn(publisher.server, as: .owner)
            let text = PublishingServer.yaml().replacing("pk_test", with: "pk_other")
            #expect(text != PublishingServer.yaml())
            publisher.server.clock.advance(by: .seconds(16 * 60))

            let refused = try await browser.post(Self.publish, Self.form(text, message: "kept"))
            let other = try await browser.post(Self.publish, Self.form(Self.open))
            let back = try await browser.post("/console/versions/1/rollback", ["base": "2", "message": ""])
            let confirmed = try await browser.post("/console/confirm", ["password": ConsoleBrowser.password])
            let published = try await browser.post(Self.publish, Self.form(text, base: 3))

            #expect(refused.status == .forbidden && refused.page.contains("href=\"/console/confirm\"") && refused.page.contains("value=\"kept\""))
            #expect(other.status == .seeOther && back.status == .seeOther, "Other changes need no password.")
            #expect(confirmed.status == .seeOther && published.status == .seeOther)
            #expect(try await publisher.store.newest()?.text == text)
            publisher.server.clock.advance(by: .seconds(16 * 60))
            let undone = try await browser.post("/console/versions/1/rollback", ["base": "4", "message": ""])
            #expect(undone.status == .forbidden && undone.page.contains("This changes a protected section"))
            #expect(undone.page.contains("href=\"/console/confirm\""), "The page has the way to give the password.")
        }
    }

    @Test("Identity keys change only where the password was given lately: one that is added, and one that goes by a rollback")
    func identityKeys() async throws {
        try await PublishingServer.run { publisher in
            let browser = try await ConsoleBrowser.signedIn(publisher.server, as: .owner)
            let text = PublishingServer.yaml(more: "identity: { keys: [{ algorithm: HS256, secretFrom: LANDFALL_CI_KEY }] }")
            publisher.server.clock.advance(by: .seconds(16 * 60))

            let refused = try await browser.post(Self.publish, Self.form(text))
            let confirmed = try await browser.post("/console/confirm", ["password": ConsoleBrowser.password])
            let published = try await browser.post(Self.publish, Self.form(text))
            publisher.server.clock.advance(by: .seconds(16 * 60))
            let undone = try await browser.post("/console/versions/1/rollback", ["base": "2", "message": ""])

            #expect(refused.status == .forbidden && refused.page.contains("href=\"/console/confirm\""))
            #expect(confirmed.status == .seeOther && published.status == .seeOther)
            #expect(undone.status == .forbidden)
            #expect(try await publisher.store.newest()?.text == text)
        }
    }

    @Test(
        "Every protected section changes only where the password was given lately",
        arguments: [
            "identity: { keys: [{ algorithm: HS256, secretFrom: LANDFALL_CI_KEY }] }", "domains: { brand: [go.example.com] }",
            "appleAds: { enabled: false }", "retention: { installDays: 90 }",
        ])
    func protectedSections(section: String) async throws {
        try await PublishingServer.run { publisher in
            let browser = try await ConsoleBrowser.signedIn(publisher.server, as: .owner)
            publisher.server.clock.advance(by: .seconds(16 * 60))

            let refused = try await browser.post(Self.publish, Self.form(PublishingServer.yaml(more: section)))
            _ = try await browser.post("/console/confirm", ["password": ConsoleBrowser.password])
            let published = try await browser.post(Self.publish, Self.form(PublishingServer.yaml(more: section)))

            #expect(refused.status == .forbidden && refused.page.contains("href=\"/console/confirm\""), "\(refused.page)")
            #expect(published.status == .seeOther)
            #expect(ConsolePublisher.provenSections.isSuperset(of: Configuration.protectedSections))
        }
    }

    @Test("Only an owner changes how members sign in: an admin could become an owner by it")
    func ownerSections() async throws {
        try await PublishingServer.run { publisher in
            let admin = try await ConsoleBrowser.signedIn(publisher.server, as: .admin)
            let owner = try await ConsoleBrowser.signedIn(publisher.server, as: .owner, "omar@example.com")
            let openID = "{ issuer: https://login.example.com, clientId: landfall, domains: [example.com], roles: { admins: owner } }"
            let form = Self.form(PublishingServer.yaml(more: "signIn: { openId: \(openID) }"))

            let refused = try await admin.post(Self.publish, form)
            let published = try await owner.post(Self.publish, form)

            #expect(refused.status == .forbidden && refused.page.contains("An owner can publish this text."), "\(refused.page)")
            #expect(published.status == .seeOther, "\(published.page)")
        }
    }

    @Test("A text that cannot be served comes back with the line of each problem", arguments: [check, publish])
    func problems(path: String) async throws {
        try await PublishingServer.run { publisher in
            let browser = try await ConsoleBrowser.signedIn(publisher.server, as: .owner)
            let text = PublishingServer.yaml("absent", more: "nonsense: 1")

            let answer = try await browser.post(path, Self.form(text, message: "kept"))

            #expect(answer.status == .unprocessableContent)
            #expect(answer.page.contains("Line 14, column") && answer.page.contains("Line 15, column 1"))
            #expect(answer.page.contains("<code class=\"line\">nonsense: 1</code>"))
            #expect(answer.page.contains(text.escapedForHTML) && answer.page.contains("value=\"kept\""))
            #expect(try await publisher.store.newestNumber() == 1)
        }
    }

    @Test("The live text is not published again", arguments: [check, publish])
    func unchanged(path: String) async throws {
        try await PublishingServer.run { publisher in
            let browser = try await ConsoleBrowser.signedIn(publisher.server, as: .owner)

            let answer = try await browser.post(path, Self.form(PublishingServer.yaml()))

            #expect(answer.status == .ok && answer.page.contains("nothing to publish"))
            #expect(try await publisher.store.newestNumber() == 1)
            #expect(try await !publisher.server.actions().contains("version_published"))
        }
    }

    @Test("Of two editors the second sees both sides, and a text with both", arguments: [check, publish])
    func twoEditors(path: String) async throws {
        try await PublishingServer.run { publisher in
            let maya = try await ConsoleBrowser.signedIn(publisher.server, as: .editor)
            let omar = try await ConsoleBrowser.signedIn(publisher.server, as: .editor, "omar@example.com")
            let own = PublishingServer.yaml("special"), both = PublishingServer.yaml("special", title: "Open")
            #expect(try await maya.post(Self.publish, Self.form(Self.open, message: "New title")).status == .seeOther)

            let conflict = try await omar.post(path, Self.form(own, message: "kept"))

            #expect(conflict.status == .conflict)
            #expect(conflict.page.contains("maya@example.com – New title"))
            #expect(conflict.page.contains("en.title changes from \"Unlock\" to \"Open\"".escapedForHTML))
            #expect(conflict.page.contains("everyone now sees paywall special instead of paywall default"))
            #expect(conflict.page.contains(both.escapedForHTML) && conflict.page.contains(own.escapedForHTML) && conflict.page.contains("value=\"kept\""))
            #expect(conflict.page.contains("name=\"base\" value=\"2\""))
            #expect(try await publisher.store.newest()?.text == Self.open)

            #expect(try await omar.post(Self.check, Self.form(both, base: 2)).status == .ok)
            #expect(try await omar.post(Self.publish, Self.form(both, base: 2)).status == .seeOther)
            #expect(try await publisher.store.newest()?.text == both)
        }
    }

    @Test("Where both changed the same lines, the text has marks, which no check lets pass")
    func marks() async throws {
        try await PublishingServer.run { publisher in
            _ = try await publisher.publish(Self.open, base: 1)
            let browser = try await ConsoleBrowser.signedIn(publisher.server, as: .owner)

            let conflict = try await browser.post(Self.check, Self.form(PublishingServer.yaml(title: "Show")))
            let merge = LineMerge(base: PublishingServer.yaml(), theirs: (Self.open, "version 2"), mine: (PublishingServer.yaml(title: "Show"), "yours"))
            let marked = try await browser.post(Self.check, Self.form(merge.text, base: 2))

            #expect(conflict.status == .conflict && merge.conflicts == 1)
            #expect(conflict.page.contains(merge.text.escapedForHTML) && conflict.page.contains("in 1 place(s)"))
            #expect(marked.status == .unprocessableContent)
        }
    }

    @Test("A viewer and support see no text to edit, and publish nothing", arguments: [Role.viewer, .support])
    func others(role: Role) async throws {
        try await PublishingServer.run { publisher in
            let browser = try await ConsoleBrowser.signedIn(publisher.server, as: role)

            #expect(try await browser.get("/console/versions/draft").status == .forbidden)
            for path in [Self.check, Self.publish] { #expect(try await browser.post(path, Self.form(Self.open)).status == .forbidden) }
            #expect(try await browser.post("/console/versions/1/rollback", ["base": "1"]).status == .forbidden)
            #expect(try await publisher.store.newestNumber() == 1)
        }
    }

    @Test("An editor changes no keys; an owner does")
    func protected() async throws {
        try await PublishingServer.run { publisher in
            let text = PublishingServer.yaml().replacing("- sdk: pk_test", with: "- sdk: pk_other")
            let editor = try await ConsoleBrowser.signedIn(publisher.server, as: .editor)
            let owner = try await ConsoleBrowser.signedIn(publisher.server, as: .owner, "omar@example.com")

            let review = try await editor.post(Self.check, Self.form(text))
            let refused = try await editor.post(Self.publish, Self.form(text))

            #expect(review.status == .ok && review.page.contains("may not change keys") && !review.page.contains(Self.publish))
            #expect(refused.status == .forbidden && refused.page.contains(text.escapedForHTML))
            #expect(try await publisher.store.newestNumber() == 1)
            #expect(try await owner.post(Self.publish, Self.form(text)).status == .seeOther)
        }
    }

    @Test("What was not checked is shown before it is published")
    func unchecked() async throws {
        try await PublishingServer.run { publisher in
            let browser = try await ConsoleBrowser.signedIn(publisher.server, as: .owner)

            let answer = try await browser.post(Self.publish, Self.form(Self.open, checked: "0"))

            #expect(answer.status == .unprocessableContent && answer.page.contains("not the one that was checked"))
            #expect(answer.page.contains(ConfigurationStore.hash(of: Self.open)))
            #expect(try await publisher.store.newestNumber() == 1)
        }
    }

    @Test(
        "A form without its text, its base, or with a wrong message says so and keeps the rest",
        arguments: [
            (["text": ""], "The text is empty"), (["base": ""], "not known which version"), (["base": "9"], "not known which version"),
            (["base": "0"], "not known which version"), (["message": "a\nb"], "one line"), (["text": " \r\n"], "The text is empty"),
        ])
    func fields(changed: [String: String], sentence: String) async throws {
        try await PublishingServer.run { publisher in
            let browser = try await ConsoleBrowser.signedIn(publisher.server, as: .owner)

            let answer = try await browser.post(Self.publish, Self.form(Self.open).merging(changed) { _, new in new })

            #expect(answer.status == .unprocessableContent && answer.page.contains(sentence))
            #expect(changed["text"] != nil || answer.page.contains(Self.open.escapedForHTML))
            #expect(answer.page.contains("name=\"base\" value=\"1\""))
            #expect(try await publisher.store.newestNumber() == 1)
        }
    }

    @Test("A server that publishes its own file only checks a text, and offers it to be copied")
    func ownedByFile() async throws {
        try await PublishingServer.run(owner: .file) { publisher in
            let browser = try await ConsoleBrowser.signedIn(publisher.server, as: .owner)

            let review = try await browser.post(Self.check, Self.form(Self.open))
            let refused = try await browser.post(Self.publish, Self.form(Self.open))

            #expect(review.status == .ok && review.page.contains("YAML to copy") && review.page.contains(Self.open.escapedForHTML))
            #expect(!review.page.contains(Self.publish) && review.page.contains("--config-owner file"))
            #expect(refused.status == .conflict && !refused.page.contains(Self.publish))
            #expect(try await browser.get("/console/versions").page.contains("--config-owner file"))
            #expect(try await publisher.store.newestNumber() == 1)
        }
    }

    @Test("A text of 700 KiB fits into the form; a longer one than 1 MiB is for a command")
    func long() async throws {
        try await PublishingServer.run { publisher in
            let browser = try await ConsoleBrowser.signedIn(publisher.server, as: .owner)
            func text(_ bytes: Int) -> String { Self.open + "# " + String(repeating: "é", count: bytes / 2) + "\n" }

            #expect(try await browser.post(Self.check, Self.form(text(700 * 1024))).status == .ok)
            let long = try await browser.post(Self.check, Self.form(text(FormExcess.longestDraft)))
            #expect(long.status == .unprocessableContent && long.page.contains("landfall apply"))
        }
    }
}
