// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallWire

/// `GET /v1/placements/{id}/paywall`: one placement's paywall, now or as soon as it is certain.
struct PlacementRoutes: Sendable {
    let services: Services

    @Sendable func paywall(_ request: Request, context: AppContext) async throws -> Answer<PaywallAnswer> {
        let placement = PlacementID(context.parameters.get("id") ?? "")
        let query = request.uri.queryParameters
        let locale = query["locale"].map(String.init)
        let answering = PlacementAnswering(snapshot: services.snapshot)
        switch query["audience"].map(String.init) ?? "matching" {
        case "default": return Answer(try answering.everyone(placement, locale: locale))
        case "matching": return try await matching(answering, placement, locale, request, context)
        default: throw RequestError.invalid("audience", "either matching or default.")
        }
    }

    private func matching(
        _ answering: PlacementAnswering, _ placement: PlacementID, _ locale: String?, _ request: Request, _ context: AppContext
    ) async throws -> Answer<PaywallAnswer> {
        let waiting = try Waiting(of: request)
        let app = try context.requireCaller().app
        let endsAtMs = services.time.nowMs() + waiting.waitMs
        return try await services.held(request, context, until: endsAtMs) { [holds = services.holds] install, nowMs in
            let isTokenAnnounced = holds.isTokenComing(app: app, install: install.id)
            let outlook = AttributionOutlook(
                install: install, isTokenAnnounced: isTokenAnnounced, nowMs: nowMs, holdEndsAtMs: endsAtMs
            )
            let answer = try answering.matching(placement, locale: locale, install: install, outlook: outlook, nowMs: nowMs)
            let isNews = waiting.after.map { answer.profileVersion > $0 } ?? false
            return HeldAnswer(
                value: answer, question: .init(asked: .paywall(placement, locale: locale), outlook: outlook),
                isDone: isNews || answer.final
            )
        }
    }
}
