// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("Changing several links at once", .timeLimit(.minutes(1)))
struct LinkChangeTests {
    private static let words = Words(.english)

    private static func link(_ path: String, campaign: String? = nil, channel: String? = nil) -> StoredLink {
        StoredLink(
            host: "go.example.com", path: LinkPath(stored: path), destination: "https://example.com" + path,
            labels: LinkLabels(campaign: campaign, channel: channel))
    }

    private static func add(_ links: [StoredLink], _ server: TestServer) async throws {
        #expect(try await server.services.links.store.add(links, to: server.services.snapshot.app.id, nowMs: 1).allSatisfy { $0 })
    }

    private static func stored(_ server: TestServer) async throws -> [StoredLink] {
        try await server.services.links.store.links(server.services.snapshot.app.id, after: nil, limit: 200)
    }

    private static func tap(_ path: String, _ server: TestServer) async throws -> Int {
        try await Browser.onPhone.open("https://go.example.com" + path, in: server).status
    }

    /// What the form sends: the chosen links, and what shall happen to them.
    private static func form(_ action: String, _ step: String?, _ paths: [String], _ more: [String: String] = [:]) -> [String:
        String]
    {
        var form = more
        (form["action"], form["step"]) = (action, step)
        for (index, path) in paths.enumerated() { form["link\(index)"] = "https://go.example.com" + path }
        return form
    }

    @Test("Archived links have ended at once, taken up they lead somewhere again, and what is sent twice changes nothing")
    func archive() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            try await Self.add(["/a", "/b", "/c"].map { Self.link($0) }, server)
            #expect(try await Self.tap("/a", server) == 302)

