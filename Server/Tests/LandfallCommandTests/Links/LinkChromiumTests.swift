// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

extension RealProcessTests {
    /// The real server and a real browser.
    @Suite(
        "A link in Chromium", .timeLimit(.minutes(4)),
        .enabled(if: Chromium.isInstalled, "Chromium is not installed (Debian: chromium, chromium-driver)")
    )
    struct LinkChromiumTests {
        private static let host = "brandname.go.link"
        private static let phone =
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
        private static let safari = phone + " Version/18.1 Mobile/15E148 Safari/604.1"
        private static let instagram = phone + " Mobile/15E148 Instagram 345.0.0.25.98"
        private static let android =
            "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36"
        private static let mac =
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15"
        private static let windows =
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36"

        @Test(
            "leads a phone to its store",
            arguments: [
                (safari, "https://apps.apple.com/app/id1234567890?ct=summer&mt=8"),
                (
                    android,
                    "https://play.google.com/store/apps/details?id=com.example.app&referrer="
                        + "lf_link%3Dbrandname.go.link%2Fbeach%26lf_campaign%3Dsummer"
                ),
            ])
        func store(userAgent: String, store: String) async throws {
            try await ServingProcess.run { port in
                try await Chromium.run(userAgent: userAgent, host: Self.host) { chromium in
                    let place = try await chromium.open("http://\(Self.host):\(port)/beach")

                    #expect(place == store)
                }
            }
        }

