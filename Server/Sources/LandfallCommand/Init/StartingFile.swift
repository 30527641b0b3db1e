// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One file that `landfall init` writes.
struct StartingFile {
    let name: String
    /// A sentence for people.
    let purpose: String
    let text: String

    /// The configuration first, then the files that go with it, if they have any content.
    static func all(_ app: StartingApp, _ proxy: StartingProxy) -> [StartingFile] {
        var files = [
            StartingFile(name: "landfall.yaml", purpose: "the configuration", text: app.configuration),
            StartingFile(name: "Landfall.swift", purpose: "add it to the app", text: swift(app)),
        ]
        if !(app.brand + app.universal).isEmpty {
            files.append(
                StartingFile(
                    name: "landfall.entitlements", purpose: "Associated Domains of the app's target", text: entitlements(app)))
        }
        if !proxy.hosts.isEmpty {
            files += [
                StartingFile(name: "nginx.conf", purpose: "the proxy in front of the server", text: proxy.nginx),
                StartingFile(name: "dns.txt", purpose: "records of your domains", text: proxy.dns),
            ]
        }
        return files
    }

    private static func entitlements(_ app: StartingApp) -> String {
        let domains = (app.brand + app.universal).map { "        <string>applinks:\($0.lowercased())</string>" }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
                <key>com.apple.developer.associated-domains</key>
                <array>
            \(domains.joined(separator: "\n"))
                </array>
            </dict>
            </plist>

            """
    }

    /// The file that docs/setting-up/your-app.md shows; without hosts and a scheme it has no links.
    private static func swift(_ app: StartingApp) -> String {
        func texts(_ texts: [String]) -> String { "[" + texts.map { "\"\($0)\"" }.joined(separator: ", ") + "]" }
        let lists = [("brand", app.brand), ("universal", app.universal), ("schemes", app.scheme.map { [$0] } ?? [])]
        let domains = lists.filter { !$0.1.isEmpty }.map { "\($0.0): \(texts($0.1))" }.joined(separator: ", ")
        let links = domains.isEmpty ? "" : "    configuration.links = LinkRules(domains: LinkDomains(\(domains)))\n"
        return """
            import Foundation
            import LandfallApple

            /// Call `landfall.start()` where the app starts.
            nonisolated let landfall: LandfallClient = {
                #if targetEnvironment(simulator)
                let server = URL(string: "\(StartingApp.thisMachine)")!   // landfall serve, on this Mac
                #else
                let server = URL(string: "\(app.server)")!
                #endif
                var configuration = LandfallConfiguration.live(
                    sdkKey: "\(app.sdkKey)", server: server, preparing: ["onboarding"])
            \(links)    // landfall export-fallback > fallback.json: for a first open without a network
                configuration.fallback = Bundle.main.url(forResource: "fallback", withExtension: "json").flatMap { try? Data(contentsOf: $0) }
                #if targetEnvironment(simulator)
                configuration.adTokens = SimulatedAppleAdsToken()
                #endif
                return LandfallClient(configuration)
            }()

            #if targetEnvironment(simulator)
            /// The Simulator has no ad token. This one says what the simulated Apple Ads answers, after 1.2 seconds.
            struct SimulatedAppleAdsToken: AdTokenSource {
                nonisolated init() {}

                func token() async throws -> String {
                    "sim.attribution=true&campaignId=542370539&delay=1200&id=\\(UUID().uuidString)"
                }
            }
            #endif

            """
    }
}
