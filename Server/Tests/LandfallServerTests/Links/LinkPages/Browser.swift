// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

/// A browser: sends the real router a request for an address, as the network would.
struct Browser: Sendable {
    var userAgent: String? = Browser.safari
    var address = "192.0.2.7"
    var method = HTTPRequest.Method.get
    var headers: HTTPFields = [:]
    var body = ""

    struct Answer: Sendable {
        let status: Int
        let headers: HTTPFields
        let body: String

        var location: String? { headers[.location] }
        /// Where the page's buttons lead: of a button that counts its tap, where its redirect leads.
        var links: [String] { buttons.map { followed[$0] ?? $0 } }
        /// The addresses of the page's buttons, as a browser reads them.
        var buttons: [String] {
            body.matches(of: /<a [^>]*href="([^"]*)"/).map { Self.unescaped(String($0.output.1)) }
        }
        var followed: [String: String] = [:]
        /// The text that a button's tap puts on the pasteboard.
        var copied: String? { body.firstMatch(of: /data-copy="([^"]*)"/).map { Self.unescaped(String($0.output.1)) } }
        func meta(_ name: String) -> String? {
            body.firstMatch(of: try! Regex("<meta (?:name|property)=\"\(name)\" content=\"([^\"]*)\">")).flatMap {
                $0.output[1].substring.map { Self.unescaped(String($0)) }
            }
        }

        private static func unescaped(_ text: String) -> String {
            text.replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&lt;", with: "<")
                .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
        }
    }

    /// - Parameter url: its host becomes the `Host` field unchanged.
    func open(_ url: String, in server: TestServer) async throws -> Answer {
        let rest = try #require(url.firstRange(of: "://")).upperBound
        let end = url[rest...].firstIndex(where: { $0 == "/" || $0 == "?" }) ?? url.endIndex
        // Fragments stay in the browser.
        let target = String(url[end...].prefix { $0 != "#" })
        let host = String(url[rest..<end])
        var answer = try await send(target.hasPrefix("/") ? target : "/" + target, host: host, to: server)
        for button in answer.buttons where button.contains("lf_tap=") {
            answer.followed[button] = try await send(button, host: host, to: server).location
        }
        return answer
    }

    /// - Parameter target: as it stands in the first line of the request.
    func send(_ target: String, host: String?, to server: TestServer) async throws -> Answer {
        try await send(target, host: host, to: Routes.router(server.services).buildResponder())
    }

    func send(_ target: String, host: String?, to responder: some HTTPResponder<AppContext>) async throws -> Answer {
        var fields = headers
        fields[.userAgent] = userAgent
        let request = Request(
            head: HTTPRequest(method: method, scheme: "http", authority: host, path: target, headerFields: fields),
            body: RequestBody(buffer: ByteBuffer(string: body))
        )
        let channel = NIOAsyncTestingChannel()
        try await channel.connect(to: SocketAddress(ipAddress: address, port: 50_000))
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let context = AppContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        let response = try await responder.respond(to: request, context: context)
        let body = CollectedBody()
        try await response.body.write(CollectingWriter(body: body))
        return Answer(status: response.status.code, headers: response.headers, body: await body.text)
    }

    private actor CollectedBody {
        private(set) var text = ""
        func append(_ part: String) { text += part }
    }

    private struct CollectingWriter: ResponseBodyWriter {
        let body: CollectedBody
        mutating func write(_ buffer: ByteBuffer) async throws { await body.append(String(buffer: buffer)) }
        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }
}

extension Browser {
    static let safari =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 "
        + "Mobile/15E148 Safari/604.1"
    static let instagram =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 "
        + "Instagram 345.0.0.25.98 (iPhone15,2; iOS 17_5; en_US)"
    static let android =
        "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36"
    static let androidInstagram =
        "Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 "
        + "Mobile Safari/537.36 Instagram 350.0.0.30.88 Android"
    static let mac =
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15"
    static let windows =
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36"
    static let slack = "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)"
    static let google = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"

    static var onPhone: Browser { Browser() }
    static var inInstagram: Browser { Browser(userAgent: instagram) }
    static var onAndroid: Browser { Browser(userAgent: android) }
    static var onDesktop: Browser { Browser(userAgent: windows) }
}

extension TestServer {
    /// An app with everything, and one link of each sort on `go.example.com`.
    static func runBrand(
        app: String = brandApp, proxies: TrustedProxies = .none, countryHeader: HTTPField.Name? = nil,
        _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        let configuration = try Configuration(yaml: app + brandRest + brandLinks, environment: { _ in nil })
        try await run(configuration: configuration, proxies: proxies, countryHeader: countryHeader, body)
    }

    static let brandApp = """
        app:
          id: example
          name: Example & Co
          bundleId: com.example.app
          teamId: ABCDE12345
          scheme: example
          appStoreId: 1234567890
          android: { package: com.example.android }

        """
    /// What an app with links needs besides.
    static let brandRest = """
        keys: [{ sdk: pk_test }]
        paywalls: { default: {} }
        placements: { onboarding: [{ audience: everyone, paywall: default }] }
        domains:
          brand: [{ host: go.example.com, paths: [/summer-clothes, /own/*] }]
          universal: [example.com]

        """
    private static let brandLinks = """
        links:
          - { url: https://go.example.com/beach, to: "https://go.example.com/summer-clothes?promo=beach", campaign: summer }
          - { url: https://go.example.com/app, to: "example://offers/7#top", label: poster }
          - { url: https://go.example.com/copied, to: https://example.com/offers, campaign: summer, pasteboard: true }
          - { url: https://go.example.com/typed, to: https://example.com/offers, code: true }
          - { url: https://go.example.com/over, to: https://example.com/offers, expires: 2001-01-01 }
          - url: https://go.example.com/shown
            to: https://example.com/offers
            preview: { title: "50 % \\"off\\" <now>", description: "Don't wait", image: "https://example.com/i.png?a=1&b=2" }
          - url: https://go.example.com/ways
            to: https://example.com/offers
            ios: [app, store]
            android: https://example.com/android?x=1
            desktop: https://example.com/desktop

        """
}
