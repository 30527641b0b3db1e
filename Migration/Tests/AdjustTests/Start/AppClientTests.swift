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

    @Test("is made once: the second module joins, and another key is an error in the log")
    func shared() {
        let (shared, lines) = (SharedClient(), Lines())

        let first = shared.client(configuration("pk_demo", lines))
        let second = shared.client(configuration("pk_demo", lines))
        #expect(lines.texts().isEmpty)
        let third = shared.client(configuration("pk_other", lines))

        #expect(first === second)
        #expect(first === third)
        #expect(lines.texts(from: .error).count == 1)
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
            "LandfallLinks": ["brand": ["links.example.com"], "schemes": ["shop"], "universal": 7] as [String: Any],
        ])
        let environment = AppInfo(environment: ["LANDFALL_SERVER": "http://127.0.0.1:8080", "LANDFALL_SDK_KEY": "pk_local"])

        #expect(plist.server == "https://api.example.com")
        #expect(plist.sdkKey == "pk_demo")
        #expect(plist.links == LinkDomains(brand: ["links.example.com"], schemes: ["shop"]))
        #expect((environment.server, environment.sdkKey) == ("http://127.0.0.1:8080", "pk_local"))
        #expect(AppInfo().server == nil)
    }

    @Test("An address has a host, and http or https", arguments: [nil, "", "api.example.com", "ftp://a.example", "https://"])
    func addresses(_ text: String?) {
        #expect(AppInfo.url(text) == nil)
        #expect(AppInfo.url("https://api.example.com/x")?.absoluteString == "https://api.example.com/x")
    }
}
