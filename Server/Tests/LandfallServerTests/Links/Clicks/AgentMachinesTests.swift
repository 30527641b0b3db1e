// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallServer

@Suite("Programs, told from browsers by their user agents", .timeLimit(.minutes(1)))
struct AgentMachinesTests {
    private static let safari = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15"
    private static let android = " AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36"

    static let machines: [String] = [
        // They do not begin as browsers do, and name no engine.
        "curl/8.5.0", "Wget/1.21", "python-requests/2.31", "Ruby", "Java/17.0.1", "node", "Rome Client", "MobileSMS/6000 CFNetwork/1474 Darwin/23.0.0",
        // They begin so, and name neither a system nor an engine.
        "Mozilla/5.0", "Mozilla/5.0 zgrab/0.x", "Mozilla/5.0 (compatible)",
        // They say where to read about them, or whom to write to.
        safari + " (+https://example.com/about)", safari + " (www.example.com)", safari + " owner@example.com", safari + " owner(at)example",
        safari + " Example.com", "Mozilla/5.0 (example.io; Linux)",
        // They are compatible with a browser.
        "Mozilla/5.0 (compatible; Example/1.0)", "Mozilla/5.0 (compatible;Example Agent) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36",
        // They are called what they are.
        "ExampleBot", safari + " Example-robots/2.0", safari + "; 360Spider", "Mozilla/5.0 (Linux; Android 8.0; Pixel 2; Storebot-Google/1.0)" + android,
        // They are known by name.
        safari + " Google Favicon", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/62.0 Safari/537.36 PTST/211202",
    ]

    @Test("A program is none of the persons", arguments: machines)
    func machine(agent: String) {
        #expect(LinkVisitor(agent).kind == .bot)
    }

    static let persons: [String] = [
        safari, "Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0)", "Mozilla/5.0 (compatible; Konqueror/4.5; Linux) KHTML/4.5.4 (like Gecko)",
        "Opera/9.80 (Android; Opera Mini/36.2/119.132; U; id) Presto/2.12.423 Version/12.16", "Lynx/2.8.9rel.1",
        "Linux; U; Android 10; tr_TR; Box Q; Build/QTT8.201201.002; Cronet/114.0.5735.33",
        "TV Bro/1.0 Mozilla/5.0 (Linux; Android 9; VONTAR X3; wv)" + android,
        // The version looks like a mail address.
        "Mozilla/5.0 (Linux; Android 10; K)" + android + " (Ecosia android@130.0.6723.90)",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 10_2_1 like Mac OS X) AppleWebKit/602.4.6 (KHTML, like Gecko) Mobile/14D27 (Ecosia ios@3.0.1.533)",
        // The carrier is called as its web site.
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBCR/Vodafone.de;FBLC/de_DE]",
        // An app of that name, and its package.
        "Mozilla/5.0 (Linux; Android 14; SM-S911B; wv)" + android + " [FB_IAB/FB4A;FBAV/450.0;FBPN/com.facebook.katana;]",
        "Mozilla/5.0 (Linux; Android 14; SM-S911B; wv)" + android + " MetaIAB Facebook",
        // Phones.
        "Mozilla/5.0 (Linux; Android 7.0; M bot 54)" + android, "Mozilla/5.0 (Linux; Android 6.0; IDbot553 Build/MRA58K)" + android,
        "Mozilla/5.0 (Linux; Android 8.1.0; XBot_Senior Build/O11019)" + android, "Mozilla/5.0 (Linux; Android 13; Spider 8)" + android,
        "Mozilla/5.0 (Linux; Android 7.0; S710 Ruby)" + android, "Mozilla/5.0 (Linux; Android 8.1.0; Perla)" + android,
    ]

    @Test("A browser of an unusual phone, app or television is a person's", arguments: persons)
    func person(agent: String) {
        #expect(LinkVisitor(agent).kind == .person)
    }
}
