// SPDX-License-Identifier: Apache-2.0
import Adapty
import Landfall

/// One launch of an app that contains the documented sample, as a process, because the sample calls static functions. Writes
/// one line of JSON, a ``LaunchReport``, to standard output.
///
/// `DocumentedPhone --server URL --storage DIR [--token TOKEN] [--timeout SECONDS] [--fallback FILE] [--main-actor]
/// [--flow loader|splash|delegate|timer]`
@main
struct DocumentedPhone {
    static func main() async throws {
        let order = try LaunchOrder(CommandLine.arguments.dropFirst())
        let sample = order.isOnMainActor ? Sample.onMainActor : .nonisolated
        let report =
            if let absence = sample.absence {
                LaunchReport(absence: absence)
            } else {
                try await launch(sample, order)
            }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        FileHandle.standardOutput.write(try encoder.encode(report) + Data("\n".utf8))
    }

    @MainActor
    private static func launch(_ sample: Sample, _ order: LaunchOrder) async throws -> LaunchReport {
        let begun = ContinuousClock.now
        if let fallback = order.fallback { try await Adapty.setFallback(fileURL: fallback) }
        try await Adapty.activate(with: order.configuration)
        var report = LaunchReport()
        do {
            let paywall = try await sample.paywall(order)
            report.paywall = paywall.name
            report.audience = paywall.placement.audienceName
            try await Adapty.logShowPaywall(paywall)
        } catch {
            report.error = "\(error)"
        }
        report.seconds = begun.duration(to: .now) / .seconds(1)
        report.sources = Adapty.client?.profile?.appliedAttributionSources.map(\.rawValue)
        // An app goes on after its paywall; this process ends, so what it has learned is written first.
        await Adapty.client?.shutdown()
        return report
    }
}
