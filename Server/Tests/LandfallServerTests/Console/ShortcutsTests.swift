// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import LandfallConsole

@Suite("Switching keyboard shortcuts off", .timeLimit(.minutes(1)))
struct ShortcutsTests {
    @Test("A form of the account page keeps the choice in a cookie of the console, without script")
    func cookie() async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .viewer)
            #expect(try await browser.get("/console/account").page.contains("id=\"shortcuts\""))

            let off = try await browser.post("/console/account/shortcuts", ["shortcuts": "off"])
            #expect(off.status == .seeOther && off.headers[.location] == "/console/account")
            #expect(off.headers[.setCookie]?.hasPrefix("landfall-shortcuts=off; Path=/console;") == true)

            let session = "__Host-landfall=\(try #require(browser.cookie))"
            for (cookie, isOn) in [("; landfall-shortcuts=off", false), ("; landfall-shortcuts=x", true), ("", true)] {
                let page = try await server.client.execute(uri: "/console/account", method: .get, headers: [.cookie: session + cookie])
                #expect(page.page.contains("<dialog id=\"shortcuts\"") == isOn, "\(cookie)")
            }

            let on = try await browser.post("/console/account/shortcuts", ["shortcuts": "on"])
            #expect(on.headers[.setCookie]?.contains("Max-Age=0") == true)
        }
    }
}
