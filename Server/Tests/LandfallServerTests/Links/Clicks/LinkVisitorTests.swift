// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("The visitor of a link", .timeLimit(.minutes(1)))
struct LinkVisitorTests {
    private static let macintosh = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15"
    private static let chrome = " (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36"

    static let persons: [(userAgent: String, platform: BrowserPlatform, isInApp: Bool)] = [
        (Browser.safari, .ios, false), (Browser.instagram, .ios, true), (Browser.android, .android, false),
        (Browser.androidInstagram, .android, true), (Browser.mac, .ipadOrMac, false), (Browser.windows, .desktop, false),
        (macintosh + " (KHTML, like Gecko)", .ipadOrMac, false), (macintosh + chrome, .desktop, false),
        (macintosh + chrome + " Edg/130.0.0.0", .desktop, false),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0", .desktop, false),
        // On an iPad these say Macintosh too, and what they are.
        (macintosh + " (KHTML, like Gecko) CriOS/130.0.6723.90 Version/11.1.1 Safari/605.1.15", .ios, false),
        (macintosh + " (KHTML, like Gecko) FxiOS/132.0 Safari/605.1.15", .ios, false),
        (macintosh + " (KHTML, like Gecko) Version/18.0 EdgiOS/130.0.2849.80 Safari/605.1.15", .ios, false),
        (macintosh + " (KHTML, like Gecko) GSA/340.3.695 Mobile/15E148 Safari/605.1.15", .ios, true),
        (macintosh + " (KHTML, like Gecko) Mobile/15E148", .ios, true),
        (
            "Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/130.0.6723.90 "
                + "Mobile/15E148 Safari/604.1", .ios, false
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/21F90 "
                + "[FBAN/FBIOS;FBAV/470.0.0.40.107;FBBV/1]", .ios, true
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 "
                + "Safari Line/14.10.0", .ios, true
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 "
                + "MicroMessenger/8.0.50", .ios, true
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
            .ios, true
        ),
        ("Mozilla/5.0 (Mobile; Windows Phone 8.1; Android 4.0; IEMobile/11.0; NOKIA) like iPhone OS 7_0_3", .desktop, false),
        ("Mozilla/5.0 (Linux; Android 12; CUBOT_X50) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36", .android, false),
        ("Mozilla/5.0 (Linux; Android 9; CUBOT) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36", .android, false),
    ]

    @Test("A person has a platform, and may use another app's browser", arguments: persons)
    func person(userAgent: String, platform: BrowserPlatform, isInApp: Bool) {
        let visitor = LinkVisitor(userAgent: userAgent)

        #expect(visitor.kind == .person)
        #expect(visitor.platform == platform)
        #expect(visitor.isInApp == isInApp)
    }

    @Test(
        "Messengers and feeds fetch links without a person's click",
        arguments: [
            Browser.slack, "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", "Twitterbot/1.0",
            "WhatsApp/2.23.20.0", "TelegramBot (like TwitterBot)",
            "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
            "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
            // What Messages on iOS says.
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 "
                + "Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
        ])
    func previewer(userAgent: String) {
        #expect(LinkVisitor(userAgent: userAgent).kind == .preview)
    }

    @Test(
        "Bots are not persons",
        arguments: [
            nil, "", Browser.google, "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "curl/8.5.0",
            "Wget/1.21", "python-requests/2.31", "Go-http-client/2.0", "Mozilla/5.0 (compatible; YandexBot/3.0)", "okhttp/4.12",
            "Mozilla/5.0 (compatible; AhrefsBot/7.0)", "UptimeRobot/2.0",
            "Mozilla/5.0 (X11; Linux) HeadlessChrome/120.0 Safari",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 8_3 like Mac OS X) (compatible; Googlebot-Mobile/2.1)", "Baiduspider/2.0",
        ])
    func machine(userAgent: String?) {
        #expect(LinkVisitor(userAgent: userAgent).kind == .bot)
    }

    @Test("HEAD is not a click, and neither is a browser's prefetch")
    func ahead() {
        #expect(LinkVisitor(userAgent: Browser.safari, method: .head).kind == .head)
        for purpose in ["prefetch", "prefetch;prerender", "Preview"] {
            #expect(LinkVisitor(userAgent: Browser.safari, purpose: purpose).kind == .preview)
        }
        #expect(LinkVisitor(userAgent: Browser.safari, purpose: "navigate").kind == .person)
    }

    @Test("Only a bounded part of a very long user agent is read")
    func long() {
        #expect(LinkVisitor(userAgent: Browser.safari + String(repeating: "x", count: 30_000) + " bot").kind == .person)
    }
}

extension LinkVisitor {
    /// As a request of this kind shows it.
    init(userAgent: String?, method: HTTPRequest.Method = .get, purpose: String? = nil) {
        self = LinkVisitor(userAgent).asking(isHead: method == .head, purpose: purpose)
    }
}
