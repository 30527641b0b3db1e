// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import NIOCore
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("Importing links in the console", .timeLimit(.minutes(1)))
struct LinkImportPageTests {
    private static let table = """
        url,to,campaign
        https://go.example.com/one,https://example.com/1,<b>
        https://go.example.com/beach,https://example.com/2,
        https://go.example.com/one,https://example.com/3,
        ,https://example.com/4,
        https://other.example/x,https://example.com/5,
        https://go.example.com/six,javascript:alert(1),
        """

    private static func stored(_ server: TestServer) async throws -> [StoredLink] {
        try await server.services.links.store.links(AppID("example"), after: nil, limit: 1_000)
    }

    @Test("A check tells the result of each row, also where a place is taken, and makes nothing; applying makes the rest")
    func table() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            let form = ["text": Self.table, "format": "csv"]

            let checked = try await browser.post("/console/links/import", form.merging(["action": "check"]) { $1 })

            #expect(checked.status == .ok)
            #expect(try await Self.stored(server).isEmpty)
            #expect(try await server.actions().contains("link_made") == false)
            let values = { (page: String) in page.matches(of: /<dd class="value">([0-9]+)<\/dd>/).map { String($0.output.1) } }
            #expect(values(checked.page) == ["2", "0", "4"])
            for text in ["Make 2 links", "A random code", "https://go.example.com/one,https://example.com/1,<b>".escapedForHTML] {
                #expect(checked.page.contains(text), "\(text)")
            }
            #expect(checked.page.ranges(of: Words(.english).linkTaken).count == 2)
            #expect(checked.page.contains(Words(.english).linkWrongHost) && checked.page.contains((Words(.english).linkWrongDestination).escapedForHTML))
            #expect(!checked.page.contains("<b>"))

            let applied = try await browser.post("/console/links/import", form.merging(["action": "apply"]) { $1 })

            #expect(values(applied.page) == ["2", "0", "4"] && !applied.page.contains("value=\"apply\""))
            let links = try await Self.stored(server)
            #expect(Set(links.map(\.destination)) == ["https://example.com/1", "https://example.com/4"])
            #expect(links.allSatisfy { applied.page.contains($0.address) })
            #expect(try await server.actions().filter { $0 == "link_made" }.count == 1)
            #expect(try await Browser.onPhone.open("https://go.example.com/one", in: server).status == 302)
            let again = try await browser.post("/console/links/import", ["text": "url,to,campaign\nhttps://go.example.com/one,https://example.com/1,<b>"])
            #expect(values(again.page) == ["0", "1", "0"] && !again.page.contains("value=\"apply\""))
        }
    }

    @Test("The list's own table is imported without a change, also labels that a spreadsheet would run, several ways, and a code")
    func exported() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            var full = StoredLink(host: "go.example.com", path: LinkPath(stored: "/full"), destination: "example://full")
            full.labels = LinkLabels(campaign: "=1+1", adGroup: "'-x", creative: "a,\"b\"", label: "＝1", channel: "''@")
            full.expiresAtMs = 1
            full.ways = PlatformWays(ios: [.app, .store], android: [.web("https://example.com/a,b")], desktop: [.page])
            full.preview = LinkPreview(title: "-5 %", description: "one\ntwo", image: "https://example.com/i.png")
            full.handover = LinkHandover(pasteboard: true, code: true)
            let plain = StoredLink(host: "go.example.com", path: LinkPath(stored: "/plain"), destination: "https://example.com/")
            _ = try await server.services.links.store.add([full, plain], to: server.services.snapshot.app.id, nowMs: 1)

            let table = try await browser.get("/console/links.csv").page
            let answer = try await browser.post("/console/links/import", ["text": table, "format": "csv", "action": "apply"])

            let values = answer.page.matches(of: /<dd class="value">([0-9]+)<\/dd>/).map { String($0.output.1) }
            // Seven links of the file, and two.
            #expect(values == ["0", "9", "0"])
            #expect(try await Self.stored(server) == [full, plain])
        }
    }

    @Test("Links of another domain come to one's own where that is chosen")
    func host() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            let text = "url,to\nhttps://brand.page.link/summer,https://example.com/s"

            _ = try await browser.post("/console/links/import", ["text": text, "domain": "go.example.com", "action": "apply"])

            #expect(try await Self.stored(server).map(\.address) == ["https://go.example.com/summer"])
        }
    }

    @Test("A table of many short lines comes in: in a form the end of each is six bytes")
    func shortLines() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            let headers: HTTPFields = [.cookie: "__Host-landfall=" + (browser.cookie ?? ""), .secFetchSite: "same-origin"]
            let form = "csrf=\(browser.formToken ?? "")&action=check&text=to%0D%0Ahttps://example.com/1"
            let body = form + String(repeating: "%0D%0A", count: 600_000)

            let answer = try await server.client.execute(
                uri: "/console/links/import", method: .post, headers: headers, body: ByteBuffer(string: body))

            #expect(answer.status == .ok && answer.page.contains("Make 1 link"))
        }
    }

    @Test("Many rows are all made; the page names some of them and counts all; the audit log has a line for each transaction")
    func many() async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)
            let text = "url,to\n" + (0..<250).map { "https://go.example.com/m\($0),https://example.com/\($0)" }.joined(separator: "\n")

            let answer = try await browser.post("/console/links/import", ["text": text, "action": "apply"])

            #expect(answer.page.contains("<dd class=\"value\">250</dd>"))
            #expect(answer.page.ranges(of: " scope=\"row\">").count == LinkImportPage.mostRows)
            #expect(try await Self.stored(server).count == 250)
            #expect(try await server.actions().filter { $0 == "link_made" }.count == 3)
        }
    }

    @Test(
        "A text that is not a table is named at the field, and makes no link",
        arguments: [
            ("", "csv"), ("to\n", "csv"), ("where,url\nx,y", "csv"), ("url\nhttps://go.example.com/x", "csv"), ("to\n\"open", "csv"), ("x,y", "firebase"),
            ("to\n" + String(repeating: "https://example.com/\n", count: LinkCreation.most + 1), "csv"),
        ])
    func unreadable(text: String, format: String) async throws {
        try await TestServer.runBrand { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .editor)

            let answer = try await browser.post("/console/links/import", ["text": text, "format": format, "action": "apply"])

            #expect(answer.status == .unprocessableContent)
            #expect(answer.page.contains("id=\"text-problem\""))
            #expect(try await Self.stored(server).isEmpty)
        }
    }
}