        @Test("offers the app inside another app's browser, with script and without", arguments: [true, false])
        func inApp(runsScripts: Bool) async throws {
            try await ServingProcess.run { port in
                let url = "http://\(Self.host):\(port)/summer-clothes?promo=beach"
                try await Chromium.run(userAgent: Self.instagram, host: Self.host, runsScripts: runsScripts) { chromium in
                    let place = try await chromium.open(url)

                    // Nothing leads away by itself, and the page is as it was meant.
                    #expect(place == url)
                    let buttons = try await chromium.buttons()
                    #expect(
                        buttons.map(\.address) == [
                            "example://summer-clothes?promo=beach", "https://apps.apple.com/app/id1234567890",
                            "https://example.com/summer-clothes?promo=beach",
                        ])
                    #expect(
                        buttons.map(\.label) == ["Open in Example", "Get Example on the App Store", "Continue on the web"])
                    #expect(try await chromium.complaints().filter { !$0.contains("favicon") } == [])
                }
            }
        }

        @Test(
            "reaches an installed app by one tap where its domain says [app, store]; the page never navigates by itself",
            arguments: [true, false])
        func installedApp(runsScripts: Bool) async throws {
            try await ServingProcess.withFolder { folder in
                let example = try String(contentsOfFile: RunningCommand.example, encoding: .utf8)
                let paths = "      paths: [/summer-clothes]"
                let file = folder.appending(path: "own.yaml")
                try example.replacing(paths, with: "      ios: [app, store]\n" + paths).write(to: file, atomically: true, encoding: .utf8)
                let server = try await ServingProcess.start(in: folder, configuration: file.path)
                let url = "http://\(Self.host):\(server.port)/beach?size=m&adj_t=abc"
                try await Chromium.run(userAgent: Self.safari, host: Self.host, runsScripts: runsScripts) { chromium in
                    let place = try await chromium.open(url)
                    let buttons = try await chromium.buttons()
                    // No app here has the scheme: the browser stays on the page after a tap too.
                    try await chromium.tap("main a.first")
                    let after = try await chromium.buttons()

                    #expect(place == url)
                    #expect(
                        buttons.prefix(2).map(\.address) == [
                            "example://summer-clothes?promo=beach&size=m&lf_t=abc&lf_campaign=summer",
                            "https://apps.apple.com/app/id1234567890?ct=summer&mt=8",
                        ])
                    #expect(after.map(\.address) == buttons.map(\.address))
                    #expect(try await chromium.complaints().filter { $0.contains("Content Security Policy") } == [])
                }
                try await server.ends()
            }
        }

        @Test("writes its token to the pasteboard at a tap, and the store knows it")
        func pasteboard() async throws {
            try await ServingProcess.withFolder { folder in
                let server = try await ServingProcess.start(in: folder)
                let url = "http://\(Self.host):\(server.port)/welcome"
                try await Chromium.run(userAgent: Self.safari, host: Self.host) { chromium in
                    _ = try await chromium.open(url)
                    let promised = try await chromium.value("return document.querySelector('a').dataset.copy")
                    #expect(promised.hasPrefix("https://brandname.go.link/welcome?lf_token="))

                    // Without an app for the scheme the browser stays on the page.
                    try await chromium.tap("main a.first")
                    _ = try await chromium.value(
                        "var t=document.createElement('textarea');t.id='paste';document.querySelector('main').append(t)")
                    let pasted = try await chromium.paste(into: "#paste")

                    #expect(pasted == promised)
                    let complaints = try await chromium.complaints().filter { $0.contains("Content Security Policy") }
                    #expect(complaints == [])
                }
                server.command.stop()
                _ = await server.command.ending()
                let database = try SQLiteDatabase(path: folder.appending(path: "landfall.sqlite").path)
                let kept = try await database.read {
                    try $0.rows("SELECT d.kind, c.kind AS of FROM deferred_link d JOIN click c ON c.click_id = d.click_id")
                }
                #expect(kept.map { $0.optionalText("kind") } == ["pasteboard"])
                #expect(kept.map { $0.optionalText("of") } == ["person"])
            }
        }

        @Test("shows a desktop a QR code for the phone")
        func desktop() async throws {
            try await ServingProcess.run { port in
                try await Chromium.run(userAgent: Self.windows, host: Self.host) { chromium in
                    _ = try await chromium.open("http://\(Self.host):\(port)/beach")

                    #expect(try await chromium.isShown(".qr svg"))
                    let width = try await chromium.value(
                        "return document.querySelector('.qr svg').getBoundingClientRect().width")
                    #expect(width == "220")
                    let web = try await chromium.buttons().last
                    #expect(web?.address == "https://example.com/summer-clothes?promo=beach")
                    #expect(try await chromium.complaints().filter { !$0.contains("favicon") } == [])
                }
            }
        }

        @Test(
            "shows an iPad that calls itself a Mac the app's button and its token, and a Mac neither",
            arguments: [(touch: 5, runsScripts: true), (0, true), (5, false)])
        func ipadOrMac(touch: Int, runsScripts: Bool) async throws {
            let isIPad = touch > 0 && runsScripts
            try await ServingProcess.run { port in
                try await Chromium.run(userAgent: Self.mac, host: Self.host, runsScripts: runsScripts) { chromium in
                    try await chromium.pretendTouch(touch)
                    _ = try await chromium.open("http://\(Self.host):\(port)/welcome")

                    let buttons = try await chromium.buttons()
                    let app = buttons.firstIndex { $0.address.hasPrefix("example://") }
                    #expect(app == (isIPad ? 0 : buttons.count - 1))
                    #expect(try await chromium.isShown("a[data-touch]") == isIPad)
                    #expect(try await chromium.isShown("#copy") == isIPad)
                    #expect(try await chromium.isShown(".qr svg") == !isIPad)
                    #expect(try await chromium.isShown("a.first:not([data-touch])"))
                    #expect(try await chromium.complaints().filter { $0.contains("Content Security Policy") } == [])
                }
            }
        }

        @Test("that leads nowhere says so, and offers other ways")
        func missing() async throws {
            try await ServingProcess.run { port in
                try await Chromium.run(userAgent: Self.windows, host: Self.host) { chromium in
                    _ = try await chromium.open("http://\(Self.host):\(port)/nothing")

                    let title = try await chromium.value("return document.title")
                    #expect(title == "This link leads nowhere")
                    let buttons = try await chromium.buttons()
                    #expect(buttons.first?.address == "https://example.com/")
                }
            }
        }
    }
}
