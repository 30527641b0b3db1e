// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
import LandfallRules
package import LandfallServer

/// `/v1/configuration/impact`: who would see another paywall.
package struct ImpactRoutes: Sendable {
    package static let path = PublishingRoutes.path + "/impact"

    package let publishing: VersionPublisher
    package let measuring: ImpactMeasurement
    package let rows: RowReader

    package init(publishing: VersionPublisher, measuring: ImpactMeasurement, rows: RowReader) {
        (self.publishing, self.measuring, self.rows) = (publishing, measuring, rows)
    }

    /// `POST ?sample=` with a file as its body.
    @Sendable package func measure(_ request: Request, context: AppContext) async throws -> Answer<ConfigurationImpact> {
        let seesPeople = try context.requireCaller().seesPeople
        let sample = try request.uri.queryParameters.number("sample", in: 1...Int64(ImpactMeasurement.largestSample))
        let text = try await request.text(upTo: ConfigurationText.largest)
        let (draft, warnings) = try await publishing.draft(text, after: context.snapshot.revision)
        let impact = try await rows.run {
            try await measuring.measure(
                from: context.snapshot, to: draft, warnings: warnings, sample: sample.map(Int.init) ?? ImpactMeasurement.usualSample,
                seesPeople: seesPeople, numbers: SystemRandomNumberGenerator())
        }
        return Answer(impact)
    }
}
