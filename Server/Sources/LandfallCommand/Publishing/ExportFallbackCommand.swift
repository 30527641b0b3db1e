// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallServer
import LandfallWire

/// `landfall export-fallback`.
struct ExportFallbackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export-fallback",
        abstract: "Writes the file that an app bundles for a first open without a network.",
        discussion: """
            One JSON document on standard output, for 'configuration.fallback' of the SDK. It contains the number of its version. Export it again \
            before each release of the app.
            """
    )

    @Option(help: "A locale whose remote config goes into the file; several by repeating (all).")
    var locale: [String] = []

    @Option(help: "An audience whose paywall is bundled where a placement asks for it; the first of several counts (everyone).")
    var audience: [String] = []

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let query = [("locale", locale), ("audience", audience)].map { ($0, $1.isEmpty ? nil : $1.joined(separator: ",")) }
        let calling = PublishingCall(store: store)
        try calling.say(try await calling.body(BackendCall("GET", BackendCall.target("/v1/configuration/fallback", query))))
    }
}
