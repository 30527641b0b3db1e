// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import Testing

/// The bundled file goes from the command into the real SDK, which reaches no server.
@Suite("landfall export-fallback", .timeLimit(.minutes(1)))
struct ExportFallbackTests {
    private static let yaml = """
        app: { id: example, bundleId: com.example.app }
        keys: [{ sdk: pk_demo }]
        paywalls:
          default:
            products: [year, month]
            defaultLocale: en
            remoteConfig: { en: { title: Unlock, days: 7 }, ja: { title: 解除, days: 7 }, pt-BR: { title: Desbloquear } }
          special: { products: [week] }
        audiences: { spring: { country: { is: DE } } }
        placements:
          onboarding: [{ audience: spring, paywall: special }, { audience: everyone, paywall: default }]
          settings: [{ audience: everyone, paywall: special }]
        """

    private func export(_ arguments: String...) async throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "landfall.yaml")
        try Data(Self.yaml.utf8).write(to: file)
        let data = ["--data", folder.appending(path: "data").path]
        let applied = try await RunningCommand(["apply", file.path] + data).completion()
        #expect(applied.status == 0, "\(applied.errors)")

        let done = try await RunningCommand(["export-fallback"] + arguments + data).completion()
        #expect(done.status == 0, "\(done.errors)")
        return Data(done.output.utf8)
    }

    /// What an app shows that has this file and no network.
    private func shown(_ placement: PlacementID, locale: String, _ file: Data) async throws -> PaywallResult {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = LandfallConfiguration(sdkKey: "pk_demo", server: URL(string: "http://127.0.0.1:9")!)
        configuration.storage = FileStorage(directory: folder)
        configuration.fallback = file
        configuration.log = { _ in }
        let client = LandfallClient(configuration)
        client.start()
        let shown = try await client.paywall(for: placement, within: .seconds(1), locale: locale)
        await client.shutdown()
        return shown
    }

    @Test(
        "is read by the SDK: each locale has the paywall that the server would show",
        arguments: [("en", "Unlock"), ("ja", "解除"), ("ja-JP", "解除"), ("pt-BR", "Desbloquear"), ("fr", "Unlock")])
    func locales(locale: String, title: String) async throws {
        struct Offer: Decodable { let title: String }
        let shown = try await shown("onboarding", locale: locale, try await export())

        #expect(shown.origin == .bundled)
        #expect(shown.paywall?.name == "default")
        #expect(shown.paywall?.productIDs == ["year", "month"])
        #expect(try shown.paywall?.remoteConfig?.decode(as: Offer.self).title == title)
    }

    @Test("is read by the SDK with a chosen audience, and without locales that were not requested")
    func chosen() async throws {
        let file = try await export("--audience", "spring", "--locale", "ja")

        #expect(try await shown("onboarding", locale: "en", file).paywall?.name == "special")
        #expect(try await shown("settings", locale: "en", file).paywall?.name == "special")
    }
}
