// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// A node whose store has one version with placements, audiences and paywalls, and a member's browser.
enum ConfigurationConsole {
    static let yaml = """
        # What the tests look at.
        app: { id: sample, bundleId: com.example.sample }
        keys: [{ sdk: pk_test }]
        attributes: { plan: string }
        paywalls:
          default:
            products: [yearly, monthly]
            defaultLocale: en
            remoteConfig:
              en: { title: Unlock, lines: [One, Two], button: Go <b>on</b>, days: 7 }
              de: { title: Los, days: 7 }
          special: { products: [monthly] }
          spare: { products: [weekly] }
        segments:
          german: { country: { is: DE } }
        audiences:
          spring:
            segment: german
            app.version: { ">=": 2.1 } # since the new screen
          plus:
            attributes.plan: { in: [plus, "<img src=x>"] }
            any: [{ language: { is: ja } }, { not: { country: { exists: true } } }]
          unused: { share: { of: half, to: 50% } }
        testDevices:
          mayas-phone: { install: 0190a5c0-7e1b-7c3a-9f00-000000000001, audience: plus, paywalls: { home: special } }
        placements:
          home:
            # for spring
            - { audience: spring, paywall: special } # until May
            - audience: plus
              paywall: default
            - { audience: everyone, paywall: default }
          settings: [{ audience: plus, paywall: special }, { audience: everyone, paywall: default }]

        """

    static func run(
        _ yaml: String = yaml, as role: Role = .owner, owner: ConfigurationOwner = .store, editing: OwnThreads? = nil,
        _ body: @Sendable (TestServer, ConsoleBrowser) async throws -> Void
    ) async throws {
        let configuration = try Configuration(yaml: yaml, environment: { _ in nil })
        try await TestServer.run(configuration: configuration, revision: 1, owner: owner, editing: editing) { server in
            _ = try await ConfigurationStore(server.services.database).publishFile(yaml, nowMs: 0)
            try await body(server, try await ConsoleBrowser.signedIn(server, as: role))
        }
    }

    /// The text of the draft that a page would send on.
    static func draft(_ page: String) throws -> String {
        let start = try #require(page.firstRange(of: "name=\"text\" value=\"")).upperBound
        let end = try #require(page[start...].firstIndex(of: "\""))
        return String(page[start..<end]).replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&lt;", with: "<")
            .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }

    /// Stores installs with these locales and versions of the app.
    static func store(_ installs: [(locale: String, version: String)], in database: any Database) async throws {
        _ = try await database.write(.bulk, locking: [RowLock("install", [:])]) { connection in
            for (number, install) in installs.enumerated() {
                let digits = String(number, radix: 16)
                let id = "0198f0c2-7b1a-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
                try connection.run(
                    """
                    INSERT INTO install (app_id, install_id, secret_hash, profile_id, epoch, version, attribution_version, locale,
                      app_version, is_reinstall, created_at_ms, installed_at_ms)
                    VALUES ('sample', $1, $2, $1, 1, 1, 0, $3, $4, 0, 0, 0)
                    """, [.text(id), .blob([1]), .text(install.locale), .text(install.version)])
            }
        }
    }
}