            for (action, status, line) in [("archive", 410, "link_archived"), ("take-up", 302, "link_taken_up")] {
                for round in 0..<2 {
                    let answer = try await browser.post("/console/links/change", Self.form(action, "apply", ["/a", "/b"]))

                    #expect(answer.status == .ok && answer.page.contains(Self.words.linkChangeDone))
                    #expect(
                        answer.page.contains("<dd class=\"value\">2</dd>") && answer.page.contains(Self.words.linkUnchanged))
                    #expect(answer.page.contains(">\(Self.words.linkUnchanged)</td>") == (round == 1))
                    #expect(try await Self.tap("/a", server) == status)
                    #expect(try await Self.tap("/b", server) == status)
                    #expect(try await Self.tap("/c", server) == 302)
                    #expect(try await server.actions().count { $0 == line } == 2)
                }
            }
            #expect(try await Self.stored(server).allSatisfy { $0.expiresAtMs == nil })
        }
    }

    @Test("Before it, a page says how many links will change and names the first ten; nothing has changed yet")
    func preview() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            let paths = (10..<22).map { "/n\($0)" }
            try await Self.add(paths.map { Self.link($0) }, server)

            let page = try await browser.post("/console/links/change", Self.form("archive", nil, paths)).page

            #expect(page.contains(Self.words.linkChange(.archive, 12)) && page.contains(Self.words.linkChangeChecked))
            #expect(
                page.contains(" scope=\"row\">go.example.com/n19</th>")
                    && !page.contains(" scope=\"row\">go.example.com/n20</th>"))
            #expect(page.contains(Self.words.linkChangeMore(2)))
            #expect(page.ranges(of: "type=\"hidden\" name=\"link").count == 12)
            #expect(try await Self.stored(server) == paths.map { Self.link($0) })
            #expect(try await server.actions().contains("link_archived") == false)
        }
    }

    @Test("Relabelling changes the labels that are filled in or cleared, and no others")
    func relabel() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            try await Self.add([Self.link("/a", campaign: "spring", channel: "mail"), Self.link("/b", channel: "夏")], server)
            let labels = ["campaign": " summer ", "adGroup": "<b>", "label": "", "clear-channel": "1"]

            let asked = try await browser.post("/console/links/change", Self.form("relabel", nil, ["/a", "/b"]))
            let checked = try await browser.post("/console/links/change", Self.form("relabel", "check", ["/a", "/b"], labels))
            #expect(
                asked.status == .ok && asked.page.contains("id=\"campaign\"") && asked.page.contains(Self.words.linkChosen(2)))
            #expect(
                checked.page.contains("spring → summer") && checked.page.contains("夏 → –")
                    && checked.page.contains("– → &lt;b&gt;"))
            #expect(
                checked.page.contains("value=\"summer\"") && checked.page.contains("name=\"clear-channel\" value=\"1\" checked")
            )
            #expect(try await Self.stored(server).map(\.labels.campaign) == ["spring", nil])

            for _ in 0..<2 {
                #expect(
                    try await browser.post("/console/links/change", Self.form("relabel", "apply", ["/a", "/b"], labels)).status
                        == .ok)
            }

            let stored = try await Self.stored(server)
            #expect(stored.map(\.labels) == Array(repeating: LinkLabels(campaign: "summer", adGroup: "<b>"), count: 2))
            #expect(stored.map(\.destination) == ["https://example.com/a", "https://example.com/b"])
            #expect(try await server.actions().count { $0 == "link_relabelled" } == 2)
            #expect(try await browser.get("/console/links?campaign=summer").page.contains("go.example.com/b"))
        }
    }

    @Test(
        "A form that cannot be followed says why, and changes nothing",
        arguments: [
            ("archive", 0, [:], "", words.linkChangeNone), ("archive", 101, [:], "", words.linkChangeTooMany(100)),
            ("relabel", 1, [:], "campaign", words.linkChangeNoLabel),
            ("relabel", 1, ["channel": "x", "clear-channel": "1"], "channel", words.linkChangeBoth),
            ("relabel", 1, ["label": String(repeating: "é", count: 101)], "label", words.linkLongLabel),
        ] as [(String, Int, [String: String], String, String)])
    func refused(action: String, count: Int, labels: [String: String], field: String, sentence: String) async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            let paths = (0..<count).map { "/n\(1000 + $0)" }
            try await Self.add(paths.map { Self.link($0) }, server)

            let answer = try await browser.post("/console/links/change", Self.form(action, "apply", paths, labels))

            #expect(answer.status == .unprocessableContent && answer.page.contains(sentence))
            #expect(field.isEmpty || answer.page.contains("id=\"\(field)-problem\""))
            #expect(try await Self.stored(server) == paths.map { Self.link($0) })
        }
    }

    @Test(
        "An action or a step that no page has changes nothing",
        arguments: [("toaster", "apply"), ("", "apply"), ("archive", "APPLY"), ("relabel", "x")])
    func unknown(action: String, step: String) async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            try await Self.add([Self.link("/a")], server)

            let answer = try await browser.post("/console/links/change", Self.form(action, step, ["/a"], ["campaign": "new"]))

            #expect(answer.status == .ok && answer.page.contains("go.example.com/a"))
            #expect(try await Self.stored(server) == [Self.link("/a")])
        }
    }

    @Test("A hundred links are changed at once")
    func most() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            let paths = (0..<100).map { "/n\(1000 + $0)" }
            try await Self.add(paths.map { Self.link($0) }, server)

            let answer = try await browser.post("/console/links/change", Self.form("archive", "apply", paths))

            let nowMs = server.services.time.nowMs()
            #expect(answer.status == .ok)
            #expect(try await Self.stored(server).allSatisfy { $0.isExpired(nowMs: nowMs) })
        }
    }

    @Test(
        "Links of the file, missing links and texts that are not links stay unchanged; the others are changed",
        arguments: ["archive", "relabel"])
    func others(action: String) async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            try await Self.add([Self.link("/a")], server)
            var form = Self.form(action, "apply", ["/beach", "/nothing", "/a", "/a/", "/%2e%2e/x"], ["campaign": "new"])
            (form["link5"], form["link6"], form["linkx"]) = ("<script>", "", "https://go.example.com/a")

            let answer = try await browser.post("/console/links/change", form)

            #expect(answer.status == .ok && !answer.page.contains("<script>"))
            #expect(answer.page.contains(Self.words.linkInFile) && answer.page.contains("&lt;script&gt;"))
            // Not there are /nothing and two texts; /a is named once.
            #expect(answer.page.ranges(of: ">\(Self.words.linkNotThere)</td>").count == 3)
            #expect(answer.page.ranges(of: " scope=\"row\">go.example.com/a</th>").count == 1)
            #expect(try await server.actions().count { $0.hasPrefix("link_") } == 1)
            let stored = try await Self.stored(server)
            let link = try #require(stored.first)
            #expect(stored.count == 1)
            #expect(action == "archive" ? link.expiresAtMs != nil : link.labels.campaign == "new")
        }
    }

    @Test("A link that could not be made any more can be archived, but neither taken up nor relabelled")
    func rules() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            var foreign = Self.link("/there")
            foreign.host = "gone.example.com"
            try await Self.add([Self.link("/own/1"), foreign], server)

            for (action, isChanged) in [("relabel", false), ("archive", true), ("take-up", false)] {
                var form = Self.form(action, "apply", ["/own/1"], ["campaign": "new"])
                form["link1"] = "https://gone.example.com/there"
                let answer = try await browser.post("/console/links/change", form)

                #expect(answer.status == .ok && answer.page.contains(Self.words.linkChangeRefused) != isChanged)
                #expect(
                    answer.page.contains(Self.words.linkTaken) != isChanged
                        && answer.page.contains(Self.words.linkWrongHost) != isChanged)
            }
            #expect(try await Self.stored(server).allSatisfy { $0.labels.isEmpty && $0.expiresAtMs != nil })
        }
    }

    @Test("A link that somebody changed after it was read stays as it is, without a line")
    func meanwhile() async throws {
        try await TestServer.runBrand { server in
            let app = server.services.snapshot.app.id
            let old = Self.link("/a"), other = Self.link("/b")
            let changed = Self.link("/a", campaign: "theirs"), ours = Self.link("/a", campaign: "ours")
            try await Self.add([old, other], server)
            @Sendable func line(_ link: StoredLink) -> AuditLine {
                AuditLine(action: .linkRelabelled, member: nil, subject: link.address, network: nil)
            }
            _ = try await server.services.links.store.change([.init(old: old, new: changed)], of: app, noting: line, nowMs: 2)

            let isChanged = try await server.services.links.store.change(
                [.init(old: old, new: ours), .init(old: other, new: Self.link("/b", campaign: "ours"))], of: app, noting: line,
                nowMs: 3)

            #expect(isChanged == [false, true])
            #expect(try await Self.stored(server).map(\.labels.campaign) == ["theirs", "ours"])
            #expect(try await server.actions().count { $0 == "link_relabelled" } == 2)
        }
    }

    @Test("The list has a box for each stored link, none for those of the file, and the way back leads to the same page of it")
    func list() async throws {
        try await TestServer.runBrand { server in
            let editor = try await ConsoleBrowser.signedIn(server, as: .editor)
            let viewer = try await ConsoleBrowser.signedIn(server, as: .viewer, "omar@example.com")
            try await Self.add([Self.link("/a", campaign: "x&y")], server)

            let page = try await editor.get("/console/links").page
            let found = try await editor.get("/console/links?campaign=x%26y").page

            #expect(page.ranges(of: "aria-label=\"Choose go.example.com/").count == 1)
            #expect(page.contains("value=\"https://go.example.com/a\"") && page.contains(Self.words.linkFileUnchosen))
            let back = "/console/links?campaign=x%26y"
            #expect(found.contains("name=\"back\" value=\"\(back)\"") && !found.contains(Self.words.linkFileUnchosen))
            #expect(try await !viewer.get("/console/links").page.contains("type=\"checkbox\""))
            for (asked, given) in [
                (back, back), ("https://evil.example/", "/console/links"), ("/console/links?//evil", "/console/links"),
            ] {
                let answer = try await editor.post("/console/links/change", Self.form("archive", nil, ["/a"], ["back": asked]))
                #expect(answer.page.contains("<a class=\"button\" href=\"\(given)\">\(Self.words.linkChangeBack)</a>"))
            }
        }
    }
}
