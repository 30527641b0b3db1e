// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallAppClient
import LandfallTesting
import Testing

@Suite("The app's client", .timeLimit(.minutes(1)))
struct AppClientTests {
    private func configuration(_ key: String, _ lines: Lines) -> LandfallConfiguration {
        var configuration = LandfallConfiguration(sdkKey: key, server: URL(string: "https://api.example.com")!)
        configuration.storage = MemoryStorage()
        configuration.log = { lines.add($0) }
        return configuration
    }

    @Test("is made once: a module with the same settings joins, and hears where the client's lines go")
    func shared() {
        let (shared, lines, storage) = (SharedClient(), Lines(), MemoryStorage())
        var settings = configuration("pk_demo", lines)
        settings.storage = storage

        let first = shared.client(settings)
        #expect(lines.texts(from: .debug).isEmpty)
        let second = shared.client(settings)

        #expect(first === second)
        #expect(lines.texts().isEmpty)
        #expect(lines.texts(from: .info).count == 1)
        #expect(lines.texts(from: .info).first?.contains("go to the log of that module") == true)
    }

    @Test(
        "Each setting of the second module that does not count is logged, with both values",
        arguments: [
            Difference(change: { $0.sdkKey = "pk_other" }, level: .error, text: "'pk_demo' counts, 'pk_other' is not used"),
            Difference(change: { $0.server = URL(string: "https://other.example.com")! }, level: .error, text: "'https://other.example.com' is not used"),
            Difference(change: { $0.links.domains.schemes = ["b"] }, level: .warning, text: "schemes: [a] counts, [b] is not used. Name"),
            Difference(change: { $0.links.domains.brand = ["b.example", "c.example"] }, level: .warning, text: "brand: [] counts, [b.example, c.example] is not used. Name"),
            Difference(change: { $0.links.longPaths = ["/x/*"] }, level: .warning, text: "longPaths: [] counts, [/x/*] is not used. Name"),
            Difference(change: { $0.links.wrapperHosts = ["mail.example"] }, level: .warning, text: "wrapperHosts: [] counts, [mail.example] is not used"),
            Difference(change: { $0.links.lifetime = .seconds(60) }, level: .warning, text: "lifetime: [604800.0 seconds] counts, [60.0 seconds] is not used"),
            Difference(change: { $0.adTokens = nil }, level: .warning, text: "Ad tokens are asked for, though this module says that none shall be"),
            Difference(change: { $0.adTokens = OtherTokens() }, level: .warning, text: "Ad tokens come from ScriptedAdTokens; OtherTokens is not used"),
            Difference(change: { $0.attributionLimit = .seconds(8) }, level: .warning, text: "until 5.0 seconds after the start; the limit of 8.0 seconds is not used"),
            Difference(change: { $0.storage = MemoryStorage() }, level: .warning, text: "The folder that this module names is not used"),
        ] as [Difference])
    func differing(_ difference: Difference) {
        let (shared, lines) = (SharedClient(), Lines())
        var settings = configuration("pk_demo", lines)
        settings.adTokens = ScriptedAdTokens(.token("a"))
        settings.links.domains.schemes = ["a"]
        settings.attributionLimit = .seconds(5)
        let first = shared.client(settings)
        difference.change(&settings)

        let second = shared.client(settings)

        #expect(first === second)
        #expect(lines.texts(from: .warning).count == 1)
        #expect(lines.texts(from: difference.level).first?.contains(difference.text) == true, "\(lines.texts())")
    }

    @Test("A module that wants ad tokens joins one that does not: no token is asked for, and the log says so; a module without links wants nothing")
    func wishes() {
        let (shared, lines, storage) = (SharedClient(), Lines(), MemoryStorage())
        var settings = configuration("pk_demo", lines)
        settings.storage = storage
        settings.links.domains.schemes = ["a"]
        _ = shared.client(settings)
        settings.adTokens = ScriptedAdTokens(.token("a"))
        settings.links = LinkRules()

        _ = shared.client(settings)

        #expect(lines.texts().count == 1)
        #expect(lines.texts().first?.hasPrefix("No ad token is asked for") == true)
        #expect(shared.links?.domains.schemes == ["a"])
    }

    @Test("reaches who waits for it, before and after it is made")
    func waiting() {
        let (shared, lines, arrivals) = (SharedClient(), Lines(), Lines())
        let note: @Sendable (LandfallClient) -> Void = { _ in arrivals.add(LogLine(.error, "made", category: .setup)) }

        shared.whenMade(note)
        #expect(arrivals.texts().isEmpty)
        _ = shared.client(configuration("pk_demo", lines))
        shared.whenMade(note)

        #expect(arrivals.texts() == ["made", "made"])
    }

    @Test("Info.plist says server, key and links; where there is none, the environment says the first two")
    func info() {
        let plist = AppInfo([
            "LandfallServerURL": "https://api.example.com", "LandfallSDKKey": "pk_demo",
            "LandfallLinks": ["brand": ["links.example.com"], "schemes": ["shop"], "longPaths": ["/products/*"], "universal": 7] as [String: Any],
        ])
        let environment = AppInfo(environment: ["LANDFALL_SERVER": "http://127.0.0.1:8080", "LANDFALL_SDK_KEY": "pk_local"])

        #expect(plist.server == "https://api.example.com")
        #expect(plist.sdkKey == "pk_demo")
        #expect(plist.links == LinkDomains(brand: ["links.example.com"], schemes: ["shop"]))
        #expect(plist.longPaths == ["/products/*"])
        #expect((environment.server, environment.sdkKey) == ("http://127.0.0.1:8080", "pk_local"))
        #expect(AppInfo().server == nil)
    }

    @Test("An address has a host, and http or https", arguments: [nil, "", "api.example.com", "ftp://a.example", "https://"])
    func addresses(_ text: String?) {
        #expect(AppInfo.url(text) == nil)
        #expect(AppInfo.url("https://api.example.com/x")?.absoluteString == "https://api.example.com/x")
    }
}

/// One setting of the second module, and what is logged about it.
struct Difference: Sendable, CustomTestStringConvertible {
    let change: @Sendable (inout LandfallConfiguration) -> Void
    let level: LogLine.Level
    let text: String
    var testDescription: String { text }
}

private struct OtherTokens: AdTokenSource {
    func token() async throws -> String { "b" }
}
