// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("Links in the configuration", .timeLimit(.minutes(1)))
struct LinkConfigurationTests {
    private static let domains = "domains: { brand: [go.example.com], universal: [example.com] }\n"

    @Test("A link has all fields that links can have")
    func whole() throws {
        let configuration = try Sample.configuration(
            """
            domains: { brand: [{ host: Go.Example.com }], universal: [example.com] }
            links:
              - url: https://go.example.com/Shoes/Air%2DMax/
                to: https://example.com/shoes?size=9
                campaign: spring
                adGroup: runners
                creative: red
                label: poster
                channel: mail
                expires: 2030-01-31
                ios: [app, store]
                android: https://example.com/android
                desktop: [store, https://example.com/]
                preview:
                  title: Shoes
                  description: "For running"
                  image: https://example.com/shoes.png
                  locales: { ja: { title: 靴 }, zh_tw: { description: 跑步, image: https://example.com/tw.png } }
                pasteboard: true
                code: true
                starts: 2029-01-31
                when: [{ country: [DE, no], platform: [ios], to: https://elsewhere.example/de }]
                ppid: 45812c9b-c296
                pt: 123456
                ct: May, 2027
                tags: [spring, mail]
                folder: 2027

            """)

        var expected = StoredLink(
            host: "go.example.com", path: LinkPath(stored: "/Shoes/Air-Max"), destination: "https://example.com/shoes?size=9",
            labels: LinkLabels(campaign: "spring", adGroup: "runners", creative: "red", label: "poster", channel: "mail"),
            expiresAtMs: 1_896_048_000_000,
            ways: PlatformWays(
                ios: [.app, .store], android: [.web("https://example.com/android")],
                desktop: [.store, .web("https://example.com/")]),
            preview: LinkPreview(
                title: "Shoes", description: "For running", image: "https://example.com/shoes.png",
                locales: [
                    "ja": .init(title: "靴"), "zh-TW": .init(description: "跑步", image: "https://example.com/tw.png"),
                ]),
            handover: LinkHandover(pasteboard: true, code: true)
        )
        expected.startsAtMs = 1_864_512_000_000
        expected.routes = [LinkRoute(countries: ["DE", "NO"], platforms: [.ios], destination: "https://elsewhere.example/de")]
        expected.storePage = StorePage(ppid: "45812c9b-c296", pt: "123456", ct: "May, 2027")
        (expected.tags, expected.folder) = (["spring", "mail"], "2027")
        #expect(configuration.links == [expected])
    }

    @Test("The app has the values for the association files")
    func association() throws {
        let fingerprint = Array(repeating: "ab", count: 32).joined(separator: ":")
        let yaml = """
            app:
              id: sample
              bundleId: com.example.sample
              appStoreProvider: 0123456
              android: { package: com.example.sample, certificates: ["\(fingerprint)"] }
              association:
                { apps: [ABCDE12345.com.example.beta], appClips: [ABCDE12345.com.example.sample.Clip], exclude: [/admin/*], caseSensitive: false, percentEncoded: false }
            keys: [{ sdk: pk_sample }]
            paywalls: { default: {} }
            placements: { home: [{ audience: everyone, paywall: default }] }

            """

        let app = try Configuration(yaml: yaml, environment: { _ in nil }).app

        #expect(app.appStoreProvider == "0123456")
        #expect(app.android == AndroidApp(package: "com.example.sample", certificates: [fingerprint.uppercased()]))
        let association = AppAssociation(
            furtherApps: ["ABCDE12345.com.example.beta"], clips: ["ABCDE12345.com.example.sample.Clip"], excluded: [PathPattern("/admin/*")], isCaseSensitive: false,
            isPercentEncoded: false)
        #expect(app.association == association)
    }

    /// The line that is added to a link as line 11, and its only problem.
    static let mistakes: [(addition: String, problem: String)] = [
        ("expires: soon", "11:81: 'expires' cannot be 'soon'. Write a date (2027-01-31) or an instant (2027-01-31T12:00:00Z)."),
        ("ios: shop", "11:77: 'ios' cannot be 'shop'. Write app, store, page, web or an https address."),
        (
            "desktop: [store, \"http://a.example/\"]",
            "11:89: 'desktop' cannot be 'http://a.example/'. Write app, store, page, web or an https address."
        ),
        (
            "android: \"javascript:alert(1)\"",
            "11:81: 'android' cannot be 'javascript:alert(1)'. Write app, store, page, web or an https address."
        ),
        ("pasteboard: often", "11:84: 'pasteboard' is neither true nor false. Write one of them, without quotes."),
        ("preview: { titles: x }", "11:83: 'preview' has no 'titles'. Did you mean 'title'?"),
        (
            "preview: { image: \"http://a.example/i.png\" }",
            "11:90: 'image' is not https, so messengers would not show it. Write an https address."
        ),
        ("campain: x", "11:72: A link has no 'campain'. Did you mean 'campaign'?"),
    ]

    @Test("A mistake of a link is reported at its place", arguments: mistakes)
    func mistake(addition: String, problem: String) {
        let link = "links: [{ url: https://go.example.com/beach, to: https://example.com/, \(addition) }]\n"

        #expect(Sample.problems(adding: Self.domains + link) == [problem])
    }

