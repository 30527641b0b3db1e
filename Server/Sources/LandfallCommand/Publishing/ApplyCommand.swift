// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallServer

/// `landfall diff`.
struct DiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Says what a landfall.yaml would change, and publishes nothing.",
        discussion: "Prints a sentence for each change of meaning. Comments and the order of keys are not changes."
    )

    @Argument(help: "The configuration (landfall.yaml).")
    var file: String?

    @Option(help: "The version that the file was made from; the file is refused if a newer one was published (any).")
    var base: Int64?

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let file = file ?? "landfall.yaml"
        let call = BackendCall(
            "POST", "/v1/configuration?dryRun=true", body: try PublishingCall.contents(of: file),
            fields: PublishingCall.fields(message: nil, base: base))
        try await PublishingCall(store: store).answer(call, file: file)
    }
}

/// `landfall apply`.
struct ApplyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply", abstract: "Publishes a landfall.yaml as the next version, now or at a time.",
        discussion: """
            Says first what it changes. A running server serves the version at once, without a restart, and streams that it does \
            not concern continue. With --at the version is checked again when its time comes; it does not undo what is published meanwhile.
            """
    )

    @Argument(help: "The configuration (landfall.yaml).")
    var file: String?

    @Option(help: "The reason, for readers of the list of versions.")
    var message: String?

    @Option(help: "The version that the file was made from; the file is refused if a newer one was published (any).")
    var base: Int64?

    @Flag(help: "Say what it would change, and publish nothing.")
    var dryRun = false

    @Option(help: "Publish it at this instant, such as 2026-12-24T09:00:00+01:00 (now).")
    var at: String?

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let file = file ?? "landfall.yaml"
        let query = [("dryRun", dryRun ? "true" : nil), ("atMilliseconds", try at.map { String(try Self.milliseconds($0)) })]
        let call = BackendCall(
            "POST", BackendCall.target("/v1/configuration", query), body: try PublishingCall.contents(of: file),
            fields: PublishingCall.fields(message: message, base: base))
        try await PublishingCall(store: store, makesStore: !dryRun).answer(call, file: file)
    }

    static func milliseconds(_ text: String) throws -> Int64 {
        let withFraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = (try? Date(text, strategy: .iso8601)) ?? (try? Date(text, strategy: withFraction)) else {
            throw ValidationError("--at is '\(text)'; write an instant, for example 2026-12-24T09:00:00Z.")
        }
        return Int64((date.timeIntervalSince1970 * 1_000).rounded())
    }
}
