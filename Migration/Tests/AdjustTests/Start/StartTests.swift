// SPDX-License-Identifier: Apache-2.0
@testable import Adjust
import Foundation
import Landfall
import LandfallTesting
import LandfallAppClient
import Testing

@Suite("A start by ADJConfig", .timeLimit(.minutes(1)))
struct StartTests {
    @Test("makes a client with the server and the key of Info.plist, and starts it")
    func fromInfo() async throws {
        let app = StartedApp(StartedApp.info)

        app.connection.begin(StartedApp.config())

        let client = try #require(app.connection.client)
        await app.pass(.seconds(1))
        #expect(!app.server.requests.isEmpty)
        #expect(app.server.requests.allSatisfy { $0.url.host == "api.example.com" })
        #expect(app.shared.client === client)
        await client.shutdown()
    }

    @Test("The configuration's own server, key and links come before those of Info.plist")
    func fromConfig() throws {
        var info = StartedApp.info
        info["LandfallLinks"] = ["brand": ["links.example.com"], "universal": ["example.com"], "schemes": ["shop"]]
        let app = StartedApp(info)

        let plain = try app.connection.configuration(of: StartedApp.config())
        let own = try app.connection.configuration(
            of: StartedApp.config {
                $0.serverURL = URL(string: "https://other.example.com")
                $0.sdkKey = "pk_other"
                $0.links = LinkRules(domains: LinkDomains(schemes: ["other"]))
            })

        #expect((plain.sdkKey, plain.server.absoluteString) == ("pk_demo", "https://api.example.com"))
        #expect(plain.links.domains == LinkDomains(brand: ["links.example.com"], universal: ["example.com"], schemes: ["shop"]))
        #expect((own.sdkKey, own.server.absoluteString) == ("pk_other", "https://other.example.com"))
        #expect(own.links.domains == LinkDomains(schemes: ["other"]))
    }

    @Test("Long paths come from Info.plist, or from the links in code; the configuration's own are added to either")
    func longPaths() throws {
        var info = StartedApp.info
        info["LandfallLinks"] = ["brand": ["links.example.com"], "longPaths": ["/products/*"]]
        let app = StartedApp(info)
        let own = LinkRules(domains: LinkDomains(brand: ["links.example.com"]), longPaths: ["/help"])

        let plain = try app.connection.configuration(of: StartedApp.config())
        let added = try app.connection.configuration(of: StartedApp.config { $0.longPaths = ["/shop/*"] })
        let replaced = try app.connection.configuration(
            of: StartedApp.config {
                $0.links = own
                $0.longPaths = ["/shop/*"]
            })

        #expect(plain.links.longPaths == ["/products/*"])
        #expect(added.links.longPaths == ["/products/*", "/shop/*"])
        #expect(replaced.links.longPaths == ["/help", "/shop/*"])
    }

    @Test("An app token that is an SDK key is the key; any other is not sent")
    func token() throws {
        let app = StartedApp(["LandfallServerURL": "https://api.example.com"])

        let key = try app.connection.configuration(of: ADJConfig(appToken: "pk_token", environment: "production")!)

        #expect(key.sdkKey == "pk_token")
        #expect(throws: NothingToStartWith.key) { try app.connection.configuration(of: StartedApp.config()) }
    }

    @Test(
        "Without a server or a key the log says what is missing, and calls wait for a client of other code",
        arguments: [([:], "LandfallServerURL"), (["LandfallServerURL": "https://api.example.com"], "LandfallSDKKey")])
    func joined(_ info: [String: String], _ missing: String) async throws {
        let app = StartedApp(info)
        app.connection.begin(StartedApp.config())
        #expect(app.connection.client == nil)
        #expect(app.lines.texts().count == 1)
        #expect(app.lines.texts().first?.contains(missing) == true)

        let client = app.shared.client(
            LandfallConfiguration(sdkKey: "pk_demo", server: URL(string: "https://api.example.com")!),
            make: app.connection.makeClient)

        #expect(app.connection.client === client)
        await client.shutdown()
    }

    @Test("A client that other code has made is joined, whichever came first")
    func joinsFirst() async throws {
        let app = StartedApp(StartedApp.info)
        let client = app.shared.client(
            LandfallConfiguration(sdkKey: "pk_demo", server: URL(string: "https://api.example.com")!),
            make: app.connection.makeClient)

        app.connection.begin(StartedApp.config())

        #expect(app.connection.client === client)
        #expect(app.lines.texts().isEmpty)
        await client.shutdown()
    }

    @Test("A second start changes nothing, and nil starts nothing; both are logged")
    func twice() async throws {
        let app = StartedApp(StartedApp.info)
        app.connection.begin(nil)
        #expect(app.connection.client == nil)

        app.connection.begin(StartedApp.config())
        let client = try #require(app.connection.client)
        app.connection.begin(StartedApp.config())

        #expect(app.connection.client === client)
        #expect(app.lines.texts().map { $0.prefix(9) } == ["ADJConfig", "Already s"])
        #expect(ADJConfig(appToken: "", environment: ADJEnvironmentSandbox) == nil)
        await client.shutdown()
    }

    @Test("What has no effect is said once, with what replaces it; the delegate is the app's")
    func settings() async throws {
        let app = StartedApp(StartedApp.info)
        let listener = Listener()

        app.connection.begin(
            StartedApp.config {
                $0.delegate = listener
                $0.needsCost = true
                $0.enableCostDataInAttribution()
                $0.defaultTracker = "abc"
            })

        #expect(app.connection.delegateCalls.delegate === listener)
        #expect(
            app.lines.texts() == [
                "ADJConfig.needsCost does nothing here. \(IdleName.needsCost.instead)",
                "ADJConfig.defaultTracker does nothing here. \(IdleName.defaultTracker.instead)",
            ])
        await app.connection.client?.shutdown()
    }

    @Test(
        "The app's level decides what is logged",
        arguments: [
            (ADJLogLevel.verbose, .debug), (.debug, .debug), (.info, .info), (.warn, .warning), (.error, .error),
            (.assert, .error), (.suppress, nil),
        ] as [(ADJLogLevel, LogLine.Level?)])
    func levels(_ level: ADJLogLevel, _ least: LogLine.Level?) throws {
        let lines = Lines()
        let notices = Notices { lines.add($0) }
        notices.level = level

        for level in [LogLine.Level.debug, .info, .warning, .error] { notices.log(level, "\(level)") }

        let all = [LogLine.Level.debug, .info, .warning, .error]
        #expect(lines.texts(from: .debug) == all.filter { $0 >= (least ?? .error) && least != nil }.map { "\($0)" })
        let suppressed = ADJConfig(appToken: "a", environment: ADJEnvironmentProduction, allowSuppressLogLevel: true)
        #expect(suppressed?.logLevel == .suppress)
        let tested = ADJConfig(appToken: "a", environment: ADJEnvironmentSandbox, suppressLogLevel: true)
        #expect(tested?.logLevel == .info)
    }

    @Test("Without AdServices no ad token is asked for")
    func adServices() throws {
        let app = StartedApp(StartedApp.info)

        let configuration = try app.connection.configuration(of: StartedApp.config { $0.disableAdServices() })

        #expect(configuration.adTokens == nil)
    }

    private final class Listener: NSObject, AdjustDelegate {}
}