    @Test(
        "A link that is not safe to follow is refused",
        arguments: [
            (
                "https://go.example.com/../x", "https://example.com/",
                "11:16: The link's path holds '.' or '..'. Write the path that is meant."
            ),
            (
                "https://go.example.com/v1/x", "https://example.com/",
                "11:16: '/v1/x' is a path that the server keeps for itself. Choose another."
            ),
            (
                "https://go.example.com/%FF", "https://example.com/",
                "11:16: The link's percent-encoding is not UTF-8. Encode the text as UTF-8."
            ),
            (
                "https://go.exаmple.com/a", "https://example.com/",
                "11:16: 'url' cannot be 'https://go.exаmple.com/a'. "
                    + "The link's host is not plain ASCII, so it may only look like yours. Write it in its ASCII form."
            ),
            (
                "https://go.example.com/a", "javascript:alert(1)",
                "11:48: 'to' cannot be 'javascript:alert(1)'. "
                    + "Links of this scheme lead nowhere in an app. Use https or the app's own scheme."
            ),
            (
                "https://go.example.com/a", "https://x@example.com/",
                "11:48: 'to' cannot be 'https://x@example.com/'. "
                    + "The link holds a user name or a password. Remove it."
            ),
        ])
    func refused(url: String, to: String, problem: String) {
        let link = "links: [{ url: \"\(url)\", to: \"\(to)\" }]\n"

        let problems = Sample.problems(adding: Self.domains + link)

        #expect(problems.map { $0.drop { $0 != " " } } == [problem.drop { $0 != " " }])
        #expect(problems.allSatisfy { $0.hasPrefix("11:") })
    }

    @Test(
        "A mistake of a domain or an association is reported",
        arguments: [
            ("domains: { brand: [{ paths: [/a] }] }", "10:20: A brand domain needs 'host'. Add it."),
            (
                "domains: { brand: [{ host: go.example.com, ios: [app, shop] }] }",
                "10:55: 'ios' cannot be 'shop'. Write app, store, page, web or an https address."
            ),
            (
                "domains: { brand: [{ host: go.example.com, paths: [beach] }] }",
                "10:52: A path cannot be 'beach'. Write it from its '/' on, percent-encoded, with * and ? as in /products/*."
            ),
            (
                "domains: { brand: [go.example.com], api: [go.example.com] }",
                "10:43: 'go.example.com' is here a second time; the first is in line 10. A domain has one purpose: keep one."
            ),
        ])
    func domain(addition: String, problem: String) {
        #expect(Sample.problems(adding: addition + "\n") == [problem])
    }

    @Test("A brand domain has the ways for links without ways of their own")
    func domainWays() throws {
        let configuration = try Sample.configuration(
            "domains: { brand: [{ host: go.example.com, ios: [app, store], android: page, desktop: [web, page] }] }\n")

        #expect(configuration.domains.brand.map(\.ways) == [PlatformWays(ios: [.app, .store], android: [.page], desktop: [.site, .page])])
    }

    @Test("The API may answer on the web site's host")
    func apiHost() throws {
        let configuration = try Sample.configuration(
            "domains: { universal: [example.com], api: [example.com, api.example.com] }\n")

        let snapshot = Snapshot(configuration, revision: 1)
        let hosts = ["api.example.com", "example.com", "www.example.com", nil]
        #expect(hosts.map { snapshot.isAPI($0) } == [true, true, false, false])
    }

    @Test(
        "A host with letters beyond ASCII is taken in the form of browsers, and the file's check names it",
        arguments: [
            ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.example", "xn--bcher-kva.example"), ("bu\u{308}cher.example", "xn--bcher-kva.example"),
            ("go.日本語.example", "go.xn--wgv71a119e.example"), ("ñandú-çok-üzün.example", "xn--and-ok-zn-t3a9h1e5ab.example"),
        ])
    func internationalHost(written: String, host: String) throws {
        let file = "domains: { brand: [{ host: \(written) }], universal: [example.com] }\n"

        #expect(try Sample.configuration(file).domains.brand.map(\.host) == [host])
        let warnings = Sample.warnings(adding: file).map(\.message)
        #expect(warnings.count == 1 && warnings[0].contains("'\(host)'"))
    }

    @Test("A text that cannot be a host is refused, whatever its letters", arguments: ["bücher", "bü cher.example", "bü/cher.example", "💶.example", "-ü.example."])
    func wrongHost(written: String) {
        #expect(Sample.problems(adding: "domains: { brand: [\"\(written)\"], universal: [example.com] }\n").count == 1)
    }

    @Test(
        "Links of an app without store and web site are warned about",
        arguments: [
            ("domains: { brand: [go.example.com] }", 1), ("domains: { brand: [go.example.com], universal: [example.com] }", 0),
            ("domains: { brand: [{ host: go.example.com, ios: https://example.com/app }] }", 0), ("domains: { api: [api.example.com] }", 0),
        ])
    func nowhere(file: String, count: Int) {
        let warnings = Sample.warnings(adding: file + "\n")

        #expect(warnings.count == count && warnings.allSatisfy { $0.message.contains("no store and no web site") })
    }
}
