// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import LandfallWire
import Testing

@testable import LandfallServer

@Suite("Association files", .timeLimit(.minutes(1)))
struct AssociationFileTests {
    private static let apple = "https://go.example.com/.well-known/apple-app-site-association"
    private static let android = "https://go.example.com/.well-known/assetlinks.json"
    private static let fingerprint = Array(repeating: "AB", count: 32).joined(separator: ":")
    private static let whole = """
        app:
          id: example
          bundleId: com.example.app
          teamId: ABCDE12345
          android: { package: com.example.android, certificates: ["\(fingerprint)"] }
          scheme: example
          association: { apps: [ZYXWV98765.com.example.beta], appClips: [ABCDE12345.com.example.app.Clip], exclude: [/admin/*, "/help?"], caseSensitive: false }

        """

    private func value(_ text: String) throws -> JSONValue { try WireCoding.decode(JSONValue.self, from: Data(text.utf8)) }

    @Test("iOS learns which apps open which paths: excluded paths first, then all")
    func apple() async throws {
        try await TestServer.runBrand(app: Self.whole) { server in
            let answer = try await Browser(userAgent: "swcd (unknown version) CFNetwork/1").open(Self.apple, in: server)

            #expect(answer.status == 200)
            #expect(answer.headers[.contentType] == "application/json")
            let expected = try value(
                """
                {"applinks":{"defaults":{"caseSensitive":false,"percentEncoded":true},"details":[{
                  "appIDs":["ABCDE12345.com.example.app","ZYXWV98765.com.example.beta"],
                  "components":[{"/":"/admin/*","exclude":true},{"/":"/help?","exclude":true},{"/":"*"}]}]},
                  "appclips":{"apps":["ABCDE12345.com.example.app.Clip"]}}
                """)
            #expect(try value(answer.body) == expected)
        }
    }

    @Test("App Clips can be all that the file names; without them it has no such part")
    func clips() async throws {
        let app = "app: { id: example, bundleId: com.example.app, scheme: example, association: { appClips: [ABCDE12345.com.example.app.Clip] } }\n"
        try await TestServer.runBrand(app: app) { server in
            let body = try await Browser.onPhone.open(Self.apple, in: server).body
            #expect(try value(body) == value(#"{"appclips":{"apps":["ABCDE12345.com.example.app.Clip"]}}"#))
        }
        try await TestServer.runBrand { server in
            let body = try await Browser.onPhone.open(Self.apple, in: server).body
            #expect(!body.contains("appclips"))
        }
    }

    @Test("Android learns the app and its signature")
    func android() async throws {
        try await TestServer.runBrand(app: Self.whole) { server in
            let answer = try await Browser(userAgent: nil).open(Self.android, in: server)

            #expect(answer.status == 200)
            #expect(answer.headers[.contentType] == "application/json")
            let expected = try value(
                """
                [{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"android_app",
                  "package_name":"com.example.android","sha256_cert_fingerprints":["\(Self.fingerprint)"]}}]
                """)
            #expect(try value(answer.body) == expected)
        }
    }

    @Test("Without the app's owner in the configuration there is no file")
    func absent() async throws {
        let app = "app: { id: example, bundleId: com.example.app, scheme: example }\n"
        try await TestServer.runBrand(app: app) { server in
            for url in [Self.apple, Self.android] {
                let status1 = try await Browser.onPhone.open(url, in: server).status
                #expect(status1 == 404)
            }
        }
    }

    @Test("HEAD is answered like GET, without the file; no other path is served beside it")
    func beside() async throws {
        try await TestServer.runBrand { server in
            let head = try await Browser(method: .head).open(Self.apple, in: server)
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            for path in ["/.well-known/", "/.well-known/apple-app-site-association/x", "/.well-known/security.txt"] {
                let status2 = try await Browser.onPhone.open("https://go.example.com" + path, in: server).status
                #expect(status2 == 404)
            }
        }
    }

    @Test("A query makes no difference, and other hosts have no such file")
    func elsewhere() async throws {
        try await TestServer.runBrand { server in
            let status3 = try await Browser.onPhone.open(Self.apple + "?mode=developer", in: server).status
            #expect(status3 == 200)
            let other = Self.apple.replacing("go.example.com", with: "www.example.com")
            let status4 = try await Browser.onPhone.open(other, in: server).status
            #expect(status4 == 404)
        }
    }

    @Test("The web site's host has the same files, for its proxy to pass on, and nothing else", arguments: ["example.com", "Example.COM.:443"])
    func universal(host: String) async throws {
        try await TestServer.runBrand(app: Self.whole) { server in
            for url in [Self.apple, Self.android] {
                let brand = try await Browser.onPhone.open(url, in: server)
                let path = String(url.dropFirst("https://go.example.com".count))

                let site = try await Browser.onPhone.send(path + "?x=1", host: host, to: server)
                let head = try await Browser(method: .head).send(path, host: host, to: server)
                let post = try await Browser(method: .post).send(path, host: host, to: server)

                #expect(site.status == 200 && site.body == brand.body)
                #expect(site.headers[.contentType] == "application/json" && site.headers[.location] == nil)
                #expect(site.headers[.landfallVersion] == LandfallVersion.current)
                #expect(head.status == 200 && head.body.isEmpty)
                #expect(post.status == 404)
            }
            let headers: HTTPFields = [.authorization: "Bearer pk_test"]
            for path in [
                "/", "/beach", "/.well-known/", "/.well-known/assetlinks.json/x", "/console", "/v1/placements/onboarding/paywall",
                "/v1/first-open", "/apple-app-site-association",
            ] {
                #expect(try await Browser(headers: headers).send(path, host: host, to: server).status == 404, "\(path)")
            }
        }
    }
}
