// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallReports
import LandfallServer

/// `landfall impact`.
struct ImpactCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "impact", abstract: "Says who would see another paywall if a landfall.yaml were published.",
        discussion: """
            Draws stored installs at random, and decides each placement for them by the newest version and by the file. Nothing is \
            published. The range holds the share of all installs with 95 % confidence.
            """
    )

    @Argument(help: "The configuration (landfall.yaml).")
    var file: String?

    @Option(help: "How many installs to draw, 1…100000 (10000).")
    var sample: Int?

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let file = file ?? "landfall.yaml"
        let call = BackendCall(
            "POST", "/v1/configuration/impact" + (sample.map { "?sample=\($0)" } ?? ""), body: try PublishingCall.contents(of: file),
            fields: PublishingCall.fields(message: nil, base: nil))
        let calling = PublishingCall(store: store)
        let body = try await calling.body(call, file: file)
        if store.json { return try calling.say(body) }
        let impact = try JSONDecoder().decode(ConfigurationImpact.self, from: Data(body))
        PublishingCall.say(impact.warnings)
        for line in Self.lines(impact) { Output.line(line) }
    }

    static func lines(_ impact: ConfigurationImpact) -> [String] {
        ["\(impact.sampled) installs were looked at."]
            + impact.placements.map { placement in
                let range = placement.interval.map(Output.percent).joined(separator: " to ")
                guard let changed = placement.changed, let share = placement.share else {
                    return "\(placement.placement): the key may not see such small numbers of installs (\(range))"
                }
                return "\(placement.placement): \(changed) see another paywall, \(Output.percent(share)) (\(range))"
            }
    }
}
