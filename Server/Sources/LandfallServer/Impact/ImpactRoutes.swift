// SPDX-License-Identifier: Apache-2.0
import Hummingbird

/// `/v1/configuration/impact`: who would see another paywall.
struct ImpactRoutes: Sendable {
    static let path = PublishingRoutes.path + "/impact"

    let publishing: VersionPublishing
    let measuring: ImpactMeasuring
    let rows: RowReading

    /// `POST ?sample=` with a file as its body.
    @Sendable func measure(_ request: Request, context: AppContext) async throws -> Answer<ConfigurationImpact> {
        let seesPeople = try context.requireCaller().seesPeople
        let sample = try request.uri.queryParameters.number("sample", in: 1...Int64(ImpactMeasuring.largestSample))
        let text = try await request.text(upTo: ConfigurationText.largest)
        let (draft, warnings) = try await publishing.draft(text, after: context.snapshot.revision)
        let impact = try await rows.run {
            try await measuring.measure(
                from: context.snapshot, to: draft, warnings: warnings, sample: sample.map(Int.init) ?? ImpactMeasuring.usualSample,
                seesPeople: seesPeople, numbers: SystemRandomNumberGenerator())
        }
        return Answer(impact)
    }
}
